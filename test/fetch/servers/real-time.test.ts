// Runs in real time with a real server, the platform's clock and its fetch, to check that timers, sockets and
// streams work together. Tests on the manual clock check exact times.
import { createRateLimitedFetch } from 'lull/fetch'
import { expect, it } from 'vitest'
import { listen, tooMany } from './loopback.ts'

it('sends nothing for a second after a 429 with Retry-After: 1, then all calls in order', async () => {
  const at: number[] = []
  const { origin, arrived, paths } = await listen((_, index) => {
    at.push(performance.now())
    return index > 0 ? { status: 200, body: 'ok' } : tooMany(1)
  })
  const f = createRateLimitedFetch({ random: () => 0 })
  const first = f(`${origin}/0`, { method: 'PUT', body: 'the same' })
  await new Promise<void>((resolve) => {
    const unsubscribe = f.subscribe(() => {
      if (f.snapshot().gate.open) return
      unsubscribe()
      resolve()
    })
  })
  const others = Array.from({ length: 20 }, (_, index) => f(`${origin}/${index + 1}`))
  expect(f.snapshot()).toMatchObject({ queued: 21, inFlight: 0 })
  const responses = await Promise.all([first, ...others])
  expect(await Promise.all(responses.map((response) => response.text()))).toEqual(Array(21).fill('ok'))
  expect(Math.min(...at.slice(1))).toBeGreaterThanOrEqual(at[0]! + 1000)
  expect(arrived.slice(0, 2).map(({ path, body }) => [path, body.toString()])).toEqual(
    Array(2).fill(['/0', 'the same']),
  )
  // Requests of one window use separate connections and may overtake each other; those of the next may not.
  const numbers = paths()
    .slice(2)
    .map((path) => Number(path.slice(1)))
  expect(numbers.slice(0, 2).toSorted((a, b) => a - b)).toEqual([1, 2])
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})
