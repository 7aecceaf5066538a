import fc from 'fast-check'
import { sometimes } from 'lull/core'
import { definePart, verb } from '../part.ts'

type Step = { do: 'call' | 'throw' | 'nest' }

export const sometimesPart = definePart<{ first: number; every: number; intervalMs: number }, Step>({
  name: 'sometimes',
  options: fc.record({
    first: fc.constantFrom(0, 1, 3),
    every: fc.constantFrom(0, 2, 5),
    intervalMs: fc.constantFrom(0, 20, 250),
  }),
  step: fc.oneof({ weight: 6, arbitrary: verb('call') }, { weight: 1, arbitrary: verb('throw', 'nest') }),
  isSync: true,
  begin({ clock, claim }, { first, every, intervalMs }) {
    const nowAndThen = sometimes({ first, every, intervalMs, clock })
    let calls = 0
    // How the clock stood when the last run ended.
    let last = { progress: -Infinity, setBack: 0, elapsed: -Infinity }

    function ran(): void {
      last = { progress: clock.progressMs, setBack: clock.setBackMs, elapsed: clock.elapsedMs }
    }

    function call(what: Step['do']): void {
      const n = calls++
      let runs = 0
      const { progress, setBack, elapsed } = last
      const isCounted = n === 0 || n < first || (every > 0 && n % every === 0)
      try {
        nowAndThen(() => {
          runs++
          ran()
          if (what === 'nest') call('call')
          if (what === 'throw') throw new Error('own')
        })
      } catch (error) {
        claim(what === 'throw' && (error as Error).message === 'own', 'threw', error)
      }
      if (isCounted) claim(runs === 1, 'did not run a call that counts', n)
      else if (intervalMs === 0) claim(runs === 0, 'ran a call that does not count', n)
      else if (runs > 0) claim(clock.progressMs - progress >= intervalMs, 'ran too soon', n)
      else if (setBack === clock.setBackMs)
        claim(clock.elapsedMs - elapsed < intervalMs, 'did not run after the interval', n)
    }

    return {
      act: (step) => call(step.do),
      check: () => claim(clock.pending === 0, 'has a timer'),
      end: () => undefined,
    }
  },
})
