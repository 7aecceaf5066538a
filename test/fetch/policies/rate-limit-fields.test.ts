import { legacyRateLimitFields, rateLimitFields, type ComposeOptions, type Policy } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { slidingLog } from '../../field/limits.ts'
import { draftFields } from '../../field/servers.ts'
import { post, SILENT, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, compose, endOf, paths, play, run, start } from '../fixtures/start.ts'

const TEN = '"a";q=10;w=1'

const said = (ratelimit: string, policy?: string, more: object = {}) => ({
  status: 200,
  headers: { ratelimit, ...(policy && { 'ratelimit-policy': policy }) },
  latencyMs: 0,
  ...more,
})

/** The older fields. */
const left = (remaining: number, resetS: number, prefix = 'X-RateLimit-') => ({
  [`${prefix}Remaining`]: String(remaining),
  [`${prefix}Reset`]: String(resetS),
})

/** Sends silent requests, then one with this response, at the same instant. */
async function after(
  answer: Answer,
  inFlight = 0,
  policies: readonly Policy[] = [rateLimitFields()],
  options: ComposeOptions = {},
) {
  const started = compose(policies, { maxWaitMs: Infinity, ...options }, ({ url }) =>
    url.endsWith('/said') ? answer : SILENT,
  )
  callAll(started, [...Array<string>(inFlight).fill('/silent'), '/said'], post)
  await started.clock.advanceAsync(0)
  return {
    ...started,
    snapshot: () => started.f.snapshot(A)!,
    /** Makes calls now; returns their send times without any response. */
    schedule: async (count: number) => {
      const before = started.server.requests.length
      await play(started, `*${count} +2000000000`)
      return started.server.at().slice(before)
    },
  }
}

/** Sends calls 1 ms apart, with these responses. */
async function answered(answers: readonly Answer[]) {
  const started = compose([rateLimitFields()], {}, answers)
  for (const path of paths(answers.length)) {
    callAll(started, [path])
    await started.clock.advanceAsync(1)
  }
  await started.clock.advanceAsync(100)
  return started
}

describe('the available amount', () => {
  it.each<[why: string, limit: string, policy: string | undefined, inFlight: number, instants: number[]]>([
    ['holds until the window is over', '"a";r=3;t=5', undefined, 0, [0, 0, 0, 5000, 5000]],
    ['holds for maxGateMs at most', '"a";r=1;t=5000', undefined, 0, [0, 600_000]],
    ['holds with its policy for maxGateMs', '"a";r=1;t=1', '"a";q=1;w=9999999', 0, [0, 1000, 601_000]],
    ['counts a silent request after 10 s', '"a";r=1;t=1', '"a";q=2;w=20', 1, [1000, 30_000, 31_000]],
    ['is reduced by the requests in flight', '"a";r=3;t=5', undefined, 2, [0, 5000]],
    ['may be less than the requests in flight', '"a";r=3;t=5', undefined, 4, [5000]],
    ['holds for each of several', '"a";r=1;t=2, "b";r=3;t=4', undefined, 0, [0, 2000, 2000, 4000, 4000]],
    ['has no effect without a window', '"a";r=3', undefined, 0, [0, 0, 0, 0]],
    ['has no effect without a window, also with none left', '"a";r=0', undefined, 0, [0, 0]],
    ['has no effect in another unit', '"a";r=1;t=5', '"a";q=9;qu="content-bytes"', 0, [0, 0, 0]],
    ['has no effect in an unknown unit', '"a";r=1;t=5', '"a";q=9;qu="bananas"', 0, [0, 0, 0]],
    ['is not changed by a cost', '"a";r=2;t=5;c=5', undefined, 0, [0, 0, 5000]],
    // The pace of a policy.
    ['is spread, except two kept in reserve', '"a";r=5;t=60', TEN, 0, [0, 0, 0, 100, 200]],
    ['is spread without the requests in flight', '"a";r=6;t=60', TEN, 2, [0, 0, 100, 200]],
    ['is spread, with less in reserve than it ever had', '"a";r=1;t=1', '"a";q=20;w=1', 0, [50, 1000]],
    ['is spread when the reserve is missing', '"a";r=5;t=60', TEN, 4, [200]],
    ['is spread by the only policy, with any name', '"b";r=3;t=60', TEN, 0, [0, 100]],
    ['is not spread by several of other names', '"b";r=3;t=60', `${TEN}, "c";q=10;w=1`, 0, [0, 0, 0]],
    ['is spread by the slowest', '"a";r=9;t=60, "b";r=3;t=60', `${TEN}, "b";q=10;w=5`, 0, [0, 500, 1000]],
    ['is not spread below one per second', '"a";r=3;t=60', '"a";q=59;w=60', 0, [0, 0, 0]],
    ['is not spread by a policy without a window', '"a";r=3;t=60', '"a";q=59', 0, [0, 0, 0]],
    ['is not spread for a small quota', '"a";r=3;t=60', '"a";q=9;w=9', 0, [0, 0, 0]],
    ['is spread until the window is over', '"a";r=1;t=1', '"a";q=10;w=10', 0, [1000]],
  ])('%s: %s by %s, %i in flight', async (_, limit, policy, inFlight, instants) => {
    const told = await after(said(limit, policy), inFlight)
    expect(await told.schedule(instants.length)).toEqual(instants)
  })

  it('is not spread with `spread` off', async () => {
    const told = await after(said('"a";r=3;t=60', TEN), 0, [rateLimitFields({ spread: false })])
    expect(told.snapshot().pace).toBeUndefined()
    expect(await told.schedule(3)).toEqual([0, 0, 0])
  })

  it.each([
    ...[200, 204, 404, 500].map((status) => ['counts', status, { age: '0' }, 5010] as const),
    ['of a 304 does not count: it repeats the fields of another response', 304, {}, 10],
    ['does not count if the response is from a cache', 200, { age: '9, 9' }, 10],
  ] as const)('%s, with a status of %i and %o', async (_, status, more, next) => {
    const headers = { ...said('"a";r=1;t=5').headers, ...more }
    const told = await after(new Response(null, { status, headers }), 0, undefined, { maxRetries: 0 })
    await told.clock.advanceAsync(10)
    expect(await told.schedule(2)).toEqual([10, next])
  })

  it('rejects calls whose wait exceeds maxWaitMs, as at the gate', async () => {
    const started = compose([rateLimitFields()], { maxWaitMs: 4000 }, [said('"a";r=1;t=5')])
    const calls = await play(started, '/0 +10 *2 +10 /late +6000')
    expect(calls.map(endOf)).toEqual(['200@0', '200@20', 'wait-too-long@20', 'wait-too-long@20'])
    const closed = started.events.filter(({ type }) => type === 'gate-closed')
    expect(closed).toMatchObject([{ at: 20, ms: 4980, source: 'ratelimit' }])
  })
})

describe('a remaining amount of 0', () => {
  const gateAfter = async (answer: Answer, policies?: Policy[]) =>
    (await after(answer, 0, policies)).snapshot().gate
  const closed = (until: number, source = 'ratelimit') => ({ open: false, until, source })

  it('closes the gate for the longest window, in any unit except concurrent requests', async () => {
    expect(await gateAfter(said('"a";r=0;t=7, "b";r=0;t=5, "c";r=1;t=9'))).toMatchObject(closed(7000))
    expect(await gateAfter(said('"a";r=0;t=5', '"a";q=9;qu="bananas"'))).toMatchObject(closed(5000))
    const concurrent = said('"a";r=0;t=5', '"a";q=9;qu="concurrent-requests"')
    expect(await gateAfter(concurrent)).toMatchObject({ open: true })
  })

  it('closes the gate once, from the receipt, and one probe opens it', async () => {
    const told = await after(said('"a";r=0;t=5', undefined, { latencyMs: 10 }))
    await told.clock.advanceAsync(10)
    expect(await told.schedule(1)).toEqual([5010])
    const gates = told.events.filter(({ type }) => type.startsWith('gate'))
    expect(gates.map(({ type }) => type)).toEqual(['gate-closed', 'gate-opened', 'gate-probe'])
    expect(gates[0]).toMatchObject({ ms: 5000, source: 'ratelimit' })
  })

  it.each([
    ['the window, if its first response has come', 'r=9;t=1', 'r=0;t=1', TEN, 1000],
    ['`t`, if another request was the first', 'r=8;t=1', 'r=0;t=1', TEN, 1001],
    ['`t`, if that is later by more than its rounding', 'r=9;t=1', 'r=0;t=2', TEN, 2001],
    ['`t`, if the window had begun before', 'r=9;t=3', 'r=0;t=3', '"a";q=10;w=5', 3001],
    ['`t`, if requests are not spread', 'r=8;t=1', 'r=0;t=1', '"a";q=9;w=1', 1001],
  ])('closes the gate until the end of %s', async (_, first, second, policy, until) => {
    const { f } = await answered([said(`"a";${first}`, policy), said(`"a";${second}`, policy)])
    expect(f.snapshot(A)?.gate).toMatchObject(closed(until))
  })

  it('closes it until the end of the window also if its first response is overtaken', async () => {
    const late = said('"a";r=9;t=1', TEN, { latencyMs: 2 })
    const { f } = await answered([late, ...[8, 7, 0].map((left) => said(`"a";r=${left};t=1`, TEN))])
    expect(f.snapshot(A)?.gate).toMatchObject(closed(1002))
  })

  it('keeps the remaining amount of another limit in force', async () => {
    const refusal = { status: 429, headers: { ratelimit: '"a";r=0;t=30, "b";r=2;t=10', 'retry-after': '1' } }
    const started = compose([rateLimitFields()], {}, [refusal])
    await play(started, 'POST/0 +1010 *4 +100000')
    expect(started.server.at()).toEqual([0, 1010, 1020, 10_010, 10_010])
  })

  it.each([
    ['closes the gate for a minute', 60, {}, closed(60_000, 'x-ratelimit')],
    ['closes no gate for longer', 61, {}, { open: true }],
    ['closes the gate for maxPreemptiveMs', 61, { maxPreemptiveMs: 61_000 }, closed(61_000, 'x-ratelimit')],
    ['closes no gate if that is 0', 1, { maxPreemptiveMs: 0 }, { open: true }],
  ])('in older fields %s: %i s', async (_, seconds, options, gate) => {
    const after = (status: number) =>
      gateAfter({ status, headers: left(0, seconds), latencyMs: 0 }, [legacyRateLimitFields(options)])
    expect(await after(200)).toMatchObject(gate)
    // It bounds neither the wait of a refusal nor the remaining amount.
    expect((await after(429)).until).toBe(Math.max(seconds * 1000, 500))
  })
})

describe('the older fields', () => {
  const legacy = [legacyRateLimitFields()]

  it.each(['RateLimit-', 'X-RateLimit-', 'X-Rate-Limit-'])(
    '%s say what is left until the reset',
    async (prefix) => {
      const headers = { ...left(2, 5, prefix), [`${prefix}Limit`]: '100' }
      const told = await after({ status: 200, headers, latencyMs: 0 }, 0, legacy)
      expect(told.snapshot()).toMatchObject({ policies: [{ name: 'default', quota: 100 }] })
      expect(await told.schedule(4)).toEqual([0, 0, 5000, 5000])
    },
  )

  it('count nothing beside a RateLimit with a time', async () => {
    const headers = { ...left(1, 5), RateLimit: '"a";r=1;t=60' }
    const told = await after({ status: 200, headers, latencyMs: 0 }, 0, legacy)
    expect(await told.schedule(2)).toEqual([0, 0])
  })

  it.each<[string, Record<string, string>, number]>([
    ['then a response says what is left', left(0, 3), 7010],
    ['then no response names it', {}, 4010],
  ])('name a limit that holds over a rest: %s', async (_, headers, next) => {
    const limit = { 'X-RateLimit-Limit': '5', ...left(4, 3) }
    const started = compose(legacy, {}, (_, index) => ({ status: 200, headers: index ? headers : limit }))
    await play(started, '/0 +4000 *9 +100000')
    expect(started.server.at().slice(0, 7)).toEqual([0, ...Array<number>(5).fill(4000), next])
  })

  it('let one request at a time ask when nothing is left for long, until a response names no limit', async () => {
    // The older request was counted later.
    const answers: Answer[] = [
      { status: 200, headers: left(0, 1200), latencyMs: 20 },
      { status: 200, headers: left(1, 1200) },
      { status: 200, headers: left(0, 1200) },
    ]
    const started = compose(legacy, {}, answers)
    await play(started, '*2 +20 *4 +100')
    expect(started.server.at()).toEqual([0, 0, 20, 30, 40, 40])
  })
})

const makers = {
  'two policies': (options: ComposeOptions, answer: Answer) =>
    compose([rateLimitFields(), legacyRateLimitFields()], options, [answer]),
  'the preset': (options: ComposeOptions, answer: Answer) => start(options, [answer]),
}

describe.each(Object.entries(makers))('both kinds of fields, by %s', (_, make) => {
  const inFlight = { RateLimit: '"c";r=0', 'RateLimit-Policy': '"c";q=9;qu="concurrent-requests"' }
  it.each<[what: string, headers: Record<string, string>, instants: number[]]>([
    ['nothing is left', { RateLimit: '"a";r=0;t=120' }, [120_000, 120_010]],
    ['one is left', { RateLimit: '"a";r=1;t=120' }, [0, 120_000]],
    ['nothing', left(0, 9), [9000, 9010]],
    ['nothing, for long', left(0, 120, 'RateLimit-'), [0, 10]],
    ['one, for long', left(1, 120, 'X-Rate-Limit-'), [0, 60_000]],
    ['one, without a reset', { 'X-RateLimit-Remaining': '1' }, [0, 0]],
    ['a reset, without an amount', { 'X-RateLimit-Reset': '5' }, [0, 0]],
    ['one in flight, beside a reset', { ...inFlight, 'X-RateLimit-Reset': '30' }, [0, 10]],
    ['one in flight, beside an amount', { ...inFlight, ...left(50, 30) }, [0, 10]],
    ['both, of which RateLimit counts', { RateLimit: '"a";r=1;t=5', ...left(0, 9) }, [0, 5000]],
    ['both, but RateLimit names no time', { RateLimit: '"a";r=9', ...left(1, 7, 'RateLimit-') }, [0, 7000]],
  ])('hold back what they do not allow: %s', async (_what, headers, instants) => {
    const started = make({ maxWaitMs: Infinity }, { status: 200, headers, latencyMs: 0 })
    await play(started, '/said +0', post)
    await play(started, '*2 +200000')
    expect(started.server.at().slice(1)).toEqual(instants)
  })

  it('are read from a mock whose headers have only `get`', async () => {
    const headers = { get: (name: string) => (name.toLowerCase() === 'ratelimit' ? '"a";r=1;t=5' : null) }
    const fetch = (): Promise<Response> => Promise.resolve({ status: 200, headers } as unknown as Response)
    const started = make({ fetch }, SILENT)
    await play(started, '/said +0')
    expect(started.f.snapshot(A)!.quota).toMatchObject([{ name: 'a', available: 1 }])
  })
})

it('looks at a few of the requests in flight for each new one', () => {
  const started = compose([rateLimitFields()], {}, () => ({ status: 200 }))
  const iterator = Object.getPrototypeOf(new Set().values()) as Iterator<unknown>
  const next = vi.spyOn(iterator, 'next')
  callAll(started, paths(1000))
  expect(started.server.inFlight).toBe(1000)
  const { length } = next.mock.calls
  next.mockRestore()
  expect(length).toBeLessThan(10_000)
})

describe('concurrent-requests', () => {
  const at = (available: number, latencyMs = 0) =>
    said(`"c";r=${available}`, '"c";q=9;qu="concurrent-requests"', { latencyMs })

  it.each([
    ['the remaining amount and those already in flight', 1, 2, 3],
    ['one, if none is left', 0, 0, 1],
  ])('allows in flight: %s', async (_, left, inFlight, most) => {
    const told = await after(at(left), inFlight)
    void callAll(told, paths(5))
    expect(told.server.inFlight).toBe(most)
  })

  it('counts a request without a response for 10 s at most', async () => {
    const told = await after(at(0))
    await play(told, '*3 +9999')
    expect(told.server.inFlight).toBe(1)
    await told.clock.advanceAsync(1)
    expect(told.server.inFlight).toBe(2)
  })

  it.each<[string, Answer[], string, number]>([
    // One was in flight beside the one reported as left.
    ['lowered by the response to an older request', [at(1, 20), at(9, 30), at(2, 10)], '*3 +30 *5', 2],
    ['raised by the response to a newer request only', [at(0), at(3)], '/1 +0 /2 +0 *5', 3],
  ])('is %s', async (_, answers, steps, inFlight) => {
    const started = compose([rateLimitFields()], {}, (__, index) => answers[index] ?? SILENT)
    await play(started, steps)
    expect(started.server.inFlight).toBe(inFlight)
  })
})

it('counts a request that failed without a response', async () => {
  const answers = [said('"a";r=1;t=1', '"a";q=2;w=20'), { error: new TypeError('lost'), latencyMs: 0 }]
  const started = compose([rateLimitFields()], { maxRetries: 0, maxWaitMs: Infinity }, answers)
  await play(started, '/said +0 *3 +100000')
  expect(started.server.at()).toEqual([0, 0, 1000, 20_000])
})

describe('two responses', () => {
  it('the newer one counts if its request was sent after the other response', async () => {
    const { f } = await answered([said('"a";r=5;t=60', TEN), said('"a";r=6;t=60')])
    // The policy that the older one named stays.
    expect(f.snapshot(A)).toMatchObject({ policies: [{ quota: 10 }], quota: [{ available: 6 }] })
  })

  it.each([
    // More than one request explains: others use the limit, too.
    [8, 5],
    // It was in flight when 6 were left, and was counted.
    [7, 6],
    [6, 5],
    [5, 5],
    [4, 4],
  ])('the lesser counts with both in flight: %i of the older beside 6 makes %i', async (left, expected) => {
    const limit = (available: number, latencyMs: number) =>
      said(`"a";r=${available};t=60`, undefined, { latencyMs })
    const { f } = await answered([limit(left, 30), limit(6, 20)])
    expect(f.snapshot(A)!.quota).toMatchObject([{ available: expected }])
  })

  it('a request without a response counts for 10 s: by then the server has counted it', async () => {
    const started = compose([rateLimitFields()], {}, ({ url }) =>
      said('"a";r=9;t=1', undefined, { latencyMs: url.includes('hung') ? 60_000 : 10 }),
    )
    const sent: number[] = []
    for (const steps of [`/0 +2000${' /hung'.repeat(9)} +9000 /1 /2 +20`, '+2000 /3 +20', '*9 +0']) {
      await play(started, steps)
      sent.push(started.server.requests.length)
    }
    expect(sent).toEqual([12, 13, 22])
    await started.clock.advanceAsync(120_000)
  })
})

it('the greatest amount counts in whatever order the responses come', async () => {
  const answers = [9, 8, 7, 6].map((left, index) =>
    said(`"a";r=${left};t=1`, TEN, { latencyMs: 40 - 10 * index }),
  )
  const started = compose([rateLimitFields({ spread: false })], {}, answers)
  await play(started, '*4 +5000 *20 +0')
  expect(started.server.requests).toHaveLength(4 + 10)
  await started.clock.advanceAsync(5000)
})

describe('the known limits', () => {
  it('are in the snapshot, which is the same object until something changes', async () => {
    const policies = '"daily";q=1000;w=86400, "burst";q=20;w=1'
    const { f, clock, snapshot, schedule } = await after(
      said('"burst";r=15;t=1, "daily";r=900;t=36000', policies),
    )
    const first = snapshot()
    expect(first).toMatchObject({
      policies: [{ name: 'daily' }, { name: 'burst', quota: 20, windowMs: 1000 }],
      quota: [
        { name: 'burst', available: 15, until: 1000 },
        { name: 'daily', available: 900, until: 600_000 },
      ],
      pace: { from: 'fields', ratePerSecond: 20, burst: 20 },
    })
    await clock.advanceAsync(999)
    expect([snapshot().quota, snapshot().pace]).toEqual([first.quota, first.pace])
    f.configure({})
    expect(f.snapshot(A)).toBe(first)
    await play({ f, clock }, '+1 /1')
    expect(snapshot().quota).toMatchObject([{ name: 'daily', available: 899 }])
    // Another change in the bucket shows the end of a window.
    await clock.advanceAsync(599_000)
    f.pause(A)
    expect(snapshot().quota).toEqual([])
    f.resume(A)
    await schedule(0)
  })

  it('end at an instant of the clock, also after the machine has slept', async () => {
    const { f, clock } = compose([rateLimitFields()], {}, [said('"a";r=5;t=60'), said('"a";r=5;t=60')])
    for (const wallMs of [0, 3_600_000]) {
      clock.setWall(clock.wall() + wallMs)
      await play({ f, clock }, '*1 +10')
      expect(f.snapshot(A)!.quota).toMatchObject([{ until: clock.now() - 10 + 60_000 }])
    }
  })

  it('are 8 at most', async () => {
    const list = (prefix: string): string => Array.from('01234', (one) => `"${prefix}${one}";r=5;t=60`).join()
    const { f } = await answered([said(list('a')), said(list('b'))])
    const names = f.snapshot(A)!.quota!.map(({ name }) => name)
    expect(names).toEqual(['a2', 'a3', 'a4', 'b0', 'b1', 'b2', 'b3', 'b4'])
  })

  it('are cleared by a reset, after which responses to earlier requests have no effect', async () => {
    const one = '"a";r=1;t=60'
    const answers = [said(one, TEN), said(one, TEN, { latencyMs: 20 }), said('"a";r=7;t=60')]
    const { f, clock } = compose([rateLimitFields()], {}, answers)
    const quota = () => f.snapshot(A)!.quota
    await play({ f, clock }, '*2 +10')
    expect(quota()).toHaveLength(1)
    f.reset()
    expect(f.snapshot(A)).toMatchObject({ policies: [], quota: [] })
    await clock.advanceAsync(20)
    expect(quota()).toEqual([])
    await play({ f, clock }, '/3 +10')
    expect(quota()).toHaveLength(1)
  })

  it('keep their bucket while a call has to wait', async () => {
    const options = { maxBuckets: 1, maxWaitMs: Infinity }
    const { f, clock } = compose([rateLimitFields()], options, [said('"a";r=1;t=300')])
    const isKept: boolean[] = []
    for (const url of [A, A, 'https://b.test/', 'https://c.test/', 'https://d.test/']) {
      await play({ f, clock }, `${url} +80000`)
      isKept.push(f.snapshot(A) !== undefined)
    }
    expect(isKept).toEqual([true, true, true, true, false])
  })
})

describe('after a rest', () => {
  /** A server that refuses the first request and allows `quota` in any `windowMs`; `/free` has no limit. */
  function startRested(quota: number, windowMs: number, latencyMs = 0) {
    const limit = slidingLog(quota, windowMs)
    return compose([rateLimitFields()], { maxWaitMs: Infinity }, ({ at, url }, index) => {
      if (url.endsWith('/free')) return { status: 200, latencyMs: 0 }
      const isServed = index > 0 && limit.waitMs(at) === 0
      if (isServed) limit.take(at)
      const headers = draftFields('a')(isServed ? limit : { ...limit, remaining: () => 0 }, at)
      return { status: isServed ? 200 : 429, headers, latencyMs }
    })
  }

  it('a response without the limit takes nothing of it', async () => {
    const started = startRested(3, 3000)
    await play(started, 'POST/0 +3000 /free /free /free *3 +60000')
    expect(started.server.at().slice(1)).toEqual(Array(6).fill(3000))
  })

  it('after a burst, sends as much as the policy allows, less two', async () => {
    const started = startRested(20, 1000, 10)
    await play(started, '*30 +60000 *30')
    expect(started.server.at().filter((at) => at === 60_000)).toHaveLength(18)
    await started.clock.advanceAsync(60_000)
  })

  it("sends the server's greatest amount less two", async () => {
    const told = await after(said('"a";r=9;t=1', '"a";q=20;w=1'))
    await told.clock.advanceAsync(60_000)
    expect((await told.schedule(9)).filter((at) => at === 60_000)).toHaveLength(8)
    // The request with that response counts, too, until its window ends.
    const soon = await after(said('"a";r=9;t=1', '"a";q=20;w=10'))
    await soon.clock.advanceAsync(1000)
    expect((await soon.schedule(8)).slice(6)).toEqual([1000, 10_000])
  })
})

it('a fixed pace waits for the instant that the server names, and spreads nothing after it', async () => {
  const answers = [said('"a";r=0;t=5', TEN), ...Array<Answer>(4).fill(said('"a";r=9;t=1', TEN))]
  const { sent } = await run({ calls: '/said 1:/1 /2 /3 /4', answers, options: { pace: 'fixed' } })
  expect(sent).toBe('0 5000 5000 5000 5000')
})

it.each([
  ['fixed', '0 1'],
  ['learn', '0 1000'],
] as const)('with a %s pace the last call of a window is sent at %s', async (pace, at) => {
  const answers = [said('"a";r=1;t=10', '"a";q=10;w=10')]
  expect((await run({ calls: '/said 1:/last', answers, options: { pace } })).sent).toBe(at)
})
