import { describe, expect, it, vi } from 'vitest'
import { holdSlot, untilBodyRead } from 'lull/fetch'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, B, compose, play, statesOf, statusesOf } from '../fixtures/start.ts'
import { throwing } from '../../core/shared/throwing.ts'

const body = { status: 200, body: 'x'.repeat(100) }

it('with untilBodyRead a slot is free for the next call once the body is read', async () => {
  const { f, server, clock } = compose([holdSlot(untilBodyRead)], { concurrency: 1 }, () => body)
  const outcomes = await play({ f, clock }, '/1 /2 /3 +100')
  expect(statesOf(outcomes)).toEqual(['resolved', 'pending', 'pending'])
  expect(f.snapshot(A)).toMatchObject({ queued: 2, inFlight: 0 })
  await outcomes[0]!.response!.text()
  await clock.advanceAsync(10)
  expect(server.at()).toEqual([0, 100])
  await outcomes[1]!.response!.body!.cancel()
  await clock.advanceAsync(10)
  expect(server.at()).toEqual([0, 100, 110])
  await outcomes[2]!.response!.arrayBuffer()
  expect(server.peak).toBe(1)
})

describe('a slot held until a promise settles', () => {
  it('is freed when the promise resolves; its bucket is kept until then', async () => {
    const ends: (() => void)[] = []
    const until = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
    const started = compose([holdSlot(until)], { concurrency: 2, maxBuckets: 1 })
    const { signal } = new AbortController()
    const calls = await play(started, '/1 /2 /3 +10', { signal })
    expect(started.server.calls).toBe(2)
    expect(until.mock.calls).toEqual(calls.slice(0, 2).map(({ response }) => [response, signal]))
    ends[0]!()
    await play(started, '+10')
    expect(started.server.calls).toBe(3)
    await play(started, `+1e9 ${B}`)
    expect(started.f.snapshot(A)).toBeDefined()
    for (const end of ends) end()
    await play(started, '+1e9 https://c.test')
    expect(started.f.snapshot(A)).toBeUndefined()
  })

  it.each<[string, () => Promise<void>]>([
    ['throws', throwing(new Error('mine'))],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('is freed and the error is reported if the function %s', async (_, until) => {
    const started = compose([holdSlot(until)], { concurrency: 1 })
    const calls = await play(started, '/1 /2 +20')
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(started.reported.splice(0)).toEqual([new Error('mine'), new Error('mine')])
  })

  it('is not held by a rejected call, even after a response', async () => {
    const until = vi.fn(() => new Promise<void>(() => undefined))
    const started = compose([holdSlot(until)], { concurrency: 1, maxRetries: 0, throwOnThrottle: true }, [
      tooMany(1),
      new TypeError('failed'),
    ])
    const calls = await play(started, '/1 /2 /3 +10000')
    expect(statesOf(calls)).toEqual(['rejected', 'rejected', 'resolved'])
    expect(until).toHaveBeenCalledOnce()
  })
})
