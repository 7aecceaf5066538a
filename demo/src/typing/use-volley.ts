import { useEffect, useState } from 'react'
import { useRateLimitedFetch } from 'lull'

export const VOLLEY = 60

const NAME = 'call '

/** Whether a request to `url` is one of a volley. */
export const isVolley = (url: string): boolean =>
  new URL(url, location.href).searchParams.get('q')?.startsWith(NAME) ?? false

/** Starts many low-priority calls at once. The rate-limited fetch schedules them, typed searches first. */
export function useVolley(client: string) {
  const fetch = useRateLimitedFetch()
  const [controller, setController] = useState<AbortController>()
  useEffect(() => () => controller?.abort(), [controller])

  async function call(index: number, signal: AbortSignal): Promise<void> {
    const parameters = new URLSearchParams({ q: `${NAME}${index + 1}`, client })
    const response = await fetch(`/api/search?${parameters.toString()}`, { signal, priority: 'low' })
    await response.arrayBuffer()
  }

  async function send(): Promise<void> {
    const mine = new AbortController()
    setController(mine)
    await Promise.allSettled(Array.from({ length: VOLLEY }, (_, index) => call(index, mine.signal)))
    setController((current) => (current === mine ? undefined : current))
  }

  return { isSending: controller !== undefined, send: () => void send(), stop: () => controller?.abort() }
}
