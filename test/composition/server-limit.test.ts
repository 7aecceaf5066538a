import { expect, it, vi } from 'vitest'
import { limitEachUser } from '../../docs/recipes/server-limit.ts'
import { serve } from '../fetch/servers/loopback.ts'
import { startReal } from '../fetch/servers/start-real.ts'

// Fails a test that hangs early.
vi.setConfig({ testTimeout: 10_000 })

/** Starts a server with the recipe, and a rate-limited fetch, on one manual clock. */
async function startLimited(limit: number, windowSeconds: number) {
  const real = startReal()
  const answered: number[] = []
  const limited = limitEachUser((_, response) => void response.end('ok'), {
    userOf: ({ headers }) => String(headers['x-user']),
    limit,
    windowSeconds,
    clock: real.clock,
  })
  const url = await serve((request, response) => {
    limited(request, response)
    answered.push(response.statusCode)
  })
  return { ...real, url, answered }
}

it('a limit for each user sends the remaining count, refuses beyond the limit, and sends a correct Retry-After', async () => {
  const { url, clock } = await startLimited(3, 60)
  const ask = async (user: string): Promise<unknown[]> => {
    const { status, headers } = await fetch(url, { headers: { 'X-User': user } })
    expect(headers.get('ratelimit-policy')).toBe('"user";q=3;w=60')
    return [status, headers.get('ratelimit'), headers.get('retry-after')]
  }
  expect(await ask('ada')).toEqual([200, '"user";r=2;t=20', null])
  expect(await ask('ada')).toEqual([200, '"user";r=1;t=40', null])
  clock.advance(5000)
  expect(await ask('ada')).toEqual([200, '"user";r=0;t=15', null])
  expect(await ask('ada')).toEqual([429, '"user";r=0;t=15', '15'])
  expect(await ask('bo')).toEqual([200, '"user";r=2;t=20', null])
  clock.advance(14_999)
  expect(await ask('ada')).toEqual([429, '"user";r=0;t=1', '1'])
  clock.advance(1)
  expect(await ask('ada')).toEqual([200, '"user";r=0;t=20', null])
  expect(await ask('ada')).toEqual([429, '"user";r=0;t=20', '20'])
})

it('a limit for each user keeps the rate-limited fetch, which reads the remaining count, free of refusals', async () => {
  const { url, f, answered, sentAt, settle } = await startLimited(10, 10)
  const headers = { 'X-User': 'ada' }
  const responses = await settle(Promise.all(Array.from({ length: 20 }, () => f(url, { headers }))))
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(answered).toEqual(Array(20).fill(200))
  // The limit allows ten at once and one a second.
  sentAt().forEach((at, index) => expect(index).toBeLessThan(10 + at / 1000))
})
