import type { Clock } from 'lull/core'

/** A server that processes `workers` requests at a time, and queues the others. */
export interface SimulatedServer {
  /** The number of requests processed at a time. */
  workers: number
  /** The average time to process a request, in ms. */
  serviceMs: number
  /** The number of responses so far. */
  readonly answered: number
  /** Calls `answer` when the request is processed. */
  request: (answer: () => void) => void
}

/**
 * @param spread returns the service time of one request from the average; by default the average itself.
 */
export function createSimulatedServer(
  clock: Clock,
  workers: number,
  serviceMs: number,
  spread: (serviceMs: number) => number = (serviceMs) => serviceMs,
): SimulatedServer {
  const queue: (() => void)[] = []
  let busy = 0
  let answered = 0

  function work(): void {
    while (busy < server.workers && queue.length > 0) {
      const answer = queue.shift()!
      busy++
      clock.after(spread(server.serviceMs), () => {
        busy--
        answered++
        answer()
        work()
      })
    }
  }

  const server = {
    workers,
    serviceMs,
    get answered() {
      return answered
    },
    request(answer: () => void) {
      queue.push(answer)
      work()
    },
  }
  return server
}

/** Exponentially distributed service times, the same in each run. */
export function exponential(seed: number): (averageMs: number) => number {
  let state = seed
  return (averageMs) => {
    state = (state * 16_807) % 2_147_483_647
    return -Math.log(1 - state / 2_147_483_647) * averageMs
  }
}
