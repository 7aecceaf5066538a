import fc from 'fast-check'
import { createRetryBudget } from 'lull/fetch'
import { definePart, verb } from '../part.ts'

type Step = { do: 'retry' } | { do: 'success' | 'retried' }

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
    { weight: 1, arbitrary: verb('success', 'retried') },
  ),
  isSync: true,
  begin({ clock, claim }, { capacity, deposit, reserveMs }) {
    const account = createRetryBudget({ capacity, deposit, reserveMs })(clock.now)
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

    return {
      act(step) {
        look()
        if (step.do === 'success') {
          account.succeeded(0)
          add(deposit)
        } else if (step.do === 'retried') {
          account.succeeded(1)
          add(1)
        } else {
          const canPay = account.canPay(1)
          if (canPay) account.pay(1)
          claim(!canPay || most >= 1, 'pays for more retries than there are', most)
          claim(canPay || clock.setBackMs > 0 || least < 1, 'does not pay for a retry that is there', least)
          if (canPay) {
            most--
            least = Math.max(least - 1, 0)
          }
        }
      },
      check() {
        look()
        const level = account.level()
        claim(level >= 0 && level <= capacity && level <= most, 'the level is', level, most)
        claim(clock.pending === 0, 'has a timer')
      },
      end: () => undefined,
    }
  },
})
