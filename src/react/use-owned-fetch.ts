import { useEffect, useState } from 'react'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { RateLimitedFetchOptions } from '../fetch/options.ts'
import { useClock } from './clock-provider.tsx'
import { createOwnedFetch } from './owned-fetch.ts'
import { useCommitEffect } from './use-commit-effect.ts'

/** The component's own paced fetch, made at the first render that has `options`; undefined without any. */
export function useOwnedFetch(options: RateLimitedFetchOptions | undefined): RateLimitedFetch | undefined {
  const clock = useClock()
  const [owned] = useState(() => options && createOwnedFetch(options, clock))

  useCommitEffect(() => {
    if (options) owned?.use(options)
  })

  useCommitEffect(() => owned?.start(), [owned])
  // Not where it starts: a layout effect ends, too, while a Suspense boundary shows its fallback.
  useEffect(() => {
    owned?.start()
    return owned?.stop
  }, [owned])

  return owned?.fetch
}
