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

/** Records notes. `all` resolves when there are `count` notes. */
function createNotes(count: number) {
  const startedAt = performance.now()
  const notes: Note[] = []
  let end: (notes: Note[]) => void
  const all = new Promise<Note[]>((resolve) => (end = resolve))
  return {
    all,
    note: (what: string): void => {
      notes.push({ what, afterMs: performance.now() - startedAt, isHidden: document.hidden })
      if (notes.length === count) end(notes)
    },
  }
}

const limiter = () => createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }))

const scenarios = {
  debounced() {
    const { note, all } = createNotes(2)
    const debounced = debounce((text: string) => {
      note(text)
      if (text === 'b') debounced('c')
    }, 300)
    debounced('a')
    debounced('b')
    return all
  },
  throttled() {
    const { note, all } = createNotes(2)
    const throttled = throttle(note, 300)
    for (const text of ['a', 'b', 'c']) throttled(text)
    return all
  },
  async framed() {
    const { note, all } = createNotes(2)
    const request = requestAnimationFrame(() => note('a frame'))
    const framed = throttleFrame((text: string) => {
      note(text)
      if (text === 'b') framed('c')
    })
    framed('a')
    framed('b')
    const notes = await all
    cancelAnimationFrame(request)
    return notes
  },
  waiting() {
    const { note, all } = createNotes(4)
    const limited = limiter()
    for (let n = 0; n < 4; n++) void limited.wait().then(() => note(`${n}`))
    return all
  },
  queued() {
    const { note, all } = createNotes(3)
    const queue = createQueue({ limiter: limiter() })
    for (let n = 0; n < 3; n++) void queue.add(() => note(`${n}`))
    return all
  },
  async fetched() {
    const { note, all } = createNotes(3)
    const fetch = createRateLimitedFetch({
      ratePerSecond: 10,
      burst: 1,
      fetch(input) {
        note(new URL(new Request(input).url).pathname)
        return Promise.resolve(new Response())
      },
    })
    await Promise.all([0, 1, 2].map((n) => fetch(`https://a.test/${n}`)))
    return all
  },
  async shown() {
    const { note, all } = createNotes(4)
    function Box({ value }: { value: string }): ReactNode {
      const rested = useDebounce(value, 300)
      const paced = useThrottle(value, 300)
      useLayoutEffect(() => note(`rested ${rested}`), [rested])
      useLayoutEffect(() => note(`paced ${paced}`), [paced])
      return null
    }
    const root = createRoot(document.createElement('div'))
    for (const value of ['a', 'b']) flushSync(() => root.render(<Box value={value} />))
    const notes = await all
    root.unmount()
    return notes
  },
  /** The second call comes when the page becomes visible again. */
  back() {
    const { note, all } = createNotes(1)
    const debounced = debounce((text: string) => {
      if (text === 'b') note(text)
    }, 300)
    debounced('a')
    addEventListener('visibilitychange', () => debounced('b'), { once: true })
    return all
  },
  /** A wait of a minute: only hiding the page can cause the run. */
  saved() {
    const { note, all } = createNotes(1)
    function Box(): ReactNode {
      const save = useDebouncedCallback(note, 60_000, { flushOn: [pageHidden] })
      useLayoutEffect(() => save('draft'), [save])
      return null
    }
    flushSync(() => createRoot(document.createElement('div')).render(<Box />))
    return all
  },
}

Object.assign(globalThis, { scenarios })
