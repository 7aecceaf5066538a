import { describe, expect, it } from 'vitest'
import { breakersByKey } from '../../docs/recipes/breaker-fetch.ts'
import { createSearch } from '../../docs/recipes/search-box.ts'
import { asServerSays } from '../../docs/recipes/should-retry-header.ts'
import { networkError, tooMany, type Answer } from './fake-server.ts'
import { A, B, callAll, paths, start, statusesOf, watch, type Started } from './start.ts'

describe('R88 the recipe of a header that says whether to send again', () => {
  it.each<[string | undefined, string, number, number]>([
    ['x-should-retry', 'true', 409, 3],
    ['x-should-retry', 'false', 500, 1],
    ['stripe-should-retry', 'true', 409, 3],
    ['stripe-should-retry', 'false', 503, 1],
    ['x-should-retry', 'perhaps', 500, 3],
    ['x-should-retry', 'perhaps', 409, 1],
    [undefined, '', 500, 3],
    [undefined, '', 409, 1],
  ])('R88 %s: %s, with a %i, is so many requests', async (name, value, status, requests) => {
    const headers = name ? { [name]: value } : {}
    const started = start({ shouldRetry: asServerSays }, () => ({ status, headers }))
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(1000)
    expect(call!.response?.status).toBe(status)
    expect(started.server.calls).toBe(requests)
  })

  it('R88 an error of the network is sent again as without it', async () => {
    const started = start({ shouldRetry: asServerSays }, [networkError()])
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(1000)
    expect(call!.response?.status).toBe(200)
  })
})

describe('R120 to R122 the recipe of a breaker', () => {
  /** Opens when two of two or more have failed, for a second. */
  function startBreaking(answers: Parameters<typeof start>[1]): Started {
    const started = start({ maxRetries: 0 }, answers)
    const breaker = breakersByKey({ failureRatio: 1, minimumCalls: 2, openMs: 1000, clock: started.clock })
    started.f.configure({ breaker })
    return started
  }

  /** Makes a call, and answers what it is told within 10 ms. */
  async function ask({ f, clock }: Started, url = A): Promise<unknown> {
    const call = watch(f(url), clock)
    await clock.advanceAsync(10)
    return call.response?.status ?? call.error
  }

  it('R120 refuses what fails anyway, and says when to try again', async () => {
    const started = startBreaking(() => 500)
    expect(await ask(started)).toBe(500)
    expect(await ask(started)).toBe(500)
    await started.clock.advanceAsync(190)
    const refusal = { name: 'RateLimitError', code: 'circuit-open', retryAfterMs: 810 }
    expect(await ask(started)).toMatchObject(refusal)
    expect(started.server.calls).toBe(2)
  })

  it('R122 lets a probe go when its time is over, and all when that succeeds', async () => {
    let isDown = true
    const started = startBreaking(() => (isDown ? 500 : 200))
    await ask(started)
    await ask(started)
    await started.clock.advanceAsync(1000)
    // The first probe fails, and for another second there is none.
    const probes = callAll(started, paths(3))
    await started.clock.advanceAsync(10)
    expect(statusesOf(probes)).toEqual([500, undefined, undefined])
    isDown = false
    expect(await ask(started)).toMatchObject({ code: 'circuit-open' })
    await started.clock.advanceAsync(1000)
    expect(await ask(started)).toBe(200)
    const all = callAll(started, paths(3))
    await started.clock.advanceAsync(10)
    expect(statusesOf(all)).toEqual([200, 200, 200])
  })

  it('R121 throttles and aborts do not open it, errors of the network do', async () => {
    const answers: Answer[] = [tooMany(1), tooMany(1), 404, 404]
    const started = startBreaking(answers)
    for (const status of [429, 429, 404, 404]) {
      expect(await ask(started)).toBe(status)
      await started.clock.advanceAsync(1000)
    }
    const controller = new AbortController()
    const aborted = ['/', '/', '/'].map((path) =>
      watch(started.f(A + path, { signal: controller.signal }), started.clock),
    )
    controller.abort()
    await started.clock.advanceAsync(10)
    expect(aborted.map(({ error }) => error)).toEqual(Array(3).fill(controller.signal.reason))
    expect(await ask(started)).toBe(200)

    const failing = startBreaking(() => networkError())
    for (let times = 0; times < 2; times++) expect(await ask(failing)).toBeInstanceOf(TypeError)
    expect(await ask(failing)).toMatchObject({ code: 'circuit-open' })
  })

  it('R120 has one for each origin', async () => {
    const started = startBreaking(({ url }) => (url.startsWith(A) ? 500 : 200))
    await ask(started)
    await ask(started)
    expect(await ask(started)).toMatchObject({ code: 'circuit-open' })
    expect(await ask(started, B)).toBe(200)
  })

  it('R122 the probe of the gate and that of the breaker are the same request', async () => {
    const started = startBreaking(({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === '/throttled') return { ...tooMany(2), latencyMs: 20 }
      return pathname === '/fails' ? 500 : 200
    })
    const { f, server, clock, events } = started
    callAll(started, ['/throttled', '/fails', '/fails'])
    await clock.advanceAsync(20)
    // Both are closed: the breaker until 1010, the gate until 2020.
    expect(f.snapshot(A)!.gate).toMatchObject({ open: false, until: 2020 })
    expect(await ask(started)).toMatchObject({ code: 'circuit-open' })
    await clock.advanceAsync(1470)
    const probe = watch(f(`${A}/probe`), clock)
    const others = callAll(started, paths(3))
    await clock.advanceAsync(0)
    for (const { error } of others) expect(error).toMatchObject({ code: 'circuit-open' })
    await clock.advanceAsync(530)
    expect(probe).toMatchObject({ state: 'resolved', at: 2030 })
    expect(server.paths().at(-1)).toBe('/probe')
    expect(events.filter(({ type }) => type === 'gate-probe')).toMatchObject([{ call: 5, at: 2020 }])
    // And both are open now.
    expect(await ask(started)).toBe(200)
  })

  it('R122 a probe that is throttled stays the probe, in its place at the gate', async () => {
    let isDown = true
    const started = startBreaking((_, index) => (isDown ? 500 : index === 2 ? tooMany(1) : 200))
    const { f, server, clock } = started
    await ask(started)
    await ask(started)
    isDown = false
    f.configure({ maxRetries: 1 })
    await clock.advanceAsync(1000)
    const probe = watch(f(A), clock)
    await clock.advanceAsync(10)
    const refused = watch(f(A), clock)
    await clock.advanceAsync(1010)
    expect(probe.response?.status).toBe(200)
    expect(refused.error).toMatchObject({ code: 'circuit-open' })
    expect(server.calls).toBe(4)
  })
})

describe('the recipe of a search box', () => {
  function startSearch() {
    const started = start({ concurrency: 1 }, ({ url }) => ({
      status: 200,
      body: JSON.stringify([new URL(url).searchParams.get('q')]),
    }))
    return { ...started, search: createSearch<string[]>(started.f, `${A}/search`) }
  }

  it('finds for the last text, and says undefined of those before it', async () => {
    const { search, server, clock } = startSearch()
    const found = ['l', 'lo', 'lon'].map((text) => search(text))
    await clock.advanceAsync(30)
    expect(await Promise.all(found)).toEqual([undefined, undefined, ['lon']])
    // What is no longer wanted is not even sent.
    expect(server.requests.map(({ url }) => url)).toEqual([`${A}/search?q=l`, `${A}/search?q=lon`])
  })

  it('asks once for the same text', async () => {
    const { search, server, clock } = startSearch()
    const found = [search('lon'), search('lon')]
    await clock.advanceAsync(10)
    expect(await Promise.all(found)).toEqual([['lon'], ['lon']])
    expect(server.calls).toBe(1)
  })

  it('rejects when the search fails, or is aborted by its own signal', async () => {
    const { search, clock } = startSearch()
    const reason = new Error('mine')
    const controller = new AbortController()
    const one = search('lon', controller.signal)
    controller.abort(reason)
    await expect(one).rejects.toBe(reason)
    const started = start({ maxRetries: 0 }, [404])
    const failing = createSearch(started.f, A)('x')
    failing.catch(() => undefined)
    await started.clock.advanceAsync(10)
    await expect(failing).rejects.toThrow('404')
    await clock.advanceAsync(10)
  })
})
