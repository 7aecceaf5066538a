// In real time, against a real server and with the platform's own clock and fetch: only so is it seen that the parts fit
// together (timers, sockets, streams). What is exact to the millisecond is tested on the manual clock.
import { createRateLimitedFetch } from 'lull/fetch'
import { expect, it } from 'vitest'
import { listen, tooMany } from './loopback.ts'

it('after a 429 with Retry-After: 1 the server receives nothing for a second, and then everything, in order', async () => {
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
  // Each in a connection of its own, those of one window may overtake each other; not those of the next.
  const numbers = paths()
    .slice(2)
    .map((path) => Number(path.slice(1)))
  expect(numbers.slice(0, 2).sort()).toEqual([1, 2])
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

it('a response whose body is held back does not hold the slot', async () => {
  let finish = (): unknown => undefined
  const { origin } = await listen(({ path, response }) => {
    if (path !== '/held') return { status: 200, body: 'second' }
    finish = () => response.end(', and its end')
    response.writeHead(200).write('first')
    return undefined
  })
  const f = createRateLimitedFetch({ concurrency: 1 })
  const held = f(`${origin}/held`)
  expect(await (await f(`${origin}/second`)).text()).toBe('second')
  finish()
  expect(await (await held).text()).toBe('first, and its end')
})
