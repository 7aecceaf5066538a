import { useEffect, useState } from 'react'
import type { RateLimitedFetchOptions } from '../../fetch/create-rate-limited-fetch.ts'
import { useClock } from '../clock-provider.tsx'
import type { FetchSlot } from '../fetch-slot.ts'
import { createOwnedFetch } from '../owned-fetch.ts'
import { useCommitEffect } from './use-commit-effect.ts'

/** The slot of the component's own fetch, made at the first render that has `options`; undefined without any. */
export function useOwnedFetch(options: RateLimitedFetchOptions | undefined): FetchSlot | undefined {
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

  return owned?.slot
}
