import type { BucketMap } from './bucket-map.ts'
import type { Bucket, Call } from './bucket-types.ts'
import { originOf } from './request-source.ts'
import type { Settings } from './settings.ts'

/** The keys of the buckets that a request counts in, its own last; null: it has no limit. R9, R56 */
export function keysOf(
  { key }: Settings,
  origin: string | null,
  request: () => Request,
): readonly string[] | null {
  if (origin === null) return null
  const keys = key ? key(request()) : origin
  return typeof keys === 'string' ? [keys] : keys && keys.length > 0 ? keys : null
}

/** Whom the response is charged to: a bucket that the call went through or, if it was redirected, that of where it came to. R57 */
export function chargedFor(call: Call, response: Response, settings: Settings, map: BucketMap): Bucket {
  const { source, buckets } = call
  const { url } = response
  if (url && !url.startsWith(`${source.origin}/`)) {
    const origin = originOf(new URL(url, source.url))
    const keys = origin !== source.origin && keysOf(settings, origin, () => new Request(url))
    if (keys) return map.of(keys.at(-1)!)
  }
  return (buckets.length > 1 && settings.isGlobal(response) ? buckets[0] : buckets.at(-1))!
}
