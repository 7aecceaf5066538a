import fc from 'fast-check'
import lodash from 'lodash'
import { debounce, throttle, type Clock } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

let clock: Clock = createManualClock()
const cancels = new Map<number, () => void>()
let id = 0
const oracle = lodash.runInContext({
  Date: class extends Date {
    static override now = () => clock.now()
  },
  setTimeout(callback: () => void, delayMs: number) {
    cancels.set(++id, clock.after(delayMs, callback))
    return id
  },
  clearTimeout: (timer: number) => cancels.get(timer)?.(),
})
function lodashOn(c: Clock) {
  clock = c
  cancels.clear()
  return oracle
}
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 60 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  ),
  { maxLength: 40 },
)
it('fuzz', { timeout: 200000 }, () => {
  let bad = 0,
    n = 0,
    badKinds: Record<string, number> = {}
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom(0, 1, 20, 100),
      fc.constantFrom(undefined, 0, 20, 30, 150),
      fc.constantFrom([true, false], [true, true], [false, true]),
      (script, wait, maxWait, [leading, trailing]) => {
        const run = (make: (clock: Clock, fn: (n: number) => number) => any) => {
          const clock = createManualClock(1000)
          const log: unknown[] = []
          const d = make(clock, (n) => {
            log.push(['run', clock.now(), n])
            return n
          })
          let i = 0
          for (const s of script) {
            if (s.do === 'advance') clock.advance(s.ms)
            else log.push([s.do, s.do === 'call' ? d(i++) : d[s.do]()])
          }
          clock.advance(1000)
          return log
        }
        const o = { leading, trailing, ...(maxWait === undefined ? {} : { maxWait }) }
        const a = run((clock, fn) => debounce(fn, wait, { ...o, clock }))
        const b = run((clock, fn) => lodashOn(clock).debounce(fn, wait, o))
        n++
        if (JSON.stringify(a) !== JSON.stringify(b)) {
          const hasFlush = script.some((s) => s.do === 'flush')
          const hasCancel = script.some((s) => s.do === 'cancel')
          const runs = b.filter((x: any) => x[0] === 'run').map((x: any) => x[1])
          const tooClose = runs.some((t, i) => i > 0 && t - runs[i - 1] < wait)
          const k = JSON.stringify({
            max: maxWait !== undefined,
            flush: hasFlush,
            tooClose: tooClose && !hasCancel,
          })
          badKinds[k] ??= 0
          if (badKinds[k]++ === 0)
            console.log(
              k,
              JSON.stringify({
                script: script.map((s) => (s.do === 'advance' ? s.ms : s.do.slice(0, 2))),
                wait,
                o,
                a: a.filter((x: any) => x[0] === 'run'),
                b: b.filter((x: any) => x[0] === 'run'),
              }),
            )
          bad++
        }
      },
    ),
    { numRuns: 20000, seed: 1 },
  )
  console.log(bad, n, badKinds)
})
