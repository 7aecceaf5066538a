import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

describe('R65 the spreading of the opening', () => {
  it('R65 carries the jitter, drawn once for each closing', async () => {
    const draws = [0.5, 0.25, 0.75, 0.1, 0.9, 0.3]
    let drawn = 0
    const started = start({ random: () => draws[drawn++ % draws.length]! }, [
      tooMany(10),
      tooMany(10),
      tooMany(10),
    ])
    const { f, clock } = started
    callAll(started, paths(3), post)
    await clock.advanceAsync(10)
    // The first draw is that of the own backoff, the second of the jitter: a quarter of 1 s.
    expect(f.snapshot(A)!.gate.until).toBe(10_010 + 250)
    expect(drawn).toBe(2)
  })

  it('R65 is drawn anew for the next closing', async () => {
    const draws = [0, 0.25, 0, 0.75]
    let drawn = 0
    const started = start({ random: () => draws[drawn++]! }, [tooMany(10), tooMany(10)])
    callAll(started, ['/1'], post)
    await started.clock.advanceAsync(20_000)
    callAll(started, ['/2'], post)
    await started.clock.advanceAsync(10)
    expect(started.f.snapshot(A)!.gate.until).toBe(30_010 + 750)
  })
})
