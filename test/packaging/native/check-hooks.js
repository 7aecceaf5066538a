import assert from 'node:assert'
import { createNative } from './native-globals.js'

const { load, run } = createNative()
load('hooks')

const said = await run(`(async () => {
  const { create, createElement, hooks, useEffect } = react
  const saved = []
  let save
  let ask
  let heard
  const once = () => new Promise((resolve) => (heard = resolve))
  function Note({ text }) {
    const rested = hooks.useDebounce(text, 20)
    save = hooks.useDebouncedCallback((typed) => heard(saved.push(typed)), 20, { onUnmount: 'flush' })
    hooks.useBatch(() => undefined, { wait: 20 })
    hooks.useThrottledCallback(() => undefined, 20)
    hooks.useRateLimitedFetch()
    ask = hooks.useRateLimitedFetch({ maxRetries: 0 })
    useEffect(() => heard(rested), [rested])
    return createElement('Text', null, rested)
  }

  let next = once()
  const root = create(createElement(Note, { text: 'first' }))
  const shown = [await next]
  next = once()
  root.update(createElement(Note, { text: 'last' }))
  shown.push(await next)
  next = once()
  save('a')
  save('b')
  await next
  next = once()
  save('left')
  globalThis.fetch = () => new Promise(() => undefined)
  const url = 'https://api.example/'
  const nameOf = (promise) => promise.catch((error) => error?.name)
  const controller = new AbortController()
  const asked = [ask(url, { signal: controller.signal }), ask(url), ask(url, { signal: new AbortController().signal })].map(nameOf)
  controller.abort()
  root.unmount()
  await next
  return { shown: shown.join(), saved: saved.join(), asked: (await Promise.all(asked)).join() }
})()`)

assert.deepEqual(
  { ...said },
  { shown: 'first,last', saved: 'b,left', asked: 'AbortError,AbortError,AbortError' },
)
