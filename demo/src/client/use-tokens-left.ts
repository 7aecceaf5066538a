import { useEffect, useState } from 'react'
import { useRateLimitedFetch } from 'lull'
import type { ClientSettings } from '../settings/schema.ts'

const REFRESH_MS = 100

/** What is left of the client's own pace; Infinity if it has none. It refills with time, and so is looked at again. */
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
