// CommonJS in a page: a hook, the fetch and its policies.
const assert = require('node:assert')
const { mock, test } = require('node:test')
const { JSDOM } = require('jsdom')

const { window } = new JSDOM('', { url: 'https://page.example/' })
for (const name of ['window', 'document', 'navigator'])
  Object.defineProperty(globalThis, name, { value: window[name] ?? window, configurable: true })
globalThis.IS_REACT_ACT_ENVIRONMENT = true

const { useDebouncedCallback } = require('lull')
const { createRateLimitedFetch } = require('lull/fetch')
const { shareBetweenTabs } = require('lull/tabs')
const { act, createElement } = require('react')
const { createRoot } = require('react-dom/client')

test('a hook runs once, after its last call', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const saved = []
  let save
  function Note() {
    save = useDebouncedCallback((text) => saved.push(text), 300)
    return null
  }
  const root = createRoot(window.document.body.appendChild(window.document.createElement('div')))
  await act(async () => root.render(createElement(Note)))
  for (const text of ['a', 'ab']) save(text)
  mock.timers.tick(300)
  assert.deepStrictEqual(saved, ['ab'])
  await act(async () => root.unmount())
  mock.timers.reset()
})

test('the fetch works with a policy of another entry', async () => {
  const fetch = createRateLimitedFetch({
    fetch: async () => ({ status: 200 }),
    policies: [shareBetweenTabs({ storage: null })],
  })
  assert.strictEqual((await fetch('https://api.example/')).status, 200)
  fetch.dispose()
})
