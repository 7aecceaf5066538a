import '../dom.js'
const FakeTimers = (await import('@sinonjs/fake-timers')).default
const { createElement, useState } = await import('react')
const { createRoot } = await import('react-dom/client')
const { flushSync } = await import('react-dom')
const lull = await import('../../dist/react/index.js')
const mantine = await import('@mantine/hooks')
const pacer = await import('@tanstack/react-pacer')
const useDebounce = await import('use-debounce')
const byHand = await import('../by-hand/hooks.js')
const { each, timed } = await import('../measure.js')

const COMPONENTS = 2000
const CALLS = 50_000
const WAIT_MS = 300
const KEYS = 20
const KEY_MS = 50

const values = {
  'by hand': byHand.useDebounce,
  lull: lull.useDebounce,
  'use-debounce': (value, wait) => useDebounce.useDebounce(value, wait)[0],
  '@mantine/hooks': (value, wait) => mantine.useDebouncedValue(value, wait)[0],
  'TanStack Pacer': (value, wait) => pacer.useDebouncedValue(value, { wait })[0],
}

const callbacks = {
  'by hand': byHand.useDebouncedCallback,
  lull: lull.useDebouncedCallback,
  'use-debounce': useDebounce.useDebouncedCallback,
  '@mantine/hooks': mantine.useDebouncedCallback,
  'TanStack Pacer': (fn, wait) => pacer.useDebouncedCallback(fn, { wait }),
}

const valueComponent = (useValue) =>
  function Value({ text }) {
    return createElement('p', null, useValue(text, WAIT_MS))
  }

const callbackComponent = (useCallback) =>
  function Callback({ text, fn }) {
    return createElement('p', { onClick: useCallback(fn, WAIT_MS) }, text)
  }

const elements = (Component) => {
  const fn = () => undefined
  return Array.from({ length: COMPONENTS }, (_, key) => createElement(Component, { key, text: 'text', fn }))
}

/** Returns the ns per component to mount it, or (`isAgain`) to render it again when its parent renders with no change. */
const rendering = (Component, isAgain) => () => {
  globalThis.gc()
  const container = document.createElement('div')
  const root = createRoot(container)
  const render = () => {
    const list = elements(Component)
    return timed(COMPONENTS, () => flushSync(() => root.render(list)))
  }
  const first = render()
  const ns = isAgain ? render() : first
  if (container.textContent !== 'text'.repeat(COMPONENTS)) throw new Error('Not all are mounted')
  flushSync(() => root.unmount())
  return ns
}

/** Counts the renders while someone types, on a fake clock. */
const renders = (useValue) => async () => {
  const clock = FakeTimers.install({
    now: 1e12,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
  })
  let count = 0
  let type
  function Field() {
    const [text, setText] = useState('')
    type = setText
    count++
    return createElement('p', null, useValue(text, WAIT_MS))
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  // React renders a state that a timer has set in a separate task.
  const rendered = () =>
    new Promise((resolve) => globalThis.setImmediate(() => globalThis.setImmediate(resolve)))
  try {
    flushSync(() => root.render(createElement(Field)))
    await rendered()
    count = 0
    for (let key = 1; key <= KEYS; key++) {
      flushSync(() => type('x'.repeat(key)))
      clock.tick(KEY_MS)
      await rendered()
    }
    if (container.textContent !== '') throw new Error(`It shows ${container.textContent} too early`)
    clock.tick(2 * WAIT_MS)
    await rendered()
    if (container.textContent !== 'x'.repeat(KEYS))
      throw new Error(`It shows ${container.textContent} in the end`)
    return count
  } finally {
    flushSync(() => root.unmount())
    clock.uninstall()
  }
}

/** Returns the ns per call of the function that a hook returns, in quick succession, while the component is mounted. */
const burst = (useCallback) => () => {
  let runs = 0
  let held
  function Caller() {
    held = useCallback(() => runs++, 100_000)
    return null
  }
  const root = createRoot(document.createElement('div'))
  flushSync(() => root.render(createElement(Caller)))
  const ns = timed(CALLS, (count) => {
    for (let i = 0; i < count; i++) held(i, 'argument')
  })
  flushSync(() => root.unmount())
  if (runs > 0) throw new Error(`It ran ${runs} times`)
  return ns
}

// Many rounds, because garbage is collected in only some of them.
const rounds = { rounds: 31, warmUp: 5 }

export default () => [
  {
    title: 'Mounting a component with a debounced value',
    about:
      'One of 2,000 components, each a single element with a text, so that the hook is most of the work.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.2 },
    ...rounds,
    candidates: each(values, (hook) => rendering(valueComponent(hook), false)),
  },
  {
    title: 'Mounting a component with a debounced callback',
    about: 'The same with `useDebouncedCallback`.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.2 },
    ...rounds,
    candidates: each(callbacks, (hook) => rendering(callbackComponent(hook), false)),
  },
  {
    title: 'Rendering it again, with a debounced value',
    about: 'The parent renders, and nothing has changed.',
    unit: 'ns',
    ...rounds,
    candidates: each(values, (hook) => rendering(valueComponent(hook), true)),
  },
  {
    title: 'Rendering it again, with a debounced callback',
    about: 'The same with `useDebouncedCallback`.',
    unit: 'ns',
    ...rounds,
    candidates: each(callbacks, (hook) => rendering(callbackComponent(hook), true)),
  },
  {
    title: 'Renders while someone types 20 letters',
    about:
      'Renders of the component that holds the text and its debounced value: one for each letter, and one for the value.',
    unit: 'renders',
    rounds: 3,
    warmUp: 0,
    candidates: each(values, renders),
  },
  {
    title: 'A debounced callback, in a burst',
    about: 'A call of the function that the hook returns, one of 50,000 at once.',
    unit: 'ns',
    rounds: 9,
    warmUp: 3,
    candidates: each({ ...callbacks, 'by hand': byHand.useLazyDebouncedCallback }, burst),
  },
]
