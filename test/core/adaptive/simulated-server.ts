import type { Clock } from 'lull/core'

/** A server that works on some requests at a time, and has the others queue. */
export interface SimulatedServer {
  /** How many it works on at a time. */
  workers: number
  /** How long it works on one, in ms. */
  serviceMs: number
  /** How many it has answered. */
  readonly answered: number
  /** Calls `answer` when it has worked on the request. */
  request: (answer: () => void) => void
}

/**
 * @param spread makes of the average service time that of one request; as it is, if absent.
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

/** Service times as of a memoryless server: most are short, some very long. The same ones at each run. */
export function exponential(seed: number): (averageMs: number) => number {
  let state = seed
  return (averageMs) => {
    state = (state * 16_807) % 2_147_483_647
    return -Math.log(1 - state / 2_147_483_647) * averageMs
  }
}
