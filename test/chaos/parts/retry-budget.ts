import fc from 'fast-check'
import { retryBudget, type BucketContext, type Call } from 'lull/fetch'
import { definePart, verb } from '../part.ts'

type Step = { do: 'retry' | 'give up' | 'success' | 'retried' }

interface Options {
  capacity: number
  deposit: number
  reserveMs: number
}

export const retryBudgetPart = definePart<Options, Step>({
  name: 'retry budget',
  options: fc.record({
    capacity: fc.constantFrom(1, 4, 10),
    deposit: fc.constantFrom(0, 0.125, 0.5),
    reserveMs: fc.constantFrom(1024, 8192, Infinity),
  }),
  step: fc.oneof(
    { weight: 4, arbitrary: verb('retry') },
    { weight: 1, arbitrary: verb('give up', 'success', 'retried') },
  ),
  isSync: true,
  begin({ clock, claim }, { capacity, deposit, reserveMs }) {
    // The policy reads nothing else of its bucket, and of a call only which one it is.
    const bucket = { now: clock.now } as BucketContext
    const budget = retryBudget({ capacity, deposit, reserveMs })(bucket)
    const newCall = (): Call => ({}) as Call
    const retried: Call[] = []
    // What could have been left at most: of what could be there, all that was paid is gone.
    let most = capacity
    // And at least, by the time that has really passed.
    let least = capacity
    let at = { progress: clock.progressMs, elapsed: clock.elapsedMs, setBack: clock.setBackMs }

    function look(): void {
      const now = { progress: clock.progressMs, elapsed: clock.elapsedMs, setBack: clock.setBackMs }
      most = Math.min(most + (now.progress - at.progress) / reserveMs, capacity)
      const sureMs = Math.max(now.elapsed - at.elapsed - (now.setBack - at.setBack), 0)
      least = Math.min(least + sureMs / reserveMs, capacity)
      // While the clock is behind what it has read before, nothing comes back.
      at = now
    }

    function add(count: number): void {
      most = Math.min(most + count, capacity)
      least = Math.min(least + count, capacity)
    }

    /** Whether a retry was allowed. */
    function plan(call: Call): boolean {
      const isAllowed = budget.veto!(call, { kind: 'failed' }, 0) === undefined
      claim(!isAllowed || most >= 1, 'allows more retries than there are', most)
      claim(isAllowed || clock.setBackMs > 0 || least < 1, 'refuses a retry that is there', least)
      return isAllowed
    }

    const level = (): number => (budget.snapshot!() as { budget: number }).budget

    return {
      act(step) {
        look()
        if (step.do === 'success') {
          budget.ended!(newCall(), { kind: 'passed' }, 0)
          add(deposit)
        } else if (step.do === 'retried') {
          const call = retried.pop()
          if (!call) return
          budget.ended!(call, { kind: 'passed' }, 0)
          add(1)
        } else {
          const call = newCall()
          if (!plan(call)) return
          if (step.do === 'give up') budget.left!(call, undefined)
          else {
            budget.sent!(call, 0)
            retried.push(call)
            most--
            least = Math.max(least - 1, 0)
          }
        }
      },
      check() {
        look()
        claim(level() >= 0 && level() <= capacity && level() <= most, 'the level is', level(), most)
        claim(clock.pending === 0, 'has a timer')
      },
      end: () => undefined,
    }
  },
})
