import type { BucketSnapshot, FetchSnapshot } from 'lull/fetch'

/** The message while the rate-limited fetch is not paused. */
export function openWords(
  { window, queued, inFlight, sleeping, buckets }: FetchSnapshot,
  isDown = false,
): string {
  if (isDown) return 'Unreachable: the last request had no response.'
  if (sleeping > 0) return 'The request failed. It will be sent again in a moment.'
  if (window === 1 && inFlight > 0) return 'The pause is over. One probe request is sent first.'
  if (queued === 0)
    return inFlight > 0 ? 'Waiting for the server’s response.' : 'Open: a request is sent at once.'
  if (inFlight >= window) return `At most ${window} in parallel until the server’s limit is known.`
  return paceWords(Object.values(buckets).find((bucket) => bucket.queued > 0)!)
}

function paceWords({ limits, pace, quota }: BucketSnapshot): string {
  if (limits && limits.ratePerSecond < (pace?.ratePerSecond ?? Infinity)) return 'Waiting for your own limit.'
  if (pace?.from === 'fields') return 'Keeping to the limit named by the server.'
  if (pace) return 'Keeping to the rate learned from refusals.'
  return quota?.length ? 'The server has no quota left for now.' : 'Waiting for its turn.'
}
