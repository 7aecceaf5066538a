import {
  priorities,
  type CallOptions,
  type ComposeOptions,
  type PrioritiesOptions,
  type Priority,
  type RateLimitedRequestInit,
} from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callWith, compose, watch } from '../fixtures/start.ts'

const startWith = (
  { ageingMs, ...options }: ComposeOptions & PrioritiesOptions = {},
  answers?: Parameters<typeof compose>[2],
) => compose([priorities({ ageingMs })], { concurrency: 1, ...options }, answers)

/** Queues calls after a first one, as `path:init priority:own priority`, and returns the send order. */
async function orderOf(calls: string): Promise<string> {
  const started = startWith()
  const all = `/0 ${calls}`.split(' ').map((call) => call.split(':') as [string, Priority?, Priority?])
  callWith(started, all)
  await started.clock.advanceAsync(200)
  return started.server.paths().slice(1).join(' ')
}

describe('priorities', () => {
  it('stop ordering queued calls when configure removes them', async () => {
    const started = startWith()
    started.f.pause()
    const calls = '/1:low /2 /3:high /4 /5:high'
    callWith(
      started,
      calls.split(' ').map((call) => call.split(':') as [string, Priority?]),
    )
    started.f.configure({ policies: [] })
    started.f.resume()
    await started.clock.advanceAsync(200)
    expect(started.server.paths().join(' ')).toBe('/1 /2 /3 /4 /5')
  })

  it.each([
    [
      'first in, first out within a priority, and strict between them',
      '/l1:low /a1:auto /h1:high /l2:low /a2 /h2:high',
      '/h1 /h2 /a1 /a2 /l1 /l2',
    ],
    ['from rateLimit, init, else auto', '/5:high:low /3 /1:low:high /4:high:auto /2:high', '/1 /2 /3 /4 /5'],
  ])('are %s: %s', async (_, calls, order) => {
    expect(await orderOf(calls)).toBe(order)
  })

  it.each([
    [10_000, 9_990, ['/high', '/low']],
    [10_000, 20_000, ['/low', '/high']],
    [Infinity, 1e9, ['/high', '/low']],
    [100, 190, ['/high', '/low']],
    // As urgent as the most urgent, and before them.
    [100, 200, ['/low', '/high']],
  ])('rise with ageingMs %d for a call that has waited %i ms longer: %o', async (ageingMs, ms, order) => {
    const started = startWith(ageingMs === 10_000 ? {} : { ageingMs })
    await started.clock.advanceAsync(1e6)
    started.f.pause()
    callWith(started, [['/low', 'low']])
    await started.clock.advanceAsync(ms)
    callWith(started, [['/high', 'high']])
    started.f.resume()
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(order)
  })

  it('order a call that is made while the next one is about to be sent', async () => {
    let isFirst = true
    const started = startWith({
      onEvent({ type }) {
        if (type === 'response' && isFirst) callWith(started, [['/high', 'high']])
        if (type === 'response') isFirst = false
      },
    })
    callWith(started, [['/1'], ['/2']])
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(['/1', '/high', '/2'])
  })

  it('order the calls on reopening, then arrival; a retried call keeps its number', async () => {
    const started = startWith({ concurrency: 3 }, [200, tooMany(1), tooMany(1)])
    callWith(started, [['/served'], ['/3'], ['/1', 'high']])
    await started.clock.advanceAsync(10)
    callWith(started, [['/4'], ['/2', 'high'], ['/5', 'low']])
    await started.clock.advanceAsync(5000)
    expect(started.server.paths().slice(3)).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })

  it.each([
    [0, 'got 0'],
    [-1, 'got -1'],
    [NaN, 'got NaN'],
    ['5' as never, 'not a string, got 5'],
  ])('reject an ageingMs of %o', (ageingMs, got) => {
    const error = new RangeError(`Expected priorities ageingMs > 0, ${got}`)
    expect(() => priorities({ ageingMs })).toThrow(error)
  })

  it.each(['accepts', 'rejects'])(
    'leave an unknown priority of init to a platform that %s it',
    async (does) => {
      class PlatformRequest extends Request {
        constructor(input: RequestInfo | URL, { priority, ...init }: RateLimitedRequestInit = {}) {
          if (does === 'rejects' && (priority as unknown) === 'urgent')
            throw new TypeError('unknown priority')
          super(input, init)
        }
      }
      vi.stubGlobal('Request', PlatformRequest)
      const started = startWith()
      const bad = watch(started.f(A, { rateLimit: { priority: 'urgent' as never } }), started.clock)
      const [left] = callWith(started, [['/', 'urgent' as never]])
      await started.clock.advanceAsync(10)
      expect(bad.error).toEqual(new RangeError('Expected priority to be high or auto or low, got urgent'))
      expect(left!.error).toEqual(does === 'rejects' ? new TypeError('unknown priority') : undefined)
      expect(started.server.calls).toBe(does === 'rejects' ? 0 : 1)
      vi.unstubAllGlobals()
    },
  )
})

describe('the promotion', () => {
  it.each<[own: Priority, wanted: string, order: string]>([
    // The earliest arrival of its new priority.
    ['low', 'high', '/x /high /2 /5'],
    ['auto', 'low', '/high /2 /x /5'],
    ['auto', 'urgent', '/high /2 /x /5'],
  ])('of a pending call from %s to %s: %s', async (own, wanted, order) => {
    const started = startWith()
    let promote!: (priority: Priority) => void
    callWith(started, [['/first'], ['/2']])
    const rateLimit: CallOptions = { priority: own, promotion: (given) => (promote = given) }
    void started.f(`${A}/x`, { rateLimit })
    callWith(started, [['/high', 'high'], ['/5']])
    promote(wanted as Priority)
    await started.clock.advanceAsync(100)
    expect(started.server.paths().join(' ')).toBe(`/first ${order}`)
  })

  it('changes nothing for a call in flight', async () => {
    const started = startWith()
    let promote!: (priority: Priority) => void
    const call = watch(
      started.f(A, { rateLimit: { priority: 'low', promotion: (given) => (promote = given) } }),
      started.clock,
    )
    promote('high')
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 1 })
    await started.clock.advanceAsync(10)
    expect(call.response?.status).toBe(200)
  })

  it('reports an exception and changes nothing', async () => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const started = startWith()
    const error = new Error('thrown')
    const promotion = (): never => {
      throw error
    }
    const call = watch(started.f(A, { rateLimit: { promotion } }), started.clock)
    await started.clock.advanceAsync(10)
    vi.unstubAllGlobals()
    expect(call.response?.status).toBe(200)
    expect(reportError.mock.calls).toEqual([[error]])
  })
})
