import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createSender } from '../../../docs/recipes/migrating/bottleneck.after.ts'
import { limitAddresses } from '../../../docs/recipes/migrating/express-rate-limit.after.ts'
import { createDownloads } from '../../../docs/recipes/migrating/p-queue.after.ts'
import { throttled } from '../../../docs/recipes/migrating/p-throttle.after.ts'
import { createMeasuring } from '../../../docs/recipes/migrating/pacer-batcher.after.ts'
import { createTries } from '../../../docs/recipes/migrating/pacer-rate-limiter.after.ts'
import { createTestClock } from '../../core/time/clocks.ts'

function startLog() {
  const clock = createTestClock()
  const log: [what: unknown, at: number][] = []
  const note = (what: unknown): void => void log.push([what, Math.round(clock.now())])
  return {
    clock,
    log,
    note,
    instants: () => log.map(([, at]) => at),
    task: (ms: number) => (what: unknown) => {
      note(what)
      return new Promise<string>((resolve) => void clock.after(ms, () => resolve(String(what))))
    },
  }
}

it('p-queue: runs two at a time, four in any second, urgent tasks first, and no aborted task', async () => {
  const { clock, log, instants, task } = startLog()
  const downloads = createDownloads(task(100), clock)
  const controller = new AbortController()
  const all = ['a', 'b', 'c', 'd', 'e'].map((url) => downloads.add(url))
  all.push(downloads.add('now', 1))
  const aborted = downloads.add('never', 0, controller.signal)
  controller.abort()
  await expect(aborted).rejects.toBe(controller.signal.reason)
  await clock.advanceAsync(2000)
  expect(instants()).toEqual([0, 0, 100, 100, 1000, 1000])
  expect(log.map(([what]) => what)).toEqual(['a', 'b', 'now', 'c', 'd', 'e'])
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'now'])
  await downloads.onIdle()
})

it('express-rate-limit: allows 100 in a window, then responds with 429 until the next', () => {
  const clock = createTestClock()
  const limit = limitAddresses(clock)
  let passed = 0
  function send(): ServerResponse {
    const request = new IncomingMessage(new Socket())
    const response = new ServerResponse(request)
    limit(request, response, () => passed++)
    return response
  }
  expect(send().getHeader('RateLimit')).toBe('"address";r=99;t=900')
  clock.advance(60_000)
  for (let n = 0; n < 99; n++) send()
  const { statusCode } = send()
  expect([passed, statusCode, send().getHeader('RateLimit')]).toEqual([100, 429, '"address";r=0;t=840'])
  clock.advance(840_000)
  expect(send().getHeader('RateLimit')).toBe('"address";r=99;t=900')
  expect(passed).toBe(101)
})

it('p-throttle: runs twice in any second, first come, first served, until aborted', async () => {
  const { clock, log, instants, note } = startLog()
  const controller = new AbortController()
  const call = throttled(note, { clock, signal: controller.signal })
  const calls = [1, 2, 3, 4, 5].map((n) => call(n))
  await clock.advanceAsync(5000)
  expect(log.map(([what]) => what)).toEqual([1, 2, 3, 4, 5])
  expect(instants()).toEqual([0, 0, 1000, 1000, 2000])
  await Promise.all(calls)
  const late = [call(6), call(7), call(8)]
  controller.abort()
  const outcomes = await Promise.allSettled(late)
  const reason: unknown = controller.signal.reason
  expect(outcomes.at(-1)).toEqual({ status: 'rejected', reason })
})

it('Bottleneck: runs one every 333 ms, none during a pause, and drops the oldest when the queue is full', async () => {
  const { clock, log, instants, task } = startLog()
  const sender = createSender(task(10), clock)
  const first = [1, 2, 3, 4].map((id) => sender.send(id))
  await clock.advanceAsync(700)
  sender.pauseFor(2000)
  await clock.advanceAsync(5000)
  expect(instants()).toEqual([0, 333, 666, 2700])
  expect(await Promise.all(first)).toEqual(['1', '2', '3', '4'])
  const many = Array.from({ length: 102 }, (_, id) => sender.send(id))
  // A started task keeps its slot until the tick ends.
  for (const send of many.slice(1, 3))
    await expect(send).rejects.toMatchObject({ name: 'RateLimitError', code: 'queue-full' })
  await clock.advanceAsync(100 * 333)
  expect(log).toHaveLength(4 + 100)
})

it('the rate limiter of Pacer: allows five in any minute and returns when the next is allowed', () => {
  const { clock, instants, note } = startLog()
  const attempt = createTries(note, clock)
  const messages = Array.from({ length: 6 }, () => {
    const message = attempt('1234')
    clock.advance(10_000)
    return message
  })
  expect(messages).toEqual([...[4, 3, 2, 1, 0].map((left) => `${left} tries left`), 'Again in 10 s'])
  expect(attempt('1234')).toBe('0 tries left')
  expect(instants()).toEqual([0, 10_000, 20_000, 30_000, 40_000, 60_000])
})

it('the batcher of Pacer: groups calls within a second of the first, and settles each call', async () => {
  const { clock, log, note } = startLog()
  const measuring = createMeasuring((values) => {
    note(values)
    return values.includes(20) ? Promise.reject(new Error('not posted')) : Promise.resolve()
  }, clock)
  const added: Promise<undefined>[] = []
  for (let n = 0; n < 12; n++) {
    added.push(measuring.add(n))
    await clock.advanceAsync(200)
  }
  await clock.advanceAsync(600)
  expect(log).toEqual([
    [[0, 1, 2, 3, 4], 1000],
    [[5, 6, 7, 8, 9], 2000],
    [[10, 11], 3000],
  ])
  await Promise.all(added)
  const full = Array.from({ length: 10 }, (_, n) => measuring.add(n + 20))
  await expect(full[3]).rejects.toThrow('not posted')
  await Promise.allSettled(full)
  expect(log.at(-1)).toEqual([[20, 21, 22, 23, 24, 25, 26, 27, 28, 29], 3000])
})
