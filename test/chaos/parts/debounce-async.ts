import fc from 'fast-check'
import { debounceAsync } from 'lull/core'
import { changes, timings } from './debounce.ts'
import { createLateness } from './lateness.ts'
import { anyOf, type Of } from '../../laws/steps.ts'
import { definePart } from '../part.ts'

const step = anyOf({
  call: [
    20,
    {
      ends: fc.constantFrom('later', 'later', 'later', 'at once', 'throws'),
      heedsAbort: fc.boolean(),
      inside: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'call', 'cancel'),
    },
  ],
  end: [12, { which: fc.nat(3), how: fc.constantFrom('value', 'value', 'error') }],
  'flush cancel': 4,
  // Calls are ignored from then on, until a `configure` turns an edge on.
  dispose: 1,
  configure: [4, changes],
})

type Step = Of<typeof step>
type Plan = Omit<Extract<Step, { do: 'call' }>, 'do'>

interface AsyncCall extends Plan {
  n: number
  at: number
  isSettled: boolean
  hasStarted: boolean
  signal?: AbortSignal
  end?: (how: 'value' | 'error') => void
}

export const debounceAsyncPart = definePart({
  name: 'debounceAsync',
  options: fc.record({ ...timings, overlap: fc.constantFrom('abort', 'queue'), aborts: fc.boolean() }),
  step,
  begin({ clock, claim }, { overlap, aborts, ...timing }) {
    const controller = new AbortController()
    const lateness = createLateness(clock)
    // Calls whose tasks run.
    const running = new Set<AsyncCall>()
    let calls = 0
    let unsettled = 0
    let newest: AsyncCall | undefined
    let lastDone = 0
    let cancelledUpTo = 0
    let disposals = 0
    let isAtEnd = false

    const { wait, ...edges } = timing
    const debounced = debounceAsync(task, wait, { ...edges, overlap, signal: controller.signal, clock })

    function task(signal: AbortSignal, call: AsyncCall): number | Promise<number> {
      claim(!call.hasStarted, 'started a task twice', call.n)
      claim(!call.isSettled, 'started a task of a call that is settled', call.n)
      for (const other of running)
        claim(overlap === 'abort' && other.signal!.aborted, 'two tasks at a time', other.n, call.n)
      call.hasStarted = true
      call.signal = signal
      if (call.inside === 'call') make(call.n % 2 ? 'later' : 'at once')
      else if (call.inside === 'cancel') act({ do: 'cancel' })
      if (call.ends === 'throws') throw new Error(`of ${call.n}`)
      if (call.ends === 'at once') return call.n
      running.add(call)
      return new Promise((resolve, reject) => {
        call.end = (how) => {
          running.delete(call)
          if (how === 'value') resolve(call.n)
          else reject(new Error(`of ${call.n}`))
        }
        if (call.heedsAbort) signal.addEventListener('abort', () => call.end!('error'))
        if (call.heedsAbort && signal.aborted) call.end('error')
      })
    }

    function make(ends: Plan['ends'], plan: Partial<Plan> = {}): void {
      const state = { n: ++calls, at: clock.elapsedMs, isSettled: false, hasStarted: false }
      const call: AsyncCall = { ...state, heedsAbort: true, inside: 'nothing', ...plan, ends }
      const isUsed = timing.leading || timing.trailing
      if (isUsed) newest = call
      unsettled++
      const settle = (): void => {
        claim(!call.isSettled, 'settled a call twice', call.n)
        call.isSettled = true
        unsettled--
      }
      debounced(call).then(
        (outcome) => {
          settle()
          if (outcome.status === 'done') {
            claim(call.hasStarted && outcome.value === call.n, 'resolved with', outcome.value, call.n)
            claim(call.n > lastDone, 'a result came after that of a newer call', call.n, lastDone)
            lastDone = call.n
          } else if (outcome.status === 'cancelled') {
            claim(call.n <= cancelledUpTo || !isUsed, 'reported a call as cancelled without a cancel', call.n)
          } else {
            const isOnlyLeading = !timing.trailing || timing.leading
            claim(call.n < calls || isOnlyLeading, 'superseded the last call', call.n)
          }
        },
        (error: unknown) => {
          settle()
          const isOwn = call.hasStarted && (error as Error).message === `of ${call.n}`
          claim(isOwn, 'rejected with', error, call.n)
        },
      )
    }

    function act(step: Step): void {
      if (step.do === 'call') make(step.ends, step)
      else if (step.do === 'end') [...running][step.which % Math.max(running.size, 1)]?.end!(step.how)
      else if (step.do === 'configure') {
        const { wait = timing.wait, leading = timing.leading, trailing = timing.trailing } = step
        Object.assign(timing, { wait, leading, trailing })
        debounced.configure(step)
      } else if (step.do === 'flush') {
        const promise = debounced.flush()
        claim(!promise === !debounced.isPending(), 'flush returned', promise)
        promise?.catch(() => undefined)
        lateness.noTimer()
      } else {
        cancelledUpTo = calls
        if (step.do === 'cancel') debounced.cancel()
        else {
          disposals++
          void debounced.dispose().then(() => {
            disposals--
            claim(running.size === 0, 'was disposed of before the last task ended')
          })
          Object.assign(timing, { leading: false, trailing: false })
        }
        lateness.noTimer()
      }
    }

    return {
      act,
      check() {
        lateness.see(timing.wait)
        claim(debounced.isPending() === unsettled > 0, 'isPending is wrong for', unsettled)
        claim(unsettled <= 3, 'keeps calls', unsettled)
        claim(clock.pending <= 1, 'has several timers')
        claim(!isAtEnd || unsettled + disposals === 0, 'left something', unsettled, disposals)
        if (!newest || newest.hasStarted || newest.isSettled) return
        claim(running.size > 0 || clock.pending > 0, 'a call is pending without a timer', newest.n)
        if (!clock.isQuiet || (overlap === 'queue' && running.size > 0)) return
        const sinceMs = clock.elapsedMs - newest.at
        claim(sinceMs < lateness.latest(timing.wait), 'a call is overdue', sinceMs)
      },
      end() {
        if (aborts) {
          cancelledUpTo = calls
          controller.abort()
          claim(!debounced.isPending() && debounced.flush() === undefined, 'is pending after the abort')
        }
        act({ do: 'dispose' })
        isAtEnd = true
        for (const call of running) call.end!('value')
        // Ends the tasks that start when those have ended.
        clock.after(0, () => {
          for (const call of running) call.end!('value')
        })
      },
    }
  },
})
