import { setImmediate } from 'node:timers/promises'
import { createChaosClock } from '../chaos/chaos-clock.ts'

/** A clock whose readings have fractions, as on real platforms. */
export function createFieldClock(startMs = 1234.567) {
  const clock = createChaosClock(() => 0.5, startMs)
  clock.jumpWall(0.123)
  return Object.assign(clock, {
    /** Steps from due time to due time until `isDone()`, `untilMs` or the last timer. */
    async run(isDone: () => boolean, untilMs: number): Promise<void> {
      await setImmediate()
      const steps = clock.pass(untilMs - clock.now())
      while (!isDone() && !steps.next().done) await setImmediate()
      const errors = clock.takeErrors()
      if (errors.length > 0) throw new AggregateError(errors)
    },
  })
}
