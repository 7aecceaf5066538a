// What a hook costs where many components are mounted, as a multiple of the shortest thing that one would write by hand.
// Production React in jsdom: a component is one element with a text, and so the least that a hook can hide behind.
process.env.NODE_ENV = 'production'
const { JSDOM } = await import('jsdom')
const { window } = new JSDOM('<!doctype html>')
Object.assign(globalThis, { window, document: window.document, addEventListener: window.addEventListener })
const { createElement, useEffect, useRef, useState } = await import('react')
const { createRoot } = await import('react-dom/client')
const { flushSync } = await import('react-dom')
const { useDebounce, useDebouncedCallback } = await import('../dist/react/index.js')
const { compare, timed } = await import('./measure.js')

const COMPONENTS = 5000

function PlainValue({ value }) {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    if (value === shown) return
    const timer = setTimeout(() => setShown(value), 300)
    return () => clearTimeout(timer)
  }, [value, shown])
  return createElement('p', null, shown)
}

function DebouncedValue({ value }) {
  return createElement('p', null, useDebounce(value, 300))
}

function PlainCallback({ value, fn }) {
  const timer = useRef()
  useEffect(() => () => clearTimeout(timer.current), [])
  const debounced = (...args) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(fn, 300, ...args)
  }
  return createElement('p', { onClick: debounced }, value)
}

function DebouncedCallback({ value, fn }) {
  return createElement('p', { onClick: useDebouncedCallback(fn, 300) }, value)
}

function mount(Component) {
  const fn = () => undefined
  return () => {
    const container = document.createElement('div')
    const root = createRoot(container)
    const elements = Array.from({ length: COMPONENTS }, (_, key) =>
      createElement(Component, { key, value: 'text', fn }),
    )
    // What the round before left behind is not this one's to collect.
    globalThis.gc?.()
    const ns = timed(COMPONENTS, () => flushSync(() => root.render(elements)))
    if (container.textContent !== 'text'.repeat(COMPONENTS)) throw new Error('not mounted')
    flushSync(() => root.unmount())
    return ns
  }
}

compare(
  `mounting ${COMPONENTS} components with a debounced value, ns each`,
  {
    'useState + useEffect': mount(PlainValue),
    useDebounce: mount(DebouncedValue),
  },
  { rounds: 15, warmUp: 3 },
)
compare(
  `mounting ${COMPONENTS} components with a debounced callback, ns each`,
  {
    'useRef + useEffect': mount(PlainCallback),
    useDebouncedCallback: mount(DebouncedCallback),
  },
  { rounds: 15, warmUp: 3 },
)
