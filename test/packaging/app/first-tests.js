// A project's first tests under any test runner: with its fake timers, a mock of the global fetch, and a
// page.
import assert from 'node:assert'
import { useDebouncedCallback, useRateLimitedFetch } from 'lull'
import { debounce, RateLimitError } from 'lull/core'
import { createRateLimitedFetch, isRateLimitError } from 'lull/fetch'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'

const url = 'https://api.example/things'
const refused = {
  status: 429,
  ok: false,
  headers: { get: (name) => (name.toLowerCase() === 'retry-after' ? '2' : null) },
}
const served = { status: 200, ok: true, headers: { get: () => null } }

/**
 * Calls `run` while a mock replaces the global fetch; it resolves with `responses` in turn. Request, Response
 * and Headers are removed.
 */
async function withMockedFetch(mock, responses, run) {
  const names = ['fetch', 'Request', 'Response', 'Headers']
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
  for (const name of names) delete globalThis[name]
  const calls = []
  globalThis.fetch = mock(async (...args) => {
    calls.push(args)
    return responses[calls.length - 1]
  })
  // Errors that do not fail the call are reported.
  const { error } = console
  const reported = []
  console.error = (...args) => reported.push(args)
  try {
    await run(calls)
    assert.deepStrictEqual(reported, [])
  } finally {
    console.error = error
    for (const [name, descriptor] of before) {
      delete globalThis[name]
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    }
  }
}

/** Renders in the page, calls `run` with the root, and unmounts. */
async function withPage(element, run) {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () => root.render(element))
  await run()
  await act(async () => root.unmount())
}

/** @param timers `fake`, `advance` by ms, `real`. */
export function firstTests({ test, mock, timers: { fake, advance, real } }) {
  const inFakeTime = (name, run) =>
    test(name, async () => {
      fake()
      try {
        await run()
      } finally {
        real()
      }
    })

  inFakeTime('a debounced function runs once, after the last call', async () => {
    const runs = []
    const soon = debounce((word) => runs.push(word), 300)
    for (const word of ['one', 'two', 'three']) soon(word)
    await advance(299)
    assert.deepStrictEqual(runs, [])
    await advance(1)
    assert.deepStrictEqual(runs, ['three'])
  })

  inFakeTime('a debounced function of a hook runs once, and not after its component is gone', async () => {
    const saved = []
    let save
    function Note() {
      save = useDebouncedCallback((text) => saved.push(text), 300)
      return null
    }
    await withPage(createElement(Note), async () => {
      for (const text of ['a', 'ab']) save(text)
      await advance(300)
      assert.deepStrictEqual(saved, ['ab'])
      save('abc')
    })
    await advance(1000)
    assert.deepStrictEqual(saved, ['ab'])
  })

  inFakeTime('a refused call is sent again when the server says', () =>
    withMockedFetch(mock, [refused, served], async (calls) => {
      const response = createRateLimitedFetch()(url)
      await advance(1999)
      assert.strictEqual(calls.length, 1)
      await advance(3000)
      assert.strictEqual(await response, served)
      assert.deepStrictEqual(
        calls.map(([sent]) => sent),
        [url, url],
      )
    }),
  )

  test('a call out of retries rejects with the error of this library', () =>
    withMockedFetch(mock, [refused], async () => {
      const fetch = createRateLimitedFetch({ maxRetries: 0, throwOnThrottle: true })
      const error = await fetch(url).catch((reason) => reason)
      assert.ok(isRateLimitError(error))
      assert.ok(error instanceof RateLimitError)
    }))

  for (const options of [undefined, { ratePerSecond: 5 }]) {
    test(`a component fetches, ${options ? 'with options' : 'as the page does by default'}`, () =>
      withMockedFetch(mock, [served, served], async (calls) => {
        let fetch
        function Asker() {
          fetch = useRateLimitedFetch(options)
          return null
        }
        await withPage(createElement(Asker), async () => {
          assert.strictEqual(await fetch(url), served)
          assert.strictEqual(await fetch(new URL(url), { method: 'POST', body: 'text' }), served)
        })
        assert.deepStrictEqual(
          calls.map(([sent]) => sent),
          [url, url],
        )
      }))
  }
}
