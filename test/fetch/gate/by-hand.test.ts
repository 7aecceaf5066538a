import type { FetchEvent } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import {
  A,
  B,
  callAll,
  endOf,
  expectScript,
  play,
  run,
  scriptsOf,
  start,
  tick,
  type Started,
} from '../fixtures/start.ts'

// Calls, answers, send times, and ends.
it.each(
  scriptsOf(`
  holds all unsent calls
    /1 pause /2 ${B}/3 100000:resume | 200 | 0 100000 100000 | 200@10 200@100010 200@100010
  of one key does not affect the others
    /1 ${B} pause=${A} /2 ${B} resume=${B} 5:resume=${A} | 200 | 0 0 0 5 | 200@10 200@10 200@15 200@10
  of all, then resumed for one key, keeps later keys paused
    pause /1 resume=${A} ${B} /3 5:resume | 200 | 0 0 5 | 200@10 200@15 200@10
  ends for later keys, too
    pause resume /1 | 200 | 0 | 200@10
  leaves a resumed key as it is, however many keys follow
    pause resume=${A} 70000:${B} / | 200 | 70000 | pending 200@70010 | maxBuckets=1
  that ends during a cooldown longer than maxWaitMs holds no call
    /1 /2 pause /3 20:resume | 429/100 | 0 0 | 429@10 200@10 wait-too-long@20`),
)('a pause %s', async (_, script) => void (await expectScript(script)))

it('a pause before the first call closes the gate in the snapshot, and notifies', () => {
  const { f } = start()
  const gates: unknown[] = []
  f.subscribe(() => gates.push(f.snapshot().gate))
  f.pause()
  f.resume()
  expect(gates).toMatchObject([
    { open: false, source: 'manual', remainingMs: Infinity },
    { open: true, source: undefined, remainingMs: 0 },
  ])
})

describe('reset', () => {
  it('clears the cooldown and the learned state', async () => {
    const options = { ratePerSecond: 1, burst: 1 }
    const { f, sent } = await run({ calls: '/1 10:reset', answers: '429/10', options, untilMs: 10 })
    expect(sent).toBe('0 10')
    expect(f.snapshot(A)).toMatchObject({ gate: { open: true }, window: Infinity, inFlight: 1 })
  })

  it('forgets the time of the server: a later probe is not early', async () => {
    const { events } = await run({
      calls: '/1 10:reset',
      answers: '429/50 429/1',
      options: { pace: 'fixed' },
    })
    expect(events.filter(({ type }) => type === 'gate-probe')).toMatchObject([{ early: false }])
  })

  it('delays the retry of a refused request sent before the reset, which the gate ignores', async () => {
    const { events } = await expectScript('/1 reset | 429/2 | 0 2010 | 200@2020')
    expect(events.filter(({ type }) => type.startsWith('gate'))).toEqual([])
  })

  it('delays that retry for as long beside a shorter cooldown of a later refusal', async () => {
    await expectScript('/before reset /after | 429/5~20 429/2 | 0 0 2010 5020 | 200@5030 200@2020')
  })
})

it('dispose rejects queued, gated and sleeping calls, and later calls, with an AbortError', async () => {
  const { f, server, clock, events } = start({ concurrency: 1, random: () => 0.5 }, [500])
  const calls = await play({ f, clock }, '/asleep +10 /in-flight /queued')
  f[Symbol.dispose]()
  f.dispose()
  expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 1 })
  calls.push(...callAll({ f, clock }, ['/later']))
  await tick()
  expect(clock.pending).toBe(1)
  await clock.advanceAsync(10)
  expect(calls.map(endOf)).toEqual(['AbortError@10', '200@20', 'AbortError@10', 'AbortError@10'])
  expect((calls[0]!.error as Error).message).toBe('Disposed of')
  expect(server.paths()).toEqual(['/asleep', '/in-flight'])
  expect(events.filter(({ type }) => type === 'drop')).toMatchObject([
    { call: 1, reason: 'disposed' },
    { call: 3, reason: 'disposed' },
  ])
})

it('a pause by a listener, when the gate opens, holds the call whose turn has come', async () => {
  const onEvent = ({ type }: FetchEvent): unknown => type === 'gate-opened' && started.f.pause()
  const started: Started = start({ onEvent }, [tooMany(1)])
  const [call] = await play(started, '/ +20000 resume +10')
  expect([started.server.requests.length, endOf(call!)]).toEqual([2, '200@20010'])
})
