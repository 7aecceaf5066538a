import fc from 'fast-check'
import { createRateMeter, type RateMeter } from 'lull/core'
import { definePart, verb } from '../part.ts'

type Step = { do: 'add'; count: number } | { do: 'save' }

export const rateMeterPart = definePart<{ halfLifeMs: number }, Step>({
  name: 'rate meter',
  options: fc.record({ halfLifeMs: fc.constantFrom(10, 1000, 60_000) }),
  step: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({ do: fc.constant('add' as const), count: fc.constantFrom(0, 1, 1, 2.5, 1000) }),
    },
    { weight: 1, arbitrary: verb('save') },
  ),
  isSync: true,
  begin({ clock, claim }, { halfLifeMs }) {
    let meter: RateMeter = createRateMeter({ halfLifeMs, clock })
    let told = 0
    let adds = 0
    let stop = meter.subscribe(() => told++)
    // The sum of the weights of all events, which only time makes smaller: a clock that is set back does not.
    let sum = 0
    let at = clock.progressMs

    function decay(): void {
      sum *= 2 ** ((at - clock.progressMs) / halfLifeMs)
      at = clock.progressMs
    }

    return {
      act(step) {
        decay()
        if (step.do === 'add') {
          meter.add(step.count)
          adds++
          sum += step.count
        } else {
          // Goes on in another process.
          stop()
          meter = createRateMeter({
            from: JSON.parse(JSON.stringify(meter)) as ReturnType<RateMeter['toJSON']>,
            clock,
          })
          stop = meter.subscribe(() => told++)
        }
      },
      check() {
        decay()
        const rate = meter.rate()
        const expected = ((sum * Math.LN2) / halfLifeMs) * 1000
        // Rounded at each step, here and there.
        claim(Math.abs(rate - expected) <= expected * 1e-9 + 1e-300, 'the rate is', rate, expected)
        claim(told === adds, 'told of', told, adds)
        claim(clock.pending === 0, 'has a timer')
      },
      end: () => stop(),
    }
  },
})
