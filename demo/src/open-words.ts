import type { BucketSnapshot, FetchSnapshot } from 'lull/fetch'

/** What the paced fetch does while its gate is open. */
export function openWords({ window, queued, inFlight, sleeping, buckets }: FetchSnapshot): string {
  if (sleeping > 0) return 'No good answer. It will be asked again in a moment.'
  if (window === 1 && inFlight > 0) return 'The pause is over. One request goes first, to see.'
  if (queued === 0) return inFlight > 0 ? 'Asking the server.' : 'Open: a request goes out at once.'
  if (inFlight >= window) return `At most ${window} in flight, until more is known of the server.`
  return paceWords(Object.values(buckets).find((bucket) => bucket.queued > 0)!)
}

function paceWords({ limits, pace, quota }: BucketSnapshot): string {
  if (limits && limits.ratePerSecond < (pace?.ratePerSecond ?? Infinity))
    return 'Waiting for the page’s own pace.'
  if (pace?.from === 'fields') return 'Keeping to the pace that the server names.'
  if (pace) return 'Keeping to the pace that was learnt.'
  return quota?.length ? 'Waiting for what the server has left.' : 'Waiting for the first answers.'
}
