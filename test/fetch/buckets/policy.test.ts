import {
  type BucketContext,
  type Call,
  type ComposeOptions,
  type Outcome,
  type Policy,
  type PolicyHooks,
} from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { networkError, post, tooMany, type Answer } from '../fixtures/fake-server.ts'
import {
  A,
  answersOf,
  B,
  callAll,
  compose,
  endOf,
  paths,
  play,
  statusesOf,
  watch,
} from '../fixtures/start.ts'

function createPolicy(hooks: PolicyHooks = {}) {
  const buckets: BucketContext[] = []
  return { policy: (bucket: BucketContext) => (buckets.push(bucket), hooks), buckets }
}

function createLog(): { policy: Policy; log: string[] } {
  const log: string[] = []
  const about = ({ arrival, attempts }: Call): string => `${arrival}.${attempts}`
  const policy: Policy = () => ({
    admit: (call) => void log.push(`admit ${about(call)}`),
    sent: (call, now) => void log.push(`sent ${about(call)} at ${now}`),
    read: ({ status }) => void log.push(`read ${status}`),
    closed: (until, call) => void log.push(`closed until ${until}${call ? ` by ${about(call)}` : ''}`),
    ended: (call, { kind }, now) => void log.push(`ended ${about(call)} ${kind} at ${now}`),
    veto: (call) => void log.push(`veto ${about(call)}`),
    left: (call, response) => void log.push(`left ${about(call)} ${response?.status ?? 'without'}`),
    reset: () => void log.push('reset'),
    dispose: () => void log.push('dispose'),
  })
  return { policy, log }
}

describe('the lifecycle of a policy', () => {
  it('a policy is created once per bucket, and ends with it', async () => {
    const { policy, log } = createLog()
    const { buckets, policy: other } = createPolicy()
    const { f, clock } = compose([policy, other])
    await play({ f, clock }, `/ / ${B} +10`)
    expect(buckets.map(({ key }) => key)).toEqual([A, B])
    f.reset(A)
    f.dispose()
    expect(log.slice(-3)).toEqual(['reset', 'dispose', 'dispose'])
  })

  it('a removed bucket is in no snapshot, whatever its policies do as they end', async () => {
    const policy: Policy = (bucket) => ({ dispose: bucket.changed })
    const { f, clock } = compose([policy], { maxBuckets: 0 })
    await play({ f, clock }, '/ +60010')
    void f(B)
    expect(Object.keys(f.snapshot().buckets)).toEqual([B])
  })

  it('configure keeps unchanged policies, creates new ones, and ends removed ones', async () => {
    const logs = [createLog(), createLog(), createLog()]
    const [one, two, three] = logs.map(({ policy }) => policy) as [Policy, Policy, Policy]
    const { policy: counter, buckets } = createPolicy()
    const { f, clock } = compose([one, two, counter])
    await play({ f, clock }, '/ +10')
    f.configure({ policies: [counter, three, one] })
    expect(buckets).toHaveLength(1)
    expect(logs.map(({ log }) => log.includes('dispose'))).toEqual([false, true, false])
    await play({ f, clock }, '/ +10')
    expect(logs.map(({ log }) => log.filter((line) => line.startsWith('sent')).length)).toEqual([2, 1, 1])
  })
})

describe('the policy members called for a call', () => {
  it.each<[string, Answer[], RequestInit, string]>([
    ['a successful one', [200], {}, 'read 200, ended 1.1 passed at 10, left 1.1 200'],
    [
      'a failed and retried one',
      [500, 404],
      {},
      'read 500, ended 1.1 failed at 10, veto 1.1, sent 1.2 at 10, read 404, ended 1.2 passed at 20, left 1.2 404',
    ],
    [
      'a refusal',
      [tooMany(1)],
      post,
      'read 429, closed until 1010 by 1.1, ended 1.1 throttled at 10, left 1.1 429',
    ],
    ['one without a response', [networkError()], post, 'ended 1.1 lost at 10, left 1.1 without'],
    ['an opaque one', [Response.error()], {}, 'ended 1.1 opaque at 10, left 1.1 0'],
    ['an aborted one', [new DOMException('', 'AbortError')], {}, 'ended 1.1 aborted at 10, left 1.1 without'],
    ['a 304', [304], {}, 'ended 1.1 passed at 10, left 1.1 304'],
  ])('%s', async (_, answers, init, expected) => {
    const { policy, log } = createLog()
    const started = compose([policy], {}, answers)
    await play(started, '/ +5000', init)
    expect(log.join(', ')).toBe(`admit 1.0, sent 1.1 at 0, ${expected}`)
  })

  it('one that is aborted in the queue, and one that its caller aborts in flight', async () => {
    const { policy, log } = createLog()
    const ended = (_: Call, { error }: Outcome): unknown => log.push((error as Error).name)
    await play(compose([policy, () => ({ ended })], { concurrency: 1 }), '/ / abort=2 abort=1 +10')
    expect(log.join(', ')).toBe(
      'admit 1.0, sent 1.1 at 0, admit 2.0, left 2.0 without, ended 1.1 aborted at 0, AbortError, left 1.1 without',
    )
  })

  it('a request that bypasses queue and gate does not count as sent for token counters', async () => {
    const { policy, log } = createLog()
    await play(compose([policy]), '/ +10', { rateLimit: false })
    expect(log).toEqual(['admit 1.0', 'read 200', 'ended 1.1 passed at 10', 'left 1.1 200'])
  })
})

describe('policy decisions', () => {
  const startDeciding = (all: PolicyHooks[], options?: ComposeOptions, answers?: Answer[]) => {
    const made = all.map(createPolicy)
    const policies = made.map(({ policy }) => policy)
    return { ...compose(policies, options, answers), bucket: () => made[0]!.buckets[0]! }
  }

  it.each([
    [[100, 300, 200], 300],
    [[300, 100], 300],
    [[-Infinity, -5], 0],
  ])('readyAt: the latest of %j counts', async (instants, at) => {
    const started = startDeciding(instants.map((instant) => ({ readyAt: () => instant })))
    await play(started, '/ +1000')
    expect(started.server.at()).toEqual([at])
  })

  it('readyAt: Infinity waits until the policy reports a change, and sets no timer', async () => {
    let isReady = false
    const started = startDeciding([{ readyAt: (now) => (isReady ? now : Infinity) }])
    const calls = callAll(started, paths(2))
    expect(started.clock.pending).toBe(0)
    await started.clock.advanceAsync(1000)
    isReady = true
    started.bucket().changed()
    await started.clock.advanceAsync(10)
    expect(started.server.at()).toEqual([1000, 1000])
    expect(statusesOf(calls)).toEqual([200, 200])
  })

  it('before: the first policy that decides counts, then the order of arrival', async () => {
    const rankOf = ({ source }: Call): string => new URL(source.url).pathname.slice(1)
    const started = startDeciding(
      [
        { before: () => undefined },
        { before: (a, b) => (rankOf(a)[0] === rankOf(b)[0] ? undefined : rankOf(a) < rankOf(b)) },
        { before: (a, b) => rankOf(a) > rankOf(b) },
      ],
      { concurrency: 1 },
    )
    await play(started, '/first /b1 /a1 /b2 /a2 /a2 +100')
    expect(started.server.paths()).toEqual(['/first', '/a2', '/a2', '/a1', '/b2', '/b1'])
  })

  it('veto: the first reason counts, and the last response is returned', async () => {
    const vetoes = [undefined, 'budget', 'circuit-open'].map((reason) => ({ veto: () => reason }))
    const started = startDeciding(vetoes, {}, [500])
    const [call] = await play(started, '/ +5000')
    expect(call!.response?.status).toBe(500)
    expect(started.events.at(-1)).toMatchObject({ type: 'give-up', reason: 'budget' })
  })

  it("delay: the longest counts if it exceeds the kernel's delay", async () => {
    for (const [delays, at] of [
      [[100, 2500, undefined], 2510],
      [[100, NaN, -5], 2010],
    ] as const) {
      const hooks = delays.map((ms) => ({ delay: () => ms }))
      const started = startDeciding(hooks, {}, answersOf('500/2'))
      await play(started, '/ +5000')
      expect(started.server.at()).toEqual([0, at])
    }
  })

  it('admit: not called for a call that a callback has given up', async () => {
    const admitted: number[] = []
    const aborts = { enqueue: new AbortController(), policy: new AbortController() }
    const started = compose(
      [
        () => ({ admit: ({ arrival }) => arrival === 2 && aborts.policy.abort() }),
        () => ({ admit: ({ arrival }) => void admitted.push(arrival) }),
      ],
      { onEvent: ({ type }) => type === 'enqueue' && aborts.enqueue.abort() },
    )
    const calls = Object.values(aborts).map(({ signal }) => watch(started.f(A, { signal }), started.clock))
    calls.push(...(await play(started, '/ +10')))
    expect(calls.map(endOf)).toEqual(['AbortError@0', 'AbortError@0', '200@10'])
    expect(admitted).toEqual([3])
  })

  it('delay and veto: not asked about a call that was given up during `shouldRetry`', async () => {
    const asked = vi.fn()
    const aborted = new AbortController()
    const shouldRetry = (): Promise<boolean> => (aborted.abort(), Promise.resolve(true))
    const started = startDeciding([{ delay: asked, veto: asked }], { shouldRetry }, [500])
    const [call] = await play(started, '/ +5000', { signal: aborted.signal })
    expect([call!.state, asked.mock.calls]).toEqual(['rejected', []])
  })

  it('a call that was given up is not queued again when a policy wakes it', async () => {
    const waiting: Call[] = []
    const { policy } = createPolicy({ delay: (call) => (waiting.push(call), Infinity) })
    const started = compose([policy], {}, [networkError()])
    const calls = await play(started, '/aborted +10 abort')
    waiting.pop()!.wake()
    calls.push(...(await play(started, '/next +10')))
    expect(calls.map(endOf)).toEqual(['AbortError@10', '200@20'])
    expect(started.f.snapshot()).toMatchObject({ queued: 0, sleeping: 0 })
  })

  it('a call in flight or being decided on does not queue when woken, and one that is over is not given up', async () => {
    const calls: Call[] = []
    const options = { shouldRetry: () => new Promise<never>(() => undefined) }
    const started = startDeciding([{ admit: (call) => void calls.push(call) }], options, [200, 200, 500])
    await play(started, '/1')
    calls[0]!.wake()
    await play(started, '/2 +10')
    calls[0]!.fail(new Error('late'))
    await play(started, '/3 +10')
    calls[2]!.wake()
    await play(started, '/4 +10')
    expect(started.server.at()).toEqual([0, 0, 10, 20])
    expect(started.events.some(({ type }) => type === 'drop')).toBe(false)
  })

  it('readyAt is asked about calls only, also after one that is not queued', async () => {
    const asked = new Set<unknown>()
    const readyAt = (now: number, call: Call): number => (asked.add(call), now)
    const started = startDeciding([{ readyAt }], { maxRetries: 0 }, answersOf('429/5'))
    await play(started, '/1 +10')
    started.f.configure({ maxWaitMs: 0 })
    const [call] = await play(started, '/2 +10000')
    expect([endOf(call!), asked.has(undefined)]).toEqual(['wait-too-long@10', false])
  })

  it('read: without a Retry-After, the first wait counts, and its details go into the event', async () => {
    for (const [answer, ms, source] of [
      [tooMany(), 3000, 'x-ratelimit'],
      [tooMany(7), 7000, 'retry-after:delay'],
    ] as const) {
      const outcomes: Outcome[] = []
      const hooks: PolicyHooks[] = [
        { read: () => undefined },
        { read: () => ({ detail: { one: 1 } }) },
        { read: () => ({ waitMs: 3000, source: 'x-ratelimit', detail: { two: 2 } }) },
        { read: () => ({ waitMs: 9000, source: 'ratelimit' }) },
        { ended: (_, outcome) => void outcomes.push(outcome) },
      ]
      const started = startDeciding(hooks, { maxRetries: 0 }, [answer])
      await play(started, '/ +10')
      expect(started.events.find(({ type }) => type === 'response')).toMatchObject({ one: 1, two: 2 })
      expect(started.events.find(({ type }) => type === 'throttled')).toMatchObject({ ms, source })
      expect(outcomes).toMatchObject([{ kind: 'throttled', waitMs: ms, source }])
    }
  })

  it.each([
    [true, []],
    [false, ['queue-full@0']],
  ])('overflow: a full queue keeps a call if it returns %s', async (isKept, drops) => {
    const full: number[] = []
    const overflow = ({ arrival }: Call): boolean => (full.push(arrival), isKept)
    const started = startDeciding([{ readyAt: () => 100 }, { overflow }], { maxQueue: 2 })
    const calls = await play(started, '*3 +1000')
    expect(full).toEqual([3])
    expect(calls.map(endOf).filter((end) => end !== '200@110')).toEqual(drops)
  })
})

describe('a policy that starts a cooldown, as another tab would', () => {
  const atOnce = Array<number>(21).fill(0)
  it.each<[does: string, answers: string, steps: string, at: number[], extended?: number]>([
    [
      'applies until its end; one probe opens the gate',
      '',
      '/0 +10 close=2990 *3 +4000',
      [0, 3000, 3010, 3010],
    ],
    [
      "does nothing if it ends before the server's own cooldown",
      '429/5',
      '/ +10 close=2990 close=4999 +7000',
      [0, 5010],
    ],
    ['extends a cooldown that ends earlier', '429/5', '/ +10 close=6000 +7000', [0, 6010], 6010],
    // It is no refusal.
    [
      'steps no backoff before the first refusal',
      '200 429',
      '/ +10 close=1990 +3000 / +3000',
      [0, 3010, 3520],
    ],
    [
      'steps no backoff after it, with a separate probe in flight',
      '429 200 429',
      '/ +10 close=1990 +3000 / +3000',
      [0, 2000, 3010, 3520],
      2000,
    ],
    ['delays by maxGateMs at most, for any received wait', '', '/ +10 close=1e15 / +700000', [0, 600_010]],
    ['delays by maxGateMs at most, for Infinity', '', '/ +10 close=Infinity / +700000', [0, 600_010]],
    ['has no effect for 0 ms, and keeps the window of an open gate', '', '/ close=0 *20 +0', atOnce],
    ['has no effect for less than 0 ms', '', '/ close=-5 *20 +0', atOnce],
    ['has no effect for NaN', '', '/ close=NaN *20 +0', atOnce],
    ['has no effect for -Infinity', '', '/ close=-Infinity *20 +0', atOnce],
  ])('%s', async (_, answers, steps, at, extended) => {
    const { policy, buckets } = createPolicy()
    const started = compose([policy], { maxWaitMs: Infinity }, answersOf(answers))
    for (const step of steps.split(' ')) {
      if (step.startsWith('close=')) buckets[0]!.close(Number(step.slice(6)), 'shared')
      else await play(started, step)
    }
    expect(started.server.at()).toEqual(at)
    const extensions = started.events.filter(({ type }) => type === 'gate-extended')
    expect(extensions).toMatchObject(extended ? [{ until: extended, source: 'shared' }] : [])
  })

  it('is shown as the cause, also if the cooldown before a reset would end at the same instant', async () => {
    const { policy, buckets } = createPolicy()
    const { f, clock } = compose([policy], {}, answersOf('429/5'))
    await play({ f, clock }, '/0 +10')
    expect(f.snapshot(A)!.gate).toMatchObject({ until: 5010, source: 'retry-after:delay' })
    f.reset()
    buckets[0]!.close(5000, 'shared')
    expect(f.snapshot(A)!.gate).toMatchObject({ open: false, until: 5010, source: 'shared' })
    await clock.advanceAsync(10_000)
  })
})
