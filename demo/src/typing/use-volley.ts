import { useEffect, useState } from 'react'
import { useRateLimitedFetch } from 'lull'

export const VOLLEY = 60

const NAME = 'call '

/** Whether a request to `url` is one of a volley. */
export const isVolley = (url: string): boolean =>
  new URL(url, location.href).searchParams.get('q')?.startsWith(NAME) ?? false

/** Sends many calls at once, behind what is typed; the rate-limited fetch decides when each is sent. */
export function useVolley(client: string) {
  const fetch = useRateLimitedFetch()
  const [life, setLife] = useState<AbortController>()
  useEffect(() => () => life?.abort(), [life])

  async function call(index: number, signal: AbortSignal): Promise<void> {
    const parameters = new URLSearchParams({ q: `${NAME}${index + 1}`, client })
    const response = await fetch(`/api/search?${parameters.toString()}`, { signal, priority: 'low' })
    await response.arrayBuffer()
  }

  async function send(): Promise<void> {
    const mine = new AbortController()
    setLife(mine)
    await Promise.allSettled(Array.from({ length: VOLLEY }, (_, index) => call(index, mine.signal)))
    setLife((current) => (current === mine ? undefined : current))
  }

  return { isSending: life !== undefined, send: () => void send(), stop: () => life?.abort() }
}
