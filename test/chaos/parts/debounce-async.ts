import fc from 'fast-check'
import { debounceAsync, type DebounceChanges, type DebouncedAsync } from 'lull/core'
import { timings, waits } from './debounce.ts'
import { anyOf, type Of, orNot } from '../../laws/steps.ts'
import { definePart } from '../part.ts'

type How = 'value' | 'error'
type Plan = {
  ends: 'later' | 'at once' | 'throws'
  heedsAbort: boolean
  inside: 'nothing' | 'call' | 'cancel'
}
interface AsyncCall extends Plan {
  n: number
  at: number
  isSettled: boolean
  hasStarted: boolean
  signal?: AbortSignal
  end?: (how: How) => void
}

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
  'dispose abort': 1,
  configure: [4, { wait: orNot(waits), leading: orNot(fc.boolean()), trailing: orNot(fc.boolean()) }],
})

type Step = Of<typeof step>

export const debounceAsyncPart = definePart({
  name: 'debounceAsync',
  options: fc.record({ ...timings, overlap: fc.constantFrom('abort', 'queue') }),
  step,
  begin({ clock, claim }, options, isLong) {
    const { overlap } = options
    const timing = { ...options }
    let controller: AbortController
    let debounced: DebouncedAsync<[AsyncCall], number>
    // Unsettled calls, and calls whose tasks run; `former` has those of earlier instances.
    let unsettled = new Set<AsyncCall>()
    let running = new Set<AsyncCall>()
    let former: Set<AsyncCall>[] = []
    let calls = 0
    let newest: AsyncCall | undefined
    let lastDone = 0
    let cancelledUpTo = 0
    let disposals = 0
    let instances = 0
    let isAtEnd = false
    let marks = { longest: 0, setBackMs: 0, forwardMs: 0 }

    function mark(): void {
      const { setBackMs, progressMs, elapsedMs } = clock
      marks = { longest: timing.wait, setBackMs, forwardMs: progressMs - elapsedMs }
    }

    function task(signal: AbortSignal, call: AsyncCall): number | Promise<number> {
      const [ownRunning, ownUnsettled] = [running, unsettled]
      claim(!call.hasStarted, 'started a task twice', call.n)
      claim(ownUnsettled.has(call), 'started a task of a call that is settled', call.n)
      for (const other of ownRunning)
        claim(overlap === 'abort' && other.signal!.aborted, 'two tasks at a time', other.n, call.n)
      call.hasStarted = true
      call.signal = signal
      if (call.inside === 'call') make(call.n % 2 ? 'later' : 'at once')
      else if (call.inside === 'cancel') cancel()
      if (call.ends === 'throws') throw new Error(`of ${call.n}`)
      if (call.ends === 'at once') return call.n
      ownRunning.add(call)
      return new Promise((resolve, reject) => {
        call.end = (how) => {
          ownRunning.delete(call)
          if (how === 'value') resolve(call.n)
          else reject(new Error(`of ${call.n}`))
        }
        if (call.heedsAbort) signal.addEventListener('abort', () => call.end!('error'))
        if (call.heedsAbort && signal.aborted) call.end('error')
      })
    }

    function begin(): void {
      Object.assign(timing, options)
      unsettled = new Set()
      running = new Set()
      newest = undefined
      instances++
      controller = new AbortController()
      const { wait, ...rest } = options
      debounced = debounceAsync(task, wait, { ...rest, signal: controller.signal, clock })
      mark()
    }

    function make(ends: Plan['ends'], plan: Partial<Plan> = {}): void {
      const own = unsettled
      const state = { n: ++calls, at: clock.elapsedMs, isSettled: false, hasStarted: false }
      const call: AsyncCall = { ...state, heedsAbort: true, inside: 'nothing', ...plan, ends }
      const isUsed = timing.leading || timing.trailing
      if (isUsed) newest = call
      own.add(call)
      const settle = (): void => {
        claim(!call.isSettled, 'settled a call twice', call.n)
        call.isSettled = true
        own.delete(call)
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

    function cancel(): void {
      cancelledUpTo = calls
      debounced.cancel()
      mark()
    }

    function dispose(): void {
      const ownRunning = running
      cancelledUpTo = calls
      disposals++
      void debounced.dispose().then(() => {
        disposals--
        claim(ownRunning.size === 0 || !isAtEnd, 'was disposed of before the last task ended')
      })
      Object.assign(timing, { leading: false, trailing: false })
      mark()
    }

    function configure(changes: DebounceChanges): void {
      const { wait = timing.wait, leading = timing.leading, trailing = timing.trailing } = changes
      Object.assign(timing, { wait, leading, trailing })
      debounced.configure(changes)
    }

    function act(step: Step): void {
      if (step.do === 'call') make(step.ends, step)
      else if (step.do === 'end') {
        const all = [...former, running].flatMap((calls) => [...calls])
        all[step.which % Math.max(all.length, 1)]?.end!(step.how)
      } else if (step.do === 'flush') {
        const promise = debounced.flush()
        claim(!promise === !debounced.isPending(), 'flush returned', promise)
        promise?.catch(() => undefined)
        mark()
      } else if (step.do === 'cancel') cancel()
      else if (step.do === 'configure') configure(step)
      else if (step.do === 'dispose') {
        dispose()
        if (isLong) configure({ trailing: true })
      } else if (!isLong) {
        cancelledUpTo = calls
        controller.abort()
        claim(!debounced.isPending() && debounced.flush() === undefined, 'is pending after the abort')
        former.push(running)
        begin()
      }
    }

    begin()
    return {
      act,
      check() {
        marks.longest = Math.max(marks.longest, timing.wait)
        former = former.filter(({ size }) => size > 0)
        claim(debounced.isPending() === unsettled.size > 0, 'isPending is wrong for', unsettled.size)
        claim(unsettled.size <= 3, 'keeps calls', unsettled.size)
        claim(clock.pending <= instances, 'has several timers')
        claim(!isAtEnd || unsettled.size + disposals === 0, 'left something', unsettled.size, disposals)
        if (running.size === 0 && !newest?.hasStarted && !newest?.isSettled && !clock.pending && newest)
          claim(timing.wait === Infinity, 'a call is pending without a timer', newest.n)
        if (!newest || newest.hasStarted || newest.isSettled || !clock.isQuiet) return
        if (overlap === 'queue' && running.size > 0) return
        const backMs = clock.setBackMs - marks.setBackMs
        const isSteady = backMs === 0 && clock.progressMs - clock.elapsedMs === marks.forwardMs
        const sinceMs = clock.elapsedMs - newest.at
        claim(sinceMs < (isSteady ? timing.wait : marks.longest + backMs), 'a call is overdue', sinceMs)
      },
      end() {
        dispose()
        isAtEnd = true
        for (const calls of [...former, running]) for (const call of calls) call.end!('value')
        // Ends the tasks that start when those have ended.
        clock.after(0, () => {
          for (const call of running) call.end!('value')
        })
      },
      close: () => controller.abort(),
    }
  },
})
