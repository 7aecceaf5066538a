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

/**
 * The letters of a complete call: it arrives, is sent any number of times, and ends once, possibly in flight.
 */
const COMPLETE = /^[EB](D(RT?|X)Y)*(O|A|D(O|A|(RT?|X)[AGO]?))$/

/** A refusal is a stray if more requests than this pass after it. */
const STRAY = 3

/**
 * Checks events: the sequence for each call, and the gate and queue order of each bucket.
 *
 * @param isOrdered whether calls are sent in order of arrival.
 */
export function createEventModel({ claim }: World, maxRetries: number, isOrdered: boolean) {
  const sequences = new Map<number, string>()
  /** Queued calls: number to bucket. */
  const queued = new Map<number, string>()
  /** Probes in flight of each bucket whose gate was closed; more than one if time has jumped. */
  const reopening = new Map<string, Set<number>>()
  /** Responses of each bucket since then. */
  const responses = new Map<string, number>()
  let arrival: number | undefined

  function queue({ call, key }: { call: number; key: string }): void {
    queued.set(call, key)
  }

  function watchGate(event: FetchEvent): void {
    const { type, key } = event
    const probes = reopening.get(key)
    if (type === 'gate-closed' || type === 'gate-extended') {
      if (event.source !== 'manual') reopening.set(key, new Set())
      responses.set(key, 0)
    } else if (type === 'gate-probe') probes?.add(event.call)
    else if (type === 'response') {
      const count = (responses.get(key) ?? 0) + 1
      responses.set(key, count)
      // After a stray refusal no probe is needed.
      if (probes?.has(event.call) || count > STRAY) reopening.delete(key)
    } else if (type === 'error' || type === 'abort') probes?.delete(event.call)
    else if (type === 'dispatch' && !sequences.get(event.call)?.startsWith('B'))
      claim(!probes || probes.has(event.call), 'sent beside a probe', event.call)
  }

  return {
    onEvent: (event: FetchEvent) => {
      const { type } = event
      watchGate(event)
      if (!('call' in event)) return
      const { call } = event
      if (type === 'enqueue' || type === 'bypass') arrival = call
      const sequence = sequences.get(call) ?? ''
      claim(arrival === call || sequence !== '', 'reported an event of a settled call', type, call)
      sequences.set(call, sequence + (LETTERS[type] ?? ''))
      if (type === 'enqueue') queue(event)
      // A call in backoff, not behind a gate, returns by a timer, which may be late.
      else if (type === 'retry' && sequence.startsWith('E') && reopening.has(event.key)) {
        if (event.reason !== 'failure') queue(event)
      } else if (type === 'dispatch') {
        queued.delete(call)
        if (isOrdered && sequence.startsWith('E'))
          for (const [other, key] of queued)
            claim(key !== event.key || other > call, 'sent', call, 'before', other)
      } else if (type === 'abort' || type === 'drop') queued.delete(call)
    },
    /** Returns the number of the call that has arrived since the last time; undefined if none was counted. */
    takeArrival() {
      const call = arrival
      arrival = undefined
      return call
    },
    /** Records that the promise of the call has settled; later events of it are errors. */
    settle(call: number) {
      const sequence = sequences.get(call) ?? ''
      const isComplete = COMPLETE.test(sequence) && sequence.split('D').length <= maxRetries + 2
      claim(isComplete, 'had the events', sequence)
      sequences.delete(call)
      queued.delete(call)
    },
    /** After a reset or a change of pace: the next request is no probe. */
    forgetGates: () => reopening.clear(),
  }
}
