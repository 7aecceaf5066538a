import type { RateLimitedRequestInit } from './call.ts'

/** What `init` may have that no `Request` has, and that does not change what is sent. */
const OURS = /^(priority|rateLimit|window)$/

/**
 * What calls have in common that can share a response; undefined if this one shares none: if it may not be answered from
 * another's, or `init` has members that only the platform's fetch knows. Credentials always count. R113, R148
 *
 * @param own tells what else counts. @default everything that the server is told
 */
export function dedupeKeyOf(
  request: Request,
  init: RateLimitedRequestInit | undefined,
  own?: (request: Request) => string | null,
): string | undefined {
  const { url, method, headers, credentials, mode, redirect, cache, integrity, keepalive } = request
  if (/^(no-store|reload)$/.test(cache)) return undefined
  for (const name in init)
    if (init[name as keyof RequestInit] && !(name in request || OURS.test(name))) return undefined
  const { referrer, referrerPolicy } = request
  const what = own
    ? [own(request), headers.get('authorization'), headers.get('cookie')]
    : [url, mode, redirect, cache, integrity, referrer, referrerPolicy, ...headers]
  if (what[0] === null) return undefined
  // A call that is given up sooner than another, or never waits, is not to be bound to that.
  const limits = init?.rateLimit === false || { ...init?.rateLimit, priority: undefined }
  return JSON.stringify([method, credentials, keepalive, limits, what])
}
