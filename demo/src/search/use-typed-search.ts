import { useRef } from 'react'
import { useDebouncedCallback, useIsPending, useRateLimitedFetch, useThrottledCallback } from 'lull'
import type { ClientSettings, Driver } from '../settings/schema.ts'

interface Effects {
  /** Asks by `fetch` for cities and shows them, unless `signal` has aborted. */
  show: (text: string, fetch: typeof globalThis.fetch, signal: AbortSignal) => void
  note: (run: Driver) => void
}

/** What is typed makes runs in three rhythms. Those of the driver ask the server, each in place of the one before. */
export function useTypedSearch(settings: ClientSettings, { show, note }: Effects) {
  const { driver, wait, leading, trailing, maxWait } = settings
  const fetch = useRateLimitedFetch()
  const last = useRef<AbortController>(undefined)

  function ask(text: string) {
    last.current?.abort()
    last.current = new AbortController()
    show(text, fetch, last.current.signal)
  }

  function run(kind: Driver, text: string) {
    note(kind)
    if (kind === driver) ask(text)
  }

  const debounced = useDebouncedCallback(run, wait, { leading, trailing, maxWait })
  const throttled = useThrottledCallback(run, wait)
  const isHeld = useIsPending(driver === 'throttled' ? throttled : debounced)

  function type(text: string) {
    run('keystroke', text)
    debounced('debounced', text)
    throttled('throttled', text)
  }

  return { type, ask, isHeld: isHeld && driver !== 'keystroke' }
}
