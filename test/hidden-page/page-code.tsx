import { pageHidden, useDebounce, useDebouncedCallback, useThrottle } from 'lull'
import { createWaitingLimiter, createQueue, debounce, throttle, throttleFrame, tokenBucket } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { useLayoutEffect, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

/** A run: its value, the time since the start of the scenario, and whether the page was hidden. */
export interface Note {
  what: string
  afterMs: number
  isHidden: boolean
}

const limiter = () => createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }))

const scenarios: Record<string, (note: (what: string) => void) => void> = {
  debounced(note) {
    const debounced = debounce((text: string) => {
      note(text)
      if (text === 'b') debounced('c')
    }, 300)
    debounced('a')
    debounced('b')
  },
  throttled(note) {
    const throttled = throttle(note, 300)
    for (const text of ['a', 'b', 'c']) throttled(text)
  },
  framed(note) {
    requestAnimationFrame(() => note('a frame'))
    const framed = throttleFrame((text: string) => {
      note(text)
      if (text === 'b') framed('c')
    })
    framed('a')
    framed('b')
  },
  waiting(note) {
    const limited = limiter()
    for (let n = 0; n < 4; n++) void limited.wait().then(() => note(`${n}`))
  },
  queued(note) {
    const queue = createQueue({ limiter: limiter() })
    for (let n = 0; n < 3; n++) void queue.add(() => note(`${n}`))
  },
  fetched(note) {
    const fetch = createRateLimitedFetch({
      ratePerSecond: 10,
      burst: 1,
      fetch(input) {
        note(new URL(new Request(input).url).pathname)
        return Promise.resolve(new Response())
      },
    })
    for (let n = 0; n < 3; n++) void fetch(`https://a.test/${n}`)
  },
  shown(note) {
    function Box({ value }: { value: string }): ReactNode {
      const rested = useDebounce(value, 300)
      const paced = useThrottle(value, 300)
      useLayoutEffect(() => note(`rested ${rested}`), [rested])
      useLayoutEffect(() => note(`paced ${paced}`), [paced])
      return null
    }
    const root = createRoot(document.createElement('div'))
    for (const value of ['a', 'b']) flushSync(() => root.render(<Box value={value} />))
  },
  /** The second call comes when the page becomes visible again. */
  back(note) {
    const debounced = debounce((text: string) => {
      if (text === 'b') note(text)
    }, 300)
    debounced('a')
    addEventListener('visibilitychange', () => debounced('b'), { once: true })
  },
  /** A wait of a minute: only hiding the page can cause the run. */
  saved(note) {
    function Box(): ReactNode {
      const save = useDebouncedCallback(note, 60_000, { flushOn: [pageHidden] })
      useLayoutEffect(() => save('draft'), [save])
      return null
    }
    flushSync(() => createRoot(document.createElement('div')).render(<Box />))
  },
}

/** Starts a scenario, and resolves to its first notes. */
function play(scenario: string, count: number): Promise<Note[]> {
  const startedAt = performance.now()
  const notes: Note[] = []
  return new Promise((resolve) => {
    scenarios[scenario]!((what) => {
      notes.push({ what, afterMs: performance.now() - startedAt, isHidden: document.hidden })
      if (notes.length === count) resolve(notes)
    })
  })
}

Object.assign(globalThis, { play })
