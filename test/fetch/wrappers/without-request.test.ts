import { dedupeFetch, supersedeFetch } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { A } from '../fixtures/start.ts'

beforeEach(() => void vi.stubGlobal('Request', undefined))
afterEach(() => void vi.unstubAllGlobals())

describe.each([
  ['dedupeFetch', (fetch: typeof globalThis.fetch) => dedupeFetch(fetch)],
  ['supersedeFetch', (fetch: typeof globalThis.fetch) => supersedeFetch(fetch, { key: () => 'same' })],
])('%s where the platform has no Request', (_, wrap) => {
  it('passes calls on as they are', async () => {
    const sent = vi.fn<typeof fetch>(() => Promise.resolve(new Response()))
    const f = wrap(sent)
    const init = { headers: { a: '1' } }
    await Promise.all([f(A), f(A, init), f(new URL(A)), f(A, { method: 'POST', body: 'x' })])
    expect(sent.mock.calls).toEqual([
      [A, undefined],
      [A, init],
      [new URL(A), undefined],
      [A, { method: 'POST', body: 'x' }],
    ])
    expect(sent.mock.calls[1]![1]).toBe(init)
  })
})
