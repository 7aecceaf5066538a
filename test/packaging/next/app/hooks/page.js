'use client'

// A page that calls every hook. Next renders it when the site is built.
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

export default function Page() {
  const target = useRef(null)
  const [text, setText] = useState('')
  const [until, setUntil] = useState()
  const [notes, setNotes] = useState([])
  const note = (what) => setNotes((all) => [...all, String(what)].sort())

  const clock = useClock()
  const fetch = useRateLimitedFetch({ ratePerSecond: 5 })
  const [late, setLate] = useDebouncedState('', 300)
  const { run, status } = useDebouncedAsync(async () => 'result', 300)
  const debounced = useDebouncedCallback(note, 300)
  const throttled = useThrottledCallback(note, 300)
  const { add } = useBatch(note, { wait: 100 })
  useThrottledEvent(target, 'ping', () => note('event'), 100)
  useThrottledResize(target, ({ contentRect }) => contentRect.width === 123 && note('resize'))
  const shown = [
    ...[useDebounce(text, 300), useThrottle(text, 300), late, status, useIsPending(debounced)],
    ...[useCountdown(until), useRateMeter(meter, { intervalMs: 100 }) > 0],
    ...[useLimiter(limiter, ({ denied }) => denied), useRateLimitStatus(fetch).inFlight],
    ...notes,
  ]

  async function act() {
    setText('value')
    setLate('state')
    setUntil(clock.now() + 2000)
    clock.after(100, () => note('timer'))
    void run()
    debounced('debounced')
    for (const word of ['one', 'two', 'three']) throttled(word)
    for (const item of ['a', 'b']) void add(item)
    for (let times = 0; times < 2; times++) limiter.allow()
    meter.add(10)
    target.current.dispatchEvent(new Event('ping'))
    target.current.style.width = '123px'
    note((await fetch('/api/limit', { headers: { 'x-user': 'hooks' } })).status)
  }
  return createElement(
    Fragment,
    null,
    createElement('button', { onClick: () => void act() }, 'Go'),
    createElement('output', { id: 'shown' }, shown.join()),
    createElement('div', { ref: target }),
  )
}
