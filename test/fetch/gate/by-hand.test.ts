import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, answersOf, B, callAll, endOf, start, tick, watch } from '../fixtures/start.ts'

it.each<[why: string, script: string, sent: string]>([
  ['hold all unsent calls', `${A}/1 pause ${A}/2 ${B}/3 +100000 resume`, '/1@0 /2@100000 /3@100000'],
  [
    'of one key do not affect the others',
    `${A}/1 ${B}/1 pause=${A} ${A}/2 ${B}/2 resume=${B} +5 resume=${A}`,
    '/1@0 /1@0 /2@0 /2@5',
  ],
  [
    'of all, then of one key, keep later keys paused',
    `pause ${A}/1 resume=${A} ${B}/2 ${A}/3 +5 resume`,
    '/1@0 /3@0 /2@5',
  ],
  ['also release later keys', `pause resume ${A}/1`, '/1@0'],
])('pause and resume %s', async (_, script, sent) => {
  const { f, server, clock } = start()
  for (const word of script.split(' ')) {
    const [name, key] = word.split('=')
    if (word.startsWith('+')) await clock.advanceAsync(Number(word))
    else if (name === 'pause' || name === 'resume') f[name](key)
    else void f(word)
    await clock.advanceAsync(0)
  }
  await clock.advanceAsync(10)
  expect(server.requests.map(({ url, at }) => `${new URL(url).pathname}@${at}`).join(' ')).toBe(sent)
})

it('a key that was resumed while all are paused stays so, however many keys follow', async () => {
  const { f, clock } = start({ maxBuckets: 1 })
  f.pause()
  f.resume(A)
  await clock.advanceAsync(70_000)
  const calls = [B, A].map((url) => watch(f(url), clock))
  await clock.advanceAsync(20)
  expect(calls).toMatchObject([{ state: 'pending' }, { response: { status: 200 }, at: 70_010 }])
  f.dispose()
})

it('a pause that ends during a cooldown longer than maxWaitMs holds no call', async () => {
  const started = start({}, [tooMany(100)])
  const { f, clock } = started
  const calls = callAll(started, ['/1', '/2'])
  f.pause()
  calls.push(...callAll(started, ['/3']))
  await clock.advanceAsync(20)
  f.resume()
  await clock.advanceAsync(1)
  expect(calls.map(endOf)).toEqual(['429@10', '200@10', 'wait-too-long@20'])
})

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
    const started = start({ ratePerSecond: 1, burst: 1 }, [tooMany(10)])
    const { f, server, clock } = started
    callAll(started, ['/1'])
    await clock.advanceAsync(10)
    f.reset()
    await clock.advanceAsync(0)
    expect(server.at()).toEqual([0, 10])
    expect(f.snapshot(A)).toMatchObject({ gate: { open: true }, window: Infinity, inFlight: 1 })
    await clock.advanceAsync(10)
  })

  it('forgets the time of the server: a later probe is not early', async () => {
    const started = start({ pace: 'fixed' }, [tooMany(50), tooMany(1)])
    callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    started.f.reset()
    await started.clock.advanceAsync(2000)
    expect(started.events.filter(({ type }) => type === 'gate-probe')).toMatchObject([{ early: false }])
  })

  it('delays the retry of a refused request sent before the reset', async () => {
    const started = start({}, [tooMany(2)])
    const { f, server, clock, events } = started
    callAll(started, ['/1'])
    f.reset()
    await clock.advanceAsync(10)
    expect(f.snapshot(A)?.gate.open).toBe(true)
    await clock.advanceAsync(5000)
    expect(server.at()).toEqual([0, 2010])
    // The gate ignores that refusal.
    expect(events.filter(({ type }) => type.startsWith('gate'))).toEqual([])
  })

  it('delays that retry for as long beside a shorter cooldown of a later refusal', async () => {
    const started = start({}, answersOf('429/5~20 429/2'))
    const { f, server, clock } = started
    callAll(started, ['/before'])
    f.reset()
    callAll(started, ['/after'])
    await clock.advanceAsync(10_000)
    expect(server.requests.slice(2).map(({ url, at }) => `${new URL(url).pathname}@${at}`)).toEqual([
      '/after@2010',
      '/before@5020',
    ])
  })
})

describe('dispose', () => {
  it('rejects queued, gated and sleeping calls, and later calls, with an AbortError', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500])
    const { f, server, clock, events } = started
    const calls = callAll(started, ['/asleep'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/in-flight', '/queued']))
    f[Symbol.dispose]()
    f.dispose()
    expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 1 })
    calls.push(...callAll(started, ['/later']))
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

  it.each([
    ['429/1', '429@10'],
    ['500', '500@10'],
    ['x', 'TypeError@10'],
  ])('settles requests in flight with their responses, without a retry: %s', async (answers, end) => {
    const started = start({ random: () => 0.5 }, answersOf(answers))
    const [call] = callAll(started, ['/1'])
    started.f.dispose()
    await started.clock.advanceAsync(5000)
    expect([endOf(call!), started.server.calls]).toEqual([end, 1])
  })
})

it('a pause by a listener, when the gate opens, holds the call whose turn has come', async () => {
  const { f, server, clock } = start({ onEvent: ({ type }) => type === 'gate-opened' && f.pause() }, [
    tooMany(1),
  ])
  const call = watch(f(A), clock)
  await clock.advanceAsync(20_000)
  expect(server.requests).toHaveLength(1)
  f.resume()
  await clock.advanceAsync(10)
  expect(call).toMatchObject({ response: { status: 200 }, at: 20_010 })
})
