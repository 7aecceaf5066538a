import { tokenBucket, withIoredis } from 'lull/redis'
import { expect, it } from 'vitest'
import { checkLimit, limitRequests } from '../../docs/recipes/shared-limit.ts'
import { startLimits, withGivenTime } from './servers/limits.ts'

const { server, limit } = await startLimits()

it('the recipe sends the remaining count, refuses beyond the limit, and sends a correct Retry-After, in two processes', async () => {
  let now = 1e12
  const [one, two] = [server.connect(), server.connect()].map((client) =>
    limitRequests(
      {
        limiter: limit(tokenBucket({ ratePerSecond: 3 / 60, burst: 3 }), {
          run: withGivenTime(withIoredis(client), () => now),
          prefix: '',
        }),
        limit: 3,
        windowSeconds: 60,
      },
      (request) => request.headers.get('x-user')!,
      () => new Response('ok', { status: 201, headers: { 'X-Of': 'mine' } }),
    ),
  )
  const ask = async (handle: typeof one): Promise<unknown[]> => {
    const response = await handle!(new Request('http://page.example/', { headers: { 'X-User': 'ada' } }))
    const { status, headers } = response
    expect(headers.get('ratelimit-policy')).toBe('"user";q=3;w=60')
    expect(headers.get('x-of')).toBe(status === 201 ? 'mine' : null)
    return [status, headers.get('ratelimit'), headers.get('retry-after')]
  }
  expect(await ask(one)).toEqual([201, '"user";r=2;t=20', null])
  expect(await ask(two)).toEqual([201, '"user";r=1;t=40', null])
  expect(await ask(one)).toEqual([201, '"user";r=0;t=20', null])
  expect(await ask(two)).toEqual([429, '"user";r=0;t=20', '20'])
  now += 20_000
  expect(await ask(one)).toEqual([201, '"user";r=0;t=20', null])
})

it('the recipe sends a Retry-After even when no call will ever be allowed', async () => {
  const limiter = limit(tokenBucket({ ratePerSecond: 0, burst: 0 }))
  expect(await checkLimit({ limiter, limit: 1, windowSeconds: 1 }, 'ada')).toEqual({
    allowed: false,
    headers: {
      'RateLimit-Policy': '"user";q=1;w=1',
      RateLimit: '"user";r=0;t=1000000000',
      'Retry-After': '1000000000',
    },
  })
})
