import { createRateLimitedFetch, isRateLimitError } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const server: typeof globalThis.fetch = () =>
  Promise.resolve(
    new Response(null, { status: 429, headers: { 'Retry-After': '300' } }),
  )
const fetch = createRateLimitedFetch({
  fetch: server,
  clock,
  random: () => 0,
})

// The first response asks for a wait longer than `maxWaitMs` (60 s).
const { status } = await fetch('https://api.test/')
console.log(status)
// → 429

try {
  await fetch('https://api.test/')
} catch (error) {
  if (isRateLimitError(error)) console.log(error.code, error.retryAfterMs)
}
// → wait-too-long 300000
