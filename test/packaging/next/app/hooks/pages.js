'use client'

import {
  useBatch,
  useClock,
  useCountdown,
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useLimiter,
  useRateLimitedFetch,
  useRateLimitStatus,
  useRateMeter,
  useThrottle,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import { createLimiter, createRateMeter, tokenBucket } from 'lull/core'
import { createElement, Fragment, useRef, useState } from 'react'

// Shared by all pages, as in most projects.
const limiter = createLimiter(tokenBucket({ ratePerSecond: 0, burst: 1 }))
const meter = createRateMeter()

/** Returns all values that `value` has had. */
function useSeen(value) {
  const [seen, setSeen] = useState([value])
  if (seen.at(-1) !== value) setSeen([...seen, value])
  return seen.join()
}

/** Each is a hook that returns the click handler, the content, and the element it needs, if any. */
const parts = {
  useBatch() {
    const [sent, setSent] = useState([])
    const { add } = useBatch((items) => setSent(items), { wait: 100 })
    return [() => ['a', 'b'].forEach((item) => add(item)), sent.join()]
  },
  useClock() {
    const clock = useClock()
    const [text, setText] = useState('')
    return [() => clock.after(100, () => setText('done')), text]
  },
  useCountdown() {
    const clock = useClock()
    const [until, setUntil] = useState()
    return [() => setUntil(clock.now() + 2000), useCountdown(until)]
  },
  useDebounce() {
    const [text, setText] = useState('')
    return [() => setText('done'), useDebounce(text, 300)]
  },
  useDebouncedAsync() {
    const { run, data, status } = useDebouncedAsync(async (signal, text) => text, 300)
    return [() => run('done'), [status, data].filter(Boolean).join(' ')]
  },
  useDebouncedCallback() {
    const [text, setText] = useState('')
    const setSoon = useDebouncedCallback(setText, 300)
    return [() => ['one', 'two', 'done'].forEach((word) => setSoon(word)), text]
  },
  useDebouncedState() {
    const [text, setText] = useDebouncedState('', 300)
    return [() => setText('done'), text]
  },
  useIsPending() {
    const soon = useDebouncedCallback(() => undefined, 300)
    return [soon, useSeen(useIsPending(soon))]
  },
  useLimiter() {
    const denied = useLimiter(limiter, (snapshot) => snapshot.denied)
    return [() => [limiter.allow(), limiter.allow()], `${denied} denied`]
  },
  useRateLimitedFetch() {
    const fetch = useRateLimitedFetch()
    const [status, setStatus] = useState('')
    const ask = async () => setStatus((await fetch('/api/limit', { headers: { 'x-user': 'fetch' } })).status)
    return [ask, status]
  },
  useRateLimitStatus() {
    const fetch = useRateLimitedFetch({ ratePerSecond: 5 })
    const { inFlight } = useRateLimitStatus(fetch)
    return [() => fetch('/api/limit', { headers: { 'x-user': 'status' } }), useSeen(inFlight)]
  },
  useRateMeter() {
    const rate = useRateMeter(meter, { intervalMs: 100 })
    return [() => meter.add(10), rate > 0 ? 'moving' : 'still']
  },
  useThrottle() {
    const [text, setText] = useState('')
    return [() => setText('done'), useThrottle(text, 300)]
  },
  useThrottledCallback() {
    const [words, setWords] = useState([])
    const add = useThrottledCallback((word) => setWords((all) => [...all, word]), 300)
    return [() => ['one', 'two', 'three'].forEach((word) => add(word)), words.join()]
  },
  useThrottledEvent() {
    const target = useRef(null)
    const [text, setText] = useState('')
    useThrottledEvent(target, 'ping', () => setText('done'), 100)
    return [() => target.current.dispatchEvent(new Event('ping')), text, target]
  },
  useThrottledResize() {
    const target = useRef(null)
    const [width, setWidth] = useState('')
    useThrottledResize(target, ({ contentRect }) => setWidth(contentRect.width === 123 ? 123 : ''))
    return [() => (target.current.style.width = '123px'), width, target]
  },
}

function Part({ usePart }) {
  const [act, text, ref] = usePart()
  return createElement(
    Fragment,
    null,
    createElement('button', { onClick: () => void act() }, 'Go'),
    createElement('output', { id: 'shown' }, text),
    ref && createElement('div', { ref }),
  )
}

export const HookPage = ({ hook }) => createElement(Part, { usePart: parts[hook] })
