/**
 * Returns `fetch` with a log of its requests: when each was sent, its status, and whether it was sent more than `slackMs`
 * before the latest `Retry-After` received had passed.
 */
export function watchFetch(fetch, clock, slackMs) {
  const requests = []
  let closedUntil = -Infinity
  return {
    requests,
    async fetch(input, init) {
      const sentAt = clock.now()
      const request = {
        sentAt,
        isEarly: sentAt < closedUntil - slackMs,
        status: undefined,
        pausedUntil: undefined,
      }
      requests.push(request)
      const response = await fetch(input, init)
      request.status = response.status
      const seconds = response.headers.get('retry-after')
      if (seconds !== null) {
        request.pausedUntil = clock.now() + Number(seconds) * 1000
        closedUntil = Math.max(closedUntil, request.pausedUntil)
      }
      return response
    },
  }
}
