import { describe, expect, it } from 'vitest'
import { tooMany } from './fake-server.ts'
import { A, callAll, paths, start, statesOf } from './start.ts'

/** A token bucket that says no more than 429 and whole seconds. */
function bucketServer(
  ratePerSecond: number,
  burst: number,
): ({ at }: { at: number }) => ReturnType<typeof tooMany> | 200 {
  let tokens = burst
  let last = 0
  return ({ at }) => {
    tokens = Math.min(burst, tokens + ((at - last) / 1000) * ratePerSecond)
    last = at
    if (tokens < 1) return tooMany(Math.max(1, Math.ceil((1 - tokens) / ratePerSecond)))
    tokens--
    return 200
  }
}

const patient = { maxRetries: Infinity, maxWaitMs: Infinity, maxQueue: Infinity }

describe('R67 the learnt pace', () => {
  it.each([2, 10, 60, 600, 3600])(
    'R67 %i s in which nobody calls say nothing of the rate: what comes then goes as fast as before',
    async (seconds) => {
      const started = start(patient, bucketServer(20, 10))
      const { f, clock } = started
      for (let round = 0; round < 5; round++) {
        const calls = callAll(started, paths(100))
        await clock.advanceAsync(10_000)
        // 100 calls at 20 a second are 5 s, and each pause costs one more.
        expect(statesOf(calls).filter((state) => state === 'pending')).toHaveLength(0)
        expect(f.snapshot(A)!.pace!.ratePerSecond).toBeGreaterThan(10)
        expect(f.snapshot(A)!.pace!.from).toBe('refusals')
        await clock.advanceAsync(seconds * 1000)
      }
      f.reset()
    },
  )

  it('R69 answers of the server that are late, or errors of it, change nothing of the pace: only throttles do', async () => {
    const started = start({ random: () => 0.5 }, (_, index) => ({
      status: [200, 500, 502, 503, 408][index % 5]!,
      latencyMs: 10 * 2 ** (index % 12),
    }))
    const { f, server, clock } = started
    callAll(started, paths(100))
    await clock.advanceAsync(100_000)
    expect(f.snapshot(A)!.pace).toBe(undefined)
    const before = server.requests.length
    callAll(started, paths(50))
    expect(server.requests.length - before).toBeGreaterThanOrEqual(8)
    await clock.advanceAsync(100_000)
  })

  it('R67 is not there before the first throttle, and only reduces what the options allow', async () => {
    const started = start(
      { ...patient, ratePerSecond: 1000 / 128, burst: 2, concurrency: 1 },
      bucketServer(1000, 1000),
    )
    const { f, server, clock } = started
    callAll(started, paths(20))
    await clock.advanceAsync(10_000)
    expect(f.snapshot(A)!.pace).toBe(undefined)
    expect(server.at().slice(0, 4)).toEqual([0, 10, 128, 256])
  })

  it('R68 R54 refusals of one epoch lower the pace once', async () => {
    const paces = []
    for (const refused of [1, 6]) {
      let isDone = false
      const limit = bucketServer(20, 10)
      const started = start({ ...patient, random: () => 0 }, (received, index) => {
        const isRefused = index >= 20 && index < 20 + refused
        isDone ||= index >= 26
        return isDone || !isRefused ? (index < 20 ? 200 : limit(received)) : tooMany(1)
      })
      callAll(started, paths(26))
      await started.clock.advanceAsync(500)
      paces.push(started.f.snapshot(A)!.pace)
      await started.clock.advanceAsync(60_000)
    }
    expect(paces[0]).toBeDefined()
    expect(paces[1]!.ratePerSecond).toBeGreaterThan(paces[0]!.ratePerSecond / 2)
  })

  it('R54 the refusals that follow the first of an event teach nothing', async () => {
    const started = start({ ...patient, random: () => 0 }, (_, index) =>
      index < 20 ? 200 : index < 26 ? { ...tooMany(1), latencyMs: 10 * (index - 18) } : 200,
    )
    callAll(started, paths(26))
    const paces = []
    for (let n = 0; n < 50; n++) {
      await started.clock.advanceAsync(10)
      paces.push(started.f.snapshot(A)!.pace)
    }
    const learnt = paces.filter((pace) => pace)
    expect(started.events.filter(({ type }) => type === 'throttled')).toHaveLength(6)
    expect(learnt.length).toBeGreaterThan(10)
    expect(learnt).toEqual(learnt.map(() => learnt[0]))
    await started.clock.advanceAsync(60_000)
  })
})
