import { describe, expect, it } from 'vitest'
import { patient } from '../../field/clients.ts'
import { alignedWindow, bucket, outages, pausing, slidingLog, type Limit } from '../../field/limits.ts'
import { burstAfterRest } from '../../field/pages.ts'
import { run } from '../../field/run.ts'
import { draftFields } from '../../field/servers.ts'

const servers: Record<string, (quota: number, windowMs: number) => Limit> = {
  tokenBucket: (quota, windowMs) => ({
    ...bucket((quota * 1000) / windowMs, quota),
    quota: () => quota,
    windowMs,
  }),
  alignedWindow: (quota, windowMs) => alignedWindow(quota, windowMs, 700),
  slidingLog,
}

describe.each(Object.entries(servers))('a server with a %s', (_, limitOf) => {
  it.each([
    [5, 3000, 60],
    [100, 10_000, 250],
  ])('of %i per %i ms refuses none of %i calls after a refusal and rest', async (quota, windowMs, count) => {
    // The first request is refused with nothing left.
    const limit = () => pausing(outages(limitOf(quota, windowMs), [[0, 500]]), 1, false)
    const server = { limit, fields: draftFields(), retryAfter: 'none', latencyMs: 150 } as const
    const page = burstAfterRest(1, 7000 + windowMs, count)
    const { served, refused } = await run({ name: '', server, page, settings: patient }, 'learn', 1)
    expect([served, refused]).toEqual([1 + count, 1])
  })
})
