import { useEffect, useState } from 'react'
import { useRateLimitedFetch } from 'lull'

export const VOLLEY = 60

/** Sends many calls at once, behind what is typed: how fast they go out is the paced fetch's affair. */
export function useVolley(client: string) {
  const fetch = useRateLimitedFetch()
  const [life, setLife] = useState<AbortController>()
  useEffect(() => () => life?.abort(), [life])

  async function call(index: number, signal: AbortSignal): Promise<void> {
    const parameters = new URLSearchParams({ q: `call ${index + 1}`, client })
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
