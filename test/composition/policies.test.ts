import { describe, expect, it } from 'vitest'
import { businessHours } from '../../docs/recipes/policies/business-hours.ts'
import { namedThrottlers } from '../../docs/recipes/policies/named-throttlers.ts'
import { sharePauses } from '../../docs/recipes/policies/share-pauses.ts'
import { tooMany } from '../fetch/fixtures/fake-server.ts'
import { A, B, endOf, play, start, statesOf } from '../fetch/fixtures/start.ts'

const HOUR_MS = 3_600_000

describe('a policy that sends during business hours', () => {
  it.each([
    ['on time', 10, 0],
    ['too early: at 8', 5, 3],
    ['at the end of the hours: at 8 on the next day', 18, 14],
  ])('sends a call made %s', async (_, hour, hours) => {
    const started = start({ policies: [businessHours()] })
    started.clock.setWall(hour * HOUR_MS)
    const [call] = await play(started, `/ +${hours * HOUR_MS + 10}`)
    expect(endOf(call!)).toBe(`200@${hours * HOUR_MS + 10}`)
  })

  it('aborts a queued call and leaves no timer', async () => {
    const started = start({ policies: [businessHours()], totalTimeoutMs: HOUR_MS })
    const calls = await play(started, `/ +${HOUR_MS}`)
    expect(statesOf(calls)).toEqual(['rejected'])
    expect(started.server.at()).toEqual([])
  })
})

it('a policy that reads headers of named throttlers waits for the longest', async () => {
  const headers = { 'retry-after-short': '1', 'retry-after-long': '7' }
  const started = start({ policies: [namedThrottlers()], random: () => 0 }, [{ status: 429, headers }])
  await play(started, '/ +60000')
  expect(started.server.at()).toEqual([0, 7010])
})

/** A channel between two tabs: a message posted by one reaches the other. */
function createTabs() {
  const posts: unknown[] = []
  const ends = [new EventTarget(), new EventTarget()] as const
  const tabs = ends.map((end, n) => {
    const postMessage = (data: unknown): void => {
      posts.push(data)
      ends[1 - n]!.dispatchEvent(new MessageEvent('message', { data }))
    }
    return Object.assign(end, { postMessage }) as EventTarget & BroadcastChannel
  })
  return { tabs, posts }
}

describe('a policy that shares pauses between tabs', () => {
  it('holds calls to the same origin in the other tab after a refusal, and posts the pause once', async () => {
    const { tabs, posts } = createTabs()
    const [one, other] = [
      start({ policies: [sharePauses(tabs[0])] }, [tooMany(2)]),
      start({ policies: [sharePauses(tabs[1])] }),
    ] as const
    other.clock.setWall(0)
    await play(other, '/ +10')
    one.clock.setWall(0)
    await play(one, 'POST/ +10')
    expect(posts).toEqual([{ key: A, until: 2010 }])

    await play(other, `/later ${B}/`)
    expect(other.f.snapshot(A)?.gate).toMatchObject({ open: false, source: 'shared' })
    await other.clock.advanceAsync(2010)
    expect(other.server.requests.map(({ url, at }) => [url, at])).toEqual([
      [`${A}/`, 0],
      [`${B}/`, 10],
      [`${A}/later`, 2010],
    ])
    expect(posts).toHaveLength(1)
  })

  it('caps the delay from another tab at maxGateMs, and stops listening when the fetch is disposed of', async () => {
    const { tabs } = createTabs()
    const { f, clock, server } = start({ policies: [sharePauses(tabs[0])], maxGateMs: 5000 })
    await play({ f, clock }, '/ +10')
    tabs[1]!.postMessage({ key: A, until: Infinity })
    await play({ f, clock }, '/ +5010')
    expect(server.at()).toEqual([0, 5010])
    f.dispose()
    tabs[1]!.postMessage({ key: A, until: Infinity })
    expect(f.snapshot(A)?.gate.open).toBe(true)
  })
})
