import type { CallOptions, Priority } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from './fake-server.ts'
import { A, start, watch } from './start.ts'
import { callWith } from './call-with.ts'

describe('R76 R77 priorities', () => {
  it('R76 is first in, first out within a priority, and strict between them', async () => {
    const started = start({ concurrency: 1 })
    callWith(started, [
      ['/first'],
      ['/low 1', 'low'],
      ['/auto 1', 'auto'],
      ['/high 1', 'high'],
      ['/low 2', 'low'],
      ['/2'],
      ['/high 2', 'high'],
    ])
    await started.clock.advanceAsync(100)
    expect(started.server.paths().map(decodeURI)).toEqual([
      '/first',
      '/high 1',
      '/high 2',
      '/auto 1',
      '/2',
      '/low 1',
      '/low 2',
    ])
  })

  it('R77 is that of init, auto if it has none, and what rateLimit says before that', async () => {
    const started = start({ concurrency: 1 })
    callWith(started, [
      ['/first'],
      ['/5', 'high', 'low'],
      ['/3'],
      ['/1', 'low', 'high'],
      ['/4', 'high', 'auto'],
      ['/2', 'high'],
    ])
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(['/first', '/1', '/2', '/3', '/4', '/5'])
  })

  it('R77 does not change what is sent', async () => {
    const started = start()
    callWith(started, [['/', 'high', 'low']])
    await started.clock.advanceAsync(10)
    expect(started.server.requests[0]!.headers).toEqual({})
    expect(JSON.stringify(started.server.requests[0]!.init ?? {})).not.toContain('rateLimit')
  })

  it('R76 a call that waits rises by one every agingMs, so that none starves', async () => {
    const started = start({ concurrency: 1 })
    const { f, server, clock } = started
    callWith(started, [
      ['/first', 'high'],
      ['/low', 'low'],
    ])
    // More of the highest comes than is served.
    for (let count = 0; count < 3000; count++) {
      if (count < 2500) void f(`${A}/high`, { priority: 'high' }).catch(() => undefined)
      await clock.advanceAsync(10)
      if (server.paths().at(-1) === '/low') break
    }
    expect(server.paths().at(-1)).toBe('/low')
    expect(server.at().at(-1)).toBe(20_000)
    f.dispose()
    await clock.advanceAsync(10)
  })

  it.each([
    [9_990, ['/high', '/low']],
    [20_000, ['/low', '/high']],
  ])('R76 one that has waited %i ms longer: %o', async (ms, order) => {
    const started = start()
    started.f.pause()
    callWith(started, [['/low', 'low']])
    await started.clock.advanceAsync(ms)
    callWith(started, [['/high', 'high']])
    started.f.configure({ concurrency: 1 })
    started.f.resume()
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(order)
  })

  it('R76 with agingMs Infinity nobody rises', async () => {
    const started = start({ agingMs: Infinity })
    started.f.pause()
    callWith(started, [['/low', 'low']])
    await started.clock.advanceAsync(1e9)
    callWith(started, [['/high', 'high']])
    started.f.configure({ concurrency: 1 })
    started.f.resume()
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(['/high', '/low'])
  })

  it('R66 the order at the reopening is priority, then arrival; a repeated call keeps its number', async () => {
    const started = start({ concurrency: 3 }, [200, tooMany(1), tooMany(1)])
    const { server, clock } = started
    callWith(started, [['/served'], ['/3'], ['/1', 'high']])
    await clock.advanceAsync(10)
    callWith(started, [['/4'], ['/2', 'high'], ['/5', 'low']])
    await clock.advanceAsync(5000)
    expect(server.paths().slice(3)).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })
})

it('R76 who has waited twice agingMs is as urgent as the most urgent, and has come before them', async () => {
  const started = start({ concurrency: 1, agingMs: 100 }, () => ({ status: 200, latencyMs: 150 }))
  const { server, clock } = started
  callWith(started, [['/first'], ['/low', 'low']])
  for (const path of ['/before', '/after']) {
    await clock.advanceAsync(100)
    callWith(started, [[path, 'high']])
  }
  await clock.advanceAsync(1000)
  expect(server.paths()).toEqual(['/first', '/before', '/low', '/after'])
})

describe('R117 the promotion', () => {
  it('R117 raises the priority of a call that waits: those who join it may be more urgent', async () => {
    const started = start({ concurrency: 1 })
    let promote!: (priority: Priority) => void
    callWith(started, [['/first'], ['/2']])
    const call = started.f(`${A}/low`, {
      rateLimit: { priority: 'low', promotion: (given) => (promote = given) },
    })
    callWith(started, [['/high', 'high'], ['/5']])
    promote('high')
    await started.clock.advanceAsync(100)
    await call
    // The earliest arrival of its new priority.
    expect(started.server.paths()).toEqual(['/first', '/low', '/high', '/2', '/5'])
  })

  it('R117 does not lower it, nor do anything to a call that is sent, asleep or settled', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500, 500, 500])
    const { f, server, clock } = started
    let promote!: (priority: Priority) => void
    callWith(started, [['/1']])
    const rateLimit: CallOptions = { promotion: (given) => (promote = given) }
    const call = watch(f(`${A}/2`, { rateLimit }), clock)
    callWith(started, [['/3', 'low']])
    for (let step = 0; step < 200; step++) {
      promote('low')
      if (step % 2) promote('auto')
      await clock.advanceAsync(10)
    }
    promote('high')
    expect(call.response?.status).toBe(200)
    expect(new Set(server.paths())).toEqual(new Set(['/1', '/2', '/3']))
  })

  it('R117 may be asked for at once', async () => {
    const started = start({ concurrency: 1 })
    callWith(started, [['/first'], ['/3']])
    const call = started.f(`${A}/2`, { rateLimit: { promotion: (promote) => promote('high') } })
    await started.clock.advanceAsync(100)
    await call
    expect(started.server.paths()).toEqual(['/first', '/2', '/3'])
  })
})
