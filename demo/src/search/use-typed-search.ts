import { useRef } from 'react'
import {
  composing,
  useDebouncedCallback,
  useIsPending,
  useRateLimitedFetch,
  useThrottledCallback,
} from 'lull'
import type { ClientSettings, Driver } from '../settings/schema.ts'

interface Effects {
  /** Searches with `fetch` and shows the results, unless `signal` has aborted. */
  show: (text: string, fetch: typeof globalThis.fetch, signal: AbortSignal) => void
  record: (run: Driver) => void
}

/**
 * Each change of the text triggers three kinds of runs: every keystroke, debounced, throttled. Runs of the
 * chosen driver send a request, and abort the previous one.
 */
export function useTypedSearch(settings: ClientSettings, { show, record }: Effects) {
  const { driver, wait, leading, trailing, maxWait } = settings
  const fetch = useRateLimitedFetch()
  const last = useRef<AbortController>(undefined)

  function send(text: string) {
    last.current?.abort()
    last.current = new AbortController()
    show(text, fetch, last.current.signal)
  }

  function run(kind: Driver, text: string) {
    record(kind)
    if (kind === driver) send(text)
  }

  const holdWhile = composing
  const debounced = useDebouncedCallback(run, wait, { leading, trailing, maxWait, holdWhile })
  const throttled = useThrottledCallback(run, wait, { holdWhile })
  const isHeld = useIsPending(driver === 'throttled' ? throttled : debounced)

  function type(text: string) {
    run('keystroke', text)
    debounced('debounced', text)
    throttled('throttled', text)
  }

  return { type, send, isHeld: isHeld && driver !== 'keystroke' }
}
