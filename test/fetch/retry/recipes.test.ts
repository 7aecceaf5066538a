import { describe, expect, it } from 'vitest'
import { createSearch } from '../../../docs/recipes/search-box.ts'
import { asServerSays } from '../../../docs/recipes/should-retry-header.ts'
import { A, start, run } from '../fixtures/start.ts'

describe('the recipe for a server header that decides on retries', () => {
  it.each<[string | undefined, string, number, number]>([
    ['x-should-retry', 'true', 409, 3],
    ['x-should-retry', 'false', 500, 1],
    ['stripe-should-retry', 'true', 409, 3],
    ['stripe-should-retry', 'false', 503, 1],
    ['x-should-retry', 'perhaps', 500, 3],
    ['x-should-retry', 'perhaps', 409, 1],
    [undefined, '', 500, 3],
    [undefined, '', 409, 1],
  ])('sends the expected number of requests for %s: %s with a %i', async (name, value, status, requests) => {
    const answers = () => ({ status, headers: name ? { [name]: value } : {} })
    const { server, ends } = await run({ calls: '/', answers, options: { shouldRetry: asServerSays } })
    expect([server.calls, ends]).toEqual([requests, `${status}@${10 * requests}`])
  })

  it('retries a network error as without it', async () => {
    const { ends } = await run({ calls: '/', answers: 'x', options: { shouldRetry: asServerSays } })
    expect(ends).toBe('200@20')
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

  it('returns results for the last text, and undefined for earlier ones', async () => {
    const { search, server, clock, f } = startSearch()
    void f(`${A}/before`)
    const found = ['l', 'lo', 'lon'].map((text) => search(text))
    await clock.advanceAsync(30)
    expect(await Promise.all(found)).toEqual([undefined, undefined, ['lon']])
    // An outdated search is not even sent.
    expect(server.requests.map(({ url }) => url)).toEqual([`${A}/before`, `${A}/search?q=lon`])
  })

  it('sends one request for the same text', async () => {
    const { search, server, clock } = startSearch()
    const found = [search('lon'), search('lon')]
    await clock.advanceAsync(10)
    expect(await Promise.all(found)).toEqual([['lon'], ['lon']])
    expect(server.calls).toBe(1)
  })

  it('rejects when the search fails, or is aborted by its own signal', async () => {
    const { search } = startSearch()
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
  })
})
