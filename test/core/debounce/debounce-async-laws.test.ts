import fc from 'fast-check'
import { debounce, debounceAsync, type DebounceOptions } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { edges, maxWaits, waits } from '../shared/scripts.ts'
import { createDeferred, settled, track, type Deferred, type Tracked } from '../shared/promises.ts'
import { tries } from '../../laws/tries.ts'

// Many scripts in a test, where all are asked for.
vi.setConfig({ testTimeout: 300_000 })

type Step =
  | { do: 'call' }
  | { do: 'flush' }
  | { do: 'cancel' }
  | { do: 'advance'; ms: number }
  /** Ends one of the runs that have started and not ended. */
  | { do: 'end'; which: number; how: 'resolve' | 'reject' }

interface Timing extends DebounceOptions {
  wait: number
}

/** What happens to the model, by the number of the call. */
type Event =
  | { what: 'call'; n: number }
  | { what: 'due'; n: number }
  | { what: 'end'; n: number; how: 'resolve' | 'reject' }
  | { what: 'cancel' }

type Fate = 'done' | 'rejected' | 'superseded' | 'cancelled'

const scripts: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ do: fc.constant('call' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat({ max: 30 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat({ max: 250 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which: fc.nat({ max: 3 }),
        how: fc.constantFrom('resolve' as const, 'reject' as const),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
)

const timing: fc.Arbitrary<Timing> = fc
  .record({ wait: waits, edges, maxWait: maxWaits })
  .map(({ edges, ...rest }) => ({ ...rest, ...edges }))

/** What should become of the calls, and which runs start. */
interface Model {
  fates: Map<number, Fate>
  started: number[]
  aborted: Set<number>
}

/** Each burst's calls until its run is due: the next call, or a cancel, decides the one before. */
function decideHeld(events: readonly Event[], leadingOnly: boolean, model: Model): void {
  let held: number | undefined
  const decide = (fate: Fate): void => {
    if (held !== undefined) model.fates.set(held, fate)
    held = undefined
  }
  for (const [index, event] of events.entries()) {
    if (event.what === 'call') {
      decide('superseded')
      held = event.n
      const next = events[index + 1]
      if (leadingOnly && !(next?.what === 'due' && next.n === event.n)) decide('superseded')
    } else if (event.what === 'due' && event.n === held) {
      held = undefined
    } else if (event.what === 'cancel') {
      decide('cancelled')
    }
  }
}

function decideAborting(events: readonly Event[], model: Model): void {
  let current: number | undefined
  const stop = (fate: Fate): void => {
    if (current === undefined) return
    model.fates.set(current, fate)
    model.aborted.add(current)
    current = undefined
  }
  for (const event of events) {
    if (event.what === 'due') {
      stop('superseded')
      current = event.n
      model.started.push(event.n)
    } else if (event.what === 'cancel') {
      stop('cancelled')
    } else if (event.what === 'end' && event.n === current) {
      model.fates.set(event.n, event.how === 'resolve' ? 'done' : 'rejected')
      current = undefined
    }
  }
}

function decideQueued(events: readonly Event[], model: Model): void {
  let busy: number | undefined
  let next: number | undefined
  const begin = (n: number | undefined): void => {
    busy = n
    next = undefined
    if (n !== undefined) model.started.push(n)
  }
  for (const event of events) {
    if (event.what === 'due') {
      if (busy === undefined) begin(event.n)
      else {
        if (next !== undefined) model.fates.set(next, 'superseded')
        next = event.n
      }
    } else if (event.what === 'cancel') {
      if (next !== undefined) model.fates.set(next, 'cancelled')
      next = undefined
      if (busy === undefined || model.fates.has(busy)) continue
      model.fates.set(busy, 'cancelled')
      model.aborted.add(busy)
    } else if (event.what === 'end') {
      if (!model.fates.has(event.n)) model.fates.set(event.n, event.how === 'resolve' ? 'done' : 'rejected')
      begin(next)
    }
  }
}

function fateOf({ state, value }: Tracked<{ status: Fate; value?: unknown }>): Fate | 'pending' {
  if (state === 'resolved') return value!.status
  return state
}

/** Plays `script`, then ends all runs and disposes. The events are those of a plain debounce that is played along. */
async function play(script: readonly Step[], { wait, ...options }: Timing, overlap: 'abort' | 'queue') {
  const clock = createManualClock()
  const plainClock = createManualClock()
  const events: Event[] = []
  const calls: Tracked<{ status: Fate; value?: unknown }>[] = []
  const runs: (Deferred<string> & { n: number; signal: AbortSignal; isOver: boolean })[] = []
  const plain = debounce((n: number) => void events.push({ what: 'due', n }), wait, {
    ...options,
    clock: plainClock,
  })
  const ours = debounceAsync(
    (signal, n: number) => {
      const run = { ...createDeferred<string>(), n, signal, isOver: false }
      runs.push(run)
      return run.promise
    },
    wait,
    { ...options, overlap, clock },
  )
  const told: boolean[] = []
  ours.subscribe(() => told.push(ours.isPending()))

  const end = async (which: number, how: 'resolve' | 'reject'): Promise<void> => {
    const going = runs.filter(({ isOver }) => !isOver)
    const run = going[which % going.length]
    if (!run) return
    run.isOver = true
    events.push({ what: 'end', n: run.n, how })
    if (how === 'resolve') run.resolve(`result of ${run.n}`)
    else run.reject(`error of ${run.n}`)
    await settled()
  }

  for (const step of script) {
    if (step.do === 'call') {
      const n = calls.length + 1
      events.push({ what: 'call', n })
      plain(n)
      calls.push(track(ours(n)))
    } else if (step.do === 'advance') {
      clock.advance(step.ms)
      plainClock.advance(step.ms)
    } else if (step.do === 'flush') {
      plain.flush()
      void ours.flush()
    } else if (step.do === 'cancel') {
      events.push({ what: 'cancel' })
      plain.cancel()
      ours.cancel()
    } else {
      await end(step.which, step.how)
    }
    expect(ours.isPending()).toBe(told.at(-1) ?? false)
  }
  clock.advance(10_000)
  plainClock.advance(10_000)
  expect(clock.pending).toBe(0)
  const disposal = track(ours.dispose())
  await settled()
  while (runs.some(({ isOver }) => !isOver)) {
    expect(disposal.state).toBe('pending')
    await end(0, 'resolve')
  }
  await settled()
  expect(disposal.state).toBe('resolved')
  expect(told).toEqual(told.map((_, index) => index % 2 === 0))
  expect(ours.isPending()).toBe(false)
  return { events, calls, runs }
}

it.each(['abort', 'queue'] as const)(
  'settles every call as the naive model does with %s',
  async (overlap) => {
    await fc.assert(
      fc.asyncProperty(scripts, timing, async (script, timing) => {
        const { events, calls, runs } = await play(script, timing, overlap)
        const model: Model = { fates: new Map(), started: [], aborted: new Set() }
        decideHeld(events, timing.trailing === false, model)
        if (overlap === 'abort') decideAborting(events, model)
        else decideQueued(events, model)

        expect(runs.map(({ n }) => n)).toEqual(model.started)
        expect(runs.filter(({ signal }) => signal.aborted).map(({ n }) => n)).toEqual(
          model.started.filter((n) => model.aborted.has(n)),
        )
        expect(calls.map(fateOf)).toEqual(calls.map((_, index) => model.fates.get(index + 1)))
        for (const [index, { state, value, error }] of calls.entries()) {
          if (state === 'rejected') expect(error).toBe(`error of ${index + 1}`)
          else if (value!.status === 'done') expect(value!.value).toBe(`result of ${index + 1}`)
        }
      }),
      tries(1200),
    )
  },
)

it('has at most one run in flight, and runs the last call at last, with queue', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, timing, fc.constantFrom(1, 30, 300), async (script, timing, takesMs) => {
      const clock = createManualClock()
      const { wait, ...options } = timing
      const saved: number[] = []
      let inFlight = 0
      const save = debounceAsync(
        async (_signal, n: number) => {
          expect(++inFlight).toBe(1)
          await new Promise<void>((resolve) => clock.after(takesMs, resolve))
          inFlight--
          saved.push(n)
        },
        wait,
        { ...options, trailing: true, overlap: 'queue', clock },
      )
      const calls: Promise<unknown>[] = []
      for (const step of script) {
        if (step.do === 'call') calls.push(save(calls.length + 1))
        else if (step.do === 'advance') await clock.advanceAsync(step.ms)
        else if (step.do === 'flush') void save.flush()
      }
      await clock.advanceAsync(10_000)
      expect(saved).toEqual(saved.toSorted((a, b) => a - b))
      expect(saved.at(-1) ?? 0).toBe(calls.length)
      await Promise.all(calls)
    }),
    tries(300),
  )
})
