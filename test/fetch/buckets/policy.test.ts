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
import { A, answersOf, B, callAll, compose, endOf, paths, statusesOf, watch } from '../fixtures/start.ts'

/** A policy with these members, and its bucket contexts. */
function createPolicy(hooks: PolicyHooks = {}): { policy: Policy; buckets: BucketContext[] } {
  const buckets: BucketContext[] = []
  return { policy: (bucket) => (buckets.push(bucket), hooks), buckets }
}

/** A policy that logs its called members in order. */
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
    callAll({ f, clock }, ['/', '/'])
    void watch(f(B), clock)
    await clock.advanceAsync(10)
    expect(buckets.map(({ key }) => key)).toEqual([A, B])
    f.reset(A)
    f.dispose()
    expect(log.slice(-3)).toEqual(['reset', 'dispose', 'dispose'])
  })

  it('a removed bucket is in no snapshot, whatever its policies do as they end', async () => {
    const policy: Policy = (bucket) => ({ dispose: bucket.changed })
    const { f, clock } = compose([policy], { maxBuckets: 0 })
    void f(A)
    await clock.advanceAsync(60_010)
    void f(B)
    expect(Object.keys(f.snapshot().buckets)).toEqual([B])
    await clock.advanceAsync(10)
  })

  it('configure keeps unchanged policies, creates new ones, and ends removed ones', async () => {
    const logs = [createLog(), createLog(), createLog()]
    const [one, two, three] = logs.map(({ policy }) => policy) as [Policy, Policy, Policy]
    const { policy: counter, buckets } = createPolicy()
    const { f, clock } = compose([one, two, counter])
    callAll({ f, clock }, ['/'])
    await clock.advanceAsync(10)
    f.configure({ policies: [counter, three, one] })
    expect(buckets).toHaveLength(1)
    expect(logs.map(({ log }) => log.includes('dispose'))).toEqual([false, true, false])
    callAll({ f, clock }, ['/'])
    await clock.advanceAsync(10)
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
      'a refused one',
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
    callAll(started, ['/'], init)
    await started.clock.advanceAsync(5000)
    expect(log.join(', ')).toBe(`admit 1.0, sent 1.1 at 0, ${expected}`)
  })

  it('one that its caller aborts in flight, and one that is aborted in the queue', async () => {
    const { policy, log } = createLog()
    const errors: unknown[] = []
    const ended = (_: Call, { error }: Outcome): unknown => errors.push(error)
    const started = compose([policy, () => ({ ended })], { concurrency: 1 })
    const controller = new AbortController()
    callAll(started, ['/', '/'], { signal: controller.signal })
    controller.abort()
    expect(log.join(', ')).toBe(
      'admit 1.0, sent 1.1 at 0, admit 2.0, left 2.0 without, ended 1.1 aborted at 0, left 1.1 without',
    )
    expect(errors).toEqual([controller.signal.reason])
    await started.clock.advanceAsync(0)
  })

  it('a request that bypasses queue and gate does not count as sent for token counters', async () => {
    const { policy, log } = createLog()
    const { f, clock } = compose([policy])
    const call = watch(f(A, { rateLimit: false }), clock)
    await clock.advanceAsync(10)
    expect(call.response?.status).toBe(200)
    expect(log).toEqual(['admit 1.0', 'read 200', 'ended 1.1 passed at 10', 'left 1.1 200'])
  })
})

describe('policy decisions', () => {
  const startDeciding = (
    all: readonly PolicyHooks[],
    options: ComposeOptions = {},
    answers: readonly Answer[] = [],
  ) => {
    const made = all.map((hooks) => createPolicy(hooks))
    const started = compose(
      made.map(({ policy }) => policy),
      options,
      answers,
    )
    return { ...started, bucket: () => made[0]!.buckets[0]! }
  }

  it.each([
    [[100, 300, 200], 300],
    [[300, 100], 300],
    [[-Infinity, -5], 0],
  ])('readyAt: the latest of %j counts', async (instants, at) => {
    const started = startDeciding(instants.map((instant) => ({ readyAt: () => instant })))
    callAll(started, ['/'])
    await started.clock.advanceAsync(1000)
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
    callAll(started, ['/first', '/b1', '/a1', '/b2', '/a2', '/a2'])
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(['/first', '/a2', '/a2', '/a1', '/b2', '/b1'])
  })

  it('veto: the first reason counts, and the last response is returned', async () => {
    const started = startDeciding(
      [{ veto: () => undefined }, { veto: () => 'budget' }, { veto: () => 'circuit-open' }],
      {},
      [500],
    )
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    expect(call!.response?.status).toBe(500)
    expect(started.events.at(-1)).toMatchObject({ type: 'give-up', reason: 'budget' })
  })

  it("delay: the longest counts if it exceeds the kernel's delay", async () => {
    for (const [delays, at] of [
      [[100, 2500, undefined], 2510],
      [[100, NaN, -5], 2010],
    ] as const) {
      const answer = { status: 500, headers: { 'retry-after': '2' } }
      const started = startDeciding(
        delays.map((ms) => ({ delay: () => ms })),
        {},
        [answer],
      )
      callAll(started, ['/'])
      await started.clock.advanceAsync(5000)
      expect(started.server.at()).toEqual([0, at])
    }
  })

  it('admit: not called for a call that a callback has given up', async () => {
    const admitted: number[] = []
    const aborts = { enqueue: new AbortController(), policy: new AbortController() }
    const policies: Policy[] = [
      () => ({
        admit({ arrival }) {
          if (arrival === 2) aborts.policy.abort()
        },
      }),
      () => ({ admit: ({ arrival }) => void admitted.push(arrival) }),
    ]
    const started = compose(policies, {
      onEvent({ type }) {
        if (type === 'enqueue') aborts.enqueue.abort()
      },
    })
    const calls = Object.values(aborts).map(({ signal }) => watch(started.f(A, { signal }), started.clock))
    const last = watch(started.f(A), started.clock)
    await started.clock.advanceAsync(10)
    expect(calls.map(({ state }) => state)).toEqual(['rejected', 'rejected'])
    expect([last.response?.status, admitted]).toEqual([200, [3]])
  })

  it('delay and veto: not asked about a call that was given up during `shouldRetry`', async () => {
    const asked = vi.fn()
    const aborted = new AbortController()
    const shouldRetry = (): Promise<boolean> => {
      aborted.abort()
      return Promise.resolve(true)
    }
    const started = startDeciding([{ delay: asked, veto: asked }], { shouldRetry }, [500])
    const [call] = callAll(started, ['/'], { signal: aborted.signal })
    await started.clock.advanceAsync(5000)
    expect([call!.state, asked.mock.calls]).toEqual(['rejected', []])
  })

  it('a call that was given up is not queued again when a policy wakes it', async () => {
    const waiting: Call[] = []
    const { policy } = createPolicy({ delay: (call) => (waiting.push(call), Infinity) })
    const started = compose([policy], {}, [networkError()])
    const aborted = new AbortController()
    const [call] = callAll(started, ['/aborted'], { signal: aborted.signal })
    await started.clock.advanceAsync(10)
    aborted.abort()
    waiting.pop()!.wake()
    const [next] = callAll(started, ['/next'])
    await started.clock.advanceAsync(10)
    expect([call!.state, next!.response?.status]).toEqual(['rejected', 200])
    expect(started.f.snapshot()).toMatchObject({ queued: 0, sleeping: 0 })
  })

  it('a call in flight does not queue when a policy wakes it, and one that is over is not given up', async () => {
    const calls: Call[] = []
    const started = startDeciding([{ admit: (call) => void calls.push(call) }])
    callAll(started, ['/1'])
    calls[0]!.wake()
    callAll(started, ['/2'])
    await started.clock.advanceAsync(10)
    calls[0]!.fail(new Error('late'))
    callAll(started, ['/3'])
    await started.clock.advanceAsync(10)
    expect(started.server.at()).toEqual([0, 0, 10])
    expect(started.events.some(({ type }) => type === 'drop')).toBe(false)
  })

  it('readyAt is asked about calls only, also after one that is not queued', async () => {
    const asked = new Set<unknown>()
    const readyAt = (now: number, call: Call): number => {
      asked.add(call)
      return now
    }
    const started = startDeciding([{ readyAt }], { maxRetries: 0 }, answersOf('429/5'))
    callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    started.f.configure({ maxWaitMs: 0 })
    const [call] = callAll(started, ['/2'])
    await started.clock.advanceAsync(10_000)
    expect([endOf(call!), asked.has(undefined)]).toEqual(['wait-too-long@10', false])
  })

  it('delay: Infinity waits until the call is woken, and its attempt does not count', async () => {
    const waiting: Call[] = []
    const started = startDeciding(
      [{ delay: (call, { kind }) => (kind === 'lost' ? (waiting.push(call), Infinity) : undefined) }],
      { maxRetries: 1 },
      [networkError(), networkError(), networkError(), 500],
    )
    const [call] = callAll(started, ['/'])
    for (let times = 1; times <= 3; times++) {
      await started.clock.advanceAsync(1000)
      expect(started.clock.pending).toBe(0)
      expect(started.f.snapshot(A)).toMatchObject({ sleeping: 1 })
      waiting.pop()!.wake()
    }
    await started.clock.advanceAsync(1000)
    expect(call!.response?.status).toBe(200)
    expect(started.server.at()).toEqual([0, 1000, 2000, 3000, 3010])
  })

  it('read: without a Retry-After, the first wait counts, and its details go into the event', async () => {
    for (const [answer, ms, source] of [
      [tooMany(), 3000, 'x-ratelimit'],
      [tooMany(7), 7000, 'retry-after:delay'],
    ] as const) {
      const outcomes: Outcome[] = []
      const started = startDeciding(
        [
          { read: () => undefined },
          { read: () => ({ detail: { one: 1 } }) },
          { read: () => ({ waitMs: 3000, source: 'x-ratelimit', detail: { two: 2 } }) },
          {
            read: () => ({ waitMs: 9000, source: 'ratelimit' }),
            ended: (_, outcome) => void outcomes.push(outcome),
          },
        ],
        { maxRetries: 0 },
        [answer],
      )
      callAll(started, ['/'])
      await started.clock.advanceAsync(10)
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
    const calls = callAll(started, paths(3))
    await started.clock.advanceAsync(1000)
    expect(full).toEqual([3])
    expect(calls.map(endOf).filter((end) => end !== '200@110')).toEqual(drops)
  })
})

describe('a policy that starts a cooldown', () => {
  /** Returns the fetch and a function that closes its only bucket for a time, as another tab would. */
  function startClosing(answers = '', options: ComposeOptions = {}) {
    const { policy, buckets } = createPolicy()
    const started = compose([policy], options, answersOf(answers))
    return { ...started, close: (waitMs: number) => buckets[0]!.close(waitMs, 'shared') }
  }

  it('applies until the later end; one probe opens the gate', async () => {
    const started = startClosing()
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    started.close(2990)
    expect(started.f.snapshot(A)!.gate).toMatchObject({ open: false, until: 3000, source: 'shared' })
    callAll(started, paths(3))
    await started.clock.advanceAsync(4000)
    expect(started.server.at()).toEqual([0, 3000, 3010, 3010])
  })

  it.each<[does: string, waits: number[], extended: { until: number; source: string }[]]>([
    ["does nothing if it ends before the server's own cooldown", [2990, 4999], []],
    ['extends a cooldown that ends earlier', [6000], [{ until: 6010, source: 'shared' }]],
  ])('%s', async (_, waits, extended) => {
    const started = startClosing('429/5')
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    waits.forEach(started.close)
    await started.clock.advanceAsync(7000)
    expect(started.events.filter(({ type }) => type === 'gate-extended')).toMatchObject(extended)
    expect(started.server.at()).toEqual([0, extended[0]?.until ?? 5010])
  })

  it('is shown as the cause, also if the cooldown before a reset would end at the same instant', async () => {
    const started = startClosing('429/5')
    const { f, clock, close } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    expect(f.snapshot(A)!.gate).toMatchObject({ until: 5010, source: 'retry-after:delay' })
    f.reset()
    close(5000)
    expect(f.snapshot(A)!.gate).toMatchObject({ until: 5010, source: 'shared' })
    await clock.advanceAsync(10_000)
  })

  it.each([1e15, Infinity])('delays by maxGateMs at most, for any received wait: %s', async (waitMs) => {
    const started = startClosing('', { maxWaitMs: Infinity })
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    started.close(waitMs)
    callAll(started, ['/1'])
    await started.clock.advanceAsync(700_000)
    expect(started.server.at()).toEqual([0, 600_010])
  })

  it.each([
    ['before the first refusal', '200 429', [0, 3010, 3520]],
    ['after it, with a separate probe in flight', '429 200 429', [0, 2000, 3010, 3520]],
  ])('does not step the backoff, as it is no refusal: %s', async (_, answers, at) => {
    const started = startClosing(answers)
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    started.close(1990)
    await started.clock.advanceAsync(3000)
    callAll(started, ['/1'])
    await started.clock.advanceAsync(3000)
    expect(started.server.at()).toEqual(at)
  })

  it.each([0, -5, NaN, -Infinity, undefined as unknown as number])(
    'close(%s) has no effect, and keeps the window of an open gate',
    async (waitMs) => {
      const started = startClosing()
      callAll(started, ['/0'])
      started.close(waitMs)
      expect(started.f.snapshot(A)).toMatchObject({ gate: { open: true }, window: Infinity })
      callAll(started, paths(20))
      expect(started.server.inFlight).toBe(21)
      await started.clock.advanceAsync(10)
    },
  )
})
