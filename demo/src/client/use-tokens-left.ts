import { useEffect, useState } from 'react'
import { useRateLimitedFetch } from 'lull'
import type { ClientSettings } from '../settings/schema.ts'

const REFRESH_MS = 100

/**
 * The tokens left in the client-side limit, polled because they refill with time; Infinity without a limit.
 */
export function useTokensLeft({ ratePerSecond, burst }: ClientSettings): number {
  const fetch = useRateLimitedFetch()
  const [tokens, setTokens] = useState(burst)
  const isLimited = ratePerSecond < Infinity

  useEffect(() => {
    if (!isLimited) return
    const timer = setInterval(() => {
      // There is no bucket before the first request.
      const [bucket] = Object.values(fetch.snapshot().buckets)
      const level = bucket?.limits?.tokens ?? burst
      setTokens(Math.floor(level * 10) / 10)
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [fetch, isLimited, burst])

  return isLimited ? Math.min(tokens, burst) : Infinity
}
