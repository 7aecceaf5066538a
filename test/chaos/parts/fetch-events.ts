import type { FetchEvent } from 'lull/fetch'
import type { World } from '../part.ts'

const LETTERS: Partial<Record<FetchEvent['type'], string>> = {
  enqueue: 'E',
  bypass: 'B',
  dispatch: 'D',
  response: 'R',
  error: 'X',
  throttled: 'T',
  retry: 'Y',
  'give-up': 'G',
  drop: 'O',
  abort: 'A',
}

/** Comes, is sent again and again, and ends once, be it in flight. */
const LIFE = /^[EB](D(RT?|X)Y)*(O|A|D(O|A|(RT?|X)[AGO]?))$/

/** What a fetch reports: of each call its life, of each bucket its gate and the order of its queue. */
export interface EventModel {
  onEvent: (event: FetchEvent) => void
  /** The number of the call that has come since it was last asked; undefined if none counts. */
  takeArrival: () => number | undefined
  /** The promise of the call is settled: nothing is reported of it afterwards. */
  settle: (call: number) => void
  /** A reset, or another pace: whatever is sent next is no probe. */
  forgetGates: () => void
}

/** @param isOrdered whether calls are sent in the order in which they came. */
export function createEventModel({ claim }: World, maxRetries: number, isOrdered: boolean): EventModel {
  const lives = new Map<number, string>()
  /** Calls that wait in a queue, by their number: their buckets. */
  const queued = new Map<number, string>()
  /** Of each bucket whose gate was closed: the probes in flight, more than one where time has jumped. */
  const reopening = new Map<string, Set<number>>()
  let arrival: number | undefined

  function queue({ call, key }: { call: number; key: string }): void {
    queued.set(call, key)
  }

  function watchGate(event: FetchEvent): void {
    const { type, key } = event
    const probes = reopening.get(key)
    if (type === 'gate-closed' || type === 'gate-extended') {
      if (event.source !== 'manual') reopening.set(key, new Set())
    } else if (type === 'gate-probe') probes?.add(event.call)
    else if (type === 'response' && probes?.has(event.call)) reopening.delete(key)
    else if (type === 'error' || type === 'abort') probes?.delete(event.call)
    else if (type === 'dispatch' && !lives.get(event.call)?.startsWith('B'))
      claim(!probes || probes.has(event.call), 'sent beside a probe', event.call)
  }

  return {
    onEvent(event) {
      const { type } = event
      watchGate(event)
      if (!('call' in event)) return
      const { call } = event
      if (type === 'enqueue' || type === 'bypass') arrival = call
      const life = lives.get(call) ?? ''
      claim(arrival === call || life !== '', 'reported of a call that is over', type, call)
      lives.set(call, life + (LETTERS[type] ?? ''))
      if (type === 'enqueue') queue(event)
      // One that waits by itself, and not for a gate, comes back by a timer, which may be late.
      else if (type === 'retry' && life.startsWith('E') && reopening.has(event.key)) {
        if (event.reason !== 'failure') queue(event)
      } else if (type === 'dispatch') {
        queued.delete(call)
        if (isOrdered && life.startsWith('E'))
          for (const [other, key] of queued)
            claim(key !== event.key || other > call, 'sent', call, 'before', other)
      } else if (type === 'abort' || type === 'drop') queued.delete(call)
    },
    takeArrival() {
      const call = arrival
      arrival = undefined
      return call
    },
    settle(call) {
      const life = lives.get(call) ?? ''
      claim(LIFE.test(life) && life.split('D').length <= maxRetries + 2, 'had the life', life)
      lives.delete(call)
      queued.delete(call)
    },
    forgetGates: () => reopening.clear(),
  }
}
