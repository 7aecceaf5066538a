import { act } from '@testing-library/react'
import { useRateLimitStatus } from 'lull'
import { createRateLimitedFetch } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { createScriptedFetch } from '../support/scripted-fetch.ts'
import { createOnClock, modes, renderHookOn, type Mode } from '../support/render-on-clock.tsx'

const url = 'http://api.test/'

/** What a component is shown of the one bucket once the server has answered with `headers`. */
async function renderTold(mode: Mode, headers: Record<string, string>) {
  const onClock = createOnClock(mode)
  const { clock } = onClock
  const server = createScriptedFetch(clock, [{ status: 200, headers }])
  const paced = createRateLimitedFetch({ clock, fetch: server.fetch, random: () => 0, pace: 'fixed' })
  const { result, unmount } = renderHookOn(
    onClock,
    () => useRateLimitStatus(paced, ({ buckets, gate }) => ({ bucket: Object.values(buckets)[0], gate })),
    undefined,
  )
  const call = (): void => act(() => void paced(url))
  call()
  await act(() => clock.advanceAsync(20))
  return { ...onClock, result, unmount, call, sentAt: server.sentAt }
}

// Each form of these fields is read in the tables of test/fetch.
describe.each(modes)('what servers say of their limits, in each of the ways, %s', (mode) => {
  it.each<[family: string, headers: Record<string, string>]>([
    ['RateLimit and RateLimit-Policy', { RateLimit: '"a";r=0;t=5', 'RateLimit-Policy': '"a";q=10;w=60' }],
    ['of several policies the tightest', { RateLimit: '"day";r=900;t=3600, "second";r=0;t=5' }],
    ['RateLimit of the seventh draft', { RateLimit: 'limit=10, remaining=0, reset=5' }],
    [
      'RateLimit-Limit, -Remaining and -Reset',
      { 'RateLimit-Limit': '10', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '5' },
    ],
    [
      'X-RateLimit-Limit, -Remaining and -Reset',
      { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '5' },
    ],
  ])('%s: the page knows before it is refused, and sends nothing until then', async (_, headers) => {
    const { clock, result, call, sentAt, unmount } = await renderTold(mode, headers)
    expect(result.current.gate).toMatchObject({ open: false, until: 5020 })
    call()
    await act(() => clock.advanceAsync(10_000))
    expect(sentAt).toEqual([0, 5020])
    expect(result.current.gate.open).toBe(true)
    unmount()
    expect(clock.pending).toBe(0)
  })

  it('what is left of a limit, and its policy, are shown', async () => {
    const { result } = await renderTold(mode, {
      RateLimit: '"minute";r=7;t=30',
      'RateLimit-Policy': '"minute";q=10;w=60',
    })
    expect(result.current.bucket).toMatchObject({
      quota: [{ name: 'minute', available: 7, until: 30_020 }],
      policies: [{ name: 'minute', quota: 10, windowMs: 60_000 }],
    })
  })

  it.each(['???', 'r=;;t', '"a";r=banana;t=never', '99999999999999999999', ''])(
    '%o is passed over, and nothing is thrown',
    async (value) => {
      const headers = {
        RateLimit: value,
        'RateLimit-Policy': value,
        'X-RateLimit-Remaining': value,
        'X-RateLimit-Reset': value,
      }
      const { clock, result, call, sentAt } = await renderTold(mode, headers)
      expect(result.current.gate.open).toBe(true)
      call()
      await act(() => clock.advanceAsync(20))
      expect(sentAt).toEqual([0, 20])
    },
  )
})
