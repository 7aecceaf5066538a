import { dedupeFetch, supersedeFetch, type FetchFunction } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, endOf, start, watch } from '../fixtures/start.ts'

const put = { method: 'PUT', headers: { own: '1' }, body: 'text' }

class Given {
  get method(): string {
    return 'PUT'
  }
  get headers(): HeadersInit {
    return { own: '1' }
  }
  get body(): string {
    return 'text'
  }
}

function form(): FormData {
  const form = new FormData()
  form.set('field', 'value')
  return form
}

/** Each form has a boundary of its own. */
function partsOf({ method, url, headers }: Request, body: Uint8Array): string[] {
  const [boundary = '(none)'] = /(?<=boundary=).*/.exec(headers.get('content-type') ?? '') ?? []
  const parts = [method, url, ...[...headers].flat(), new TextDecoder().decode(body)]
  return parts.map((part) => part.replaceAll(boundary, 'boundary'))
}

describe.each<[string, (fetch: FetchFunction) => FetchFunction]>([
  ['by itself', (fetch) => fetch],
  ['under dedupeFetch', (fetch) => dedupeFetch(fetch)],
  ['under supersedeFetch', (fetch) => supersedeFetch(fetch)],
  ['under dedupeFetch without a key', (fetch) => dedupeFetch(fetch, { dedupeKey: () => null })],
  ['under supersedeFetch without a key', (fetch) => supersedeFetch(fetch, { key: () => null })],
])('%s, the request that is sent', (_, wrap) => {
  it.each<[string, () => Parameters<typeof fetch>]>([
    ['a Request as init', () => [A, new Request(`${A}/other`, put)]],
    ['getters of a class', () => [A, new Given()]],
    ['what init inherits', () => [A, Object.create(put) as RequestInit]],
    ...Object.entries(put).map(([name, value]): [string, () => Parameters<typeof fetch>] => [
      `the ${name} that init inherits`,
      () => {
        const init = Object.assign(Object.create({ [name]: value }) as typeof put, put)
        Reflect.deleteProperty(init, name)
        return [A, init]
      },
    ]),
    ['an iterator of headers', () => [A, { ...put, headers: new Map([['own', '1']]).entries() as never }]],
    ['a Request with a new body', () => [new Request(A, { ...put, body: 'old' }), { body: 'text' }]],
    ['a Request with a new form', () => [new Request(A, { method: 'POST' }), { body: form() }]],
    ['a stream', () => [A, { ...put, body: new Response('text').body!, duplex: 'half' } as RequestInit]],
  ])("matches the platform's reading of %s", async (_, make) => {
    const { f, server, clock } = start()
    const call = watch(wrap(f)(...make()), clock)
    await clock.advanceAsync(10)
    expect(endOf(call)).toBe('200@10')
    const given = new Request(...make())
    const { request, body } = server.requests[0]!
    expect(partsOf(request, await body)).toEqual(partsOf(given, new Uint8Array(await given.arrayBuffer())))
  })
})
