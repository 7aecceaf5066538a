import { priorities, type ComposeOptions, type Priority, type RateLimitedRequestInit } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, compose, watch, paths, play } from '../fixtures/start.ts'
import { throwing } from '../../core/shared/throwing.ts'

const startWith = (options: ComposeOptions = {}, answers?: Answer[], ageingMs?: number) =>
  compose([priorities({ ageingMs })], { concurrency: 1, ...options }, answers)

describe('priorities', () => {
  it('stop ordering queued calls when configure removes them', async () => {
    const started = startWith()
    await play(started, 'pause /1:low /2 /3:high /4 /5:high')
    started.f.configure({ policies: [] })
    await play(started, 'resume +200')
    expect(started.server.paths()).toEqual(paths(5))
  })

  it.each([
    [
      'first in, first out within a priority',
      '/l1:low /a1:auto /h1:high /l2:low /a2 /h2:high',
      '/h1 /h2 /a1 /a2 /l1 /l2',
    ],
    ['from rateLimit, init, else auto', '/5:high:low /3 /1:low:high /4:high:auto /2:high', '/1 /2 /3 /4 /5'],
  ])('are strict, and %s: %s', async (_, calls, order) => {
    const started = startWith()
    await play(started, `/0 ${calls} +200`)
    expect(started.server.paths().join(' ')).toBe(`/0 ${order}`)
  })

  it.each([
    [10_000, 9_990, ['/high', '/low']],
    [10_000, 20_000, ['/low', '/high']],
    [Infinity, 1e9, ['/high', '/low']],
    [100, 190, ['/high', '/low']],
    // As urgent as the most urgent, and before them.
    [100, 200, ['/low', '/high']],
  ])('rise with ageingMs %d for a call that has waited %i ms longer: %o', async (ageingMs, ms, order) => {
    const started = startWith({}, [], ageingMs === 10_000 ? undefined : ageingMs)
    await play(started, `+1e6 pause /low:low +${ms} /high:high resume +100`)
    expect(started.server.paths()).toEqual(order)
  })

  it('order a call that is made while the next one is about to be sent', async () => {
    let isFirst = true
    const started = startWith({
      onEvent({ type }) {
        if (type === 'response' && isFirst) void play(started, '/high:high')
        if (type === 'response') isFirst = false
      },
    })
    await play(started, '/1 /2 +100')
    expect(started.server.paths()).toEqual(['/1', '/high', '/2'])
  })

  it('order the calls on reopening, then arrival; a retried call keeps its number', async () => {
    const started = startWith({ concurrency: 3 }, [200, tooMany(1), tooMany(1)])
    await play(started, '/served /3 /1:high +10 /4 /2:high /5:low +5000')
    expect(started.server.paths().slice(3)).toEqual(['/1', '/2', '/3', '/4', '/5'])
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
      const [left] = await play(started, '/ +10', { priority: 'urgent' as never })
      expect(bad.error).toEqual(new RangeError('Expected priority to be high or auto or low, got urgent'))
      expect(left!.error).toEqual(does === 'rejects' ? new TypeError('unknown priority') : undefined)
      expect(started.server.calls).toBe(does === 'rejects' ? 0 : 1)
    },
  )
})

describe('the promotion', () => {
  it.each<[own: Priority, wanted: string, before: string, order: string]>([
    // The earliest arrival of its new priority.
    ['low', 'high', '/first /2', '/first /x /high /2 /5'],
    ['auto', 'low', '/first /2', '/first /high /2 /x /5'],
    ['auto', 'urgent', '/first /2', '/first /high /2 /x /5'],
    // In flight.
    ['low', 'high', 'resume', '/x /high /5'],
  ])('of a call from %s to %s, made after %s: %s', async (own, wanted, before, order) => {
    const started = startWith()
    let promote!: (priority: Priority) => void
    await play(started, before)
    await play(started, '/x', { rateLimit: { priority: own, promotion: (given) => (promote = given) } })
    await play(started, '/high:high /5')
    const { queued } = started.f.snapshot(A)!
    promote(wanted as Priority)
    expect(started.f.snapshot(A)).toMatchObject({ queued, inFlight: 1 })
    await started.clock.advanceAsync(100)
    expect(started.server.paths().join(' ')).toBe(order)
  })

  it('reports an exception and changes nothing', async () => {
    const started = startWith()
    const error = new Error('thrown')
    const [call] = await play(started, '/ +10', { rateLimit: { promotion: throwing(error) } })
    expect(call!.response?.status).toBe(200)
    expect(started.reported.splice(0)).toEqual([error])
  })
})
