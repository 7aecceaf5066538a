import { describe, expect, it, vi } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, B, callAll, paths, start, statesOf, tick, watch } from '../fixtures/start.ts'

describe('R60 by hand', () => {
  it('R60 pause holds back all that is not sent, of every bucket, until resume', async () => {
    const { f, server, clock } = start()
    const calls = [f(`${A}/1`)]
    f.pause()
    calls.push(f(`${A}/2`), f(`${B}/3`))
    await clock.advanceAsync(100_000)
    expect(server.paths()).toEqual(['/1'])
    expect(f.snapshot()).toMatchObject({
      queued: 2,
      inFlight: 0,
      gate: { open: false, remainingMs: Infinity },
    })
    f.resume()
    await clock.advanceAsync(0)
    expect(server.paths()).toEqual(['/1', '/2', '/3'])
    await clock.advanceAsync(10)
    await Promise.all(calls)
  })

  it('R60 pause and resume of one key leave the others alone', async () => {
    const { f, server, clock } = start()
    const calls = [f(`${A}/1`), f(`${B}/1`)]
    f.pause(A)
    calls.push(f(`${A}/2`), f(`${B}/2`))
    expect(server.paths()).toEqual(['/1', '/1', '/2'])
    f.resume(B)
    expect(f.snapshot(A)?.queued).toBe(1)
    f.resume(A)
    await clock.advanceAsync(10)
    await Promise.all(calls)
    expect(server.requests).toHaveLength(4)
  })

  it('R60 resume of one key leaves those paused that come later', async () => {
    const { f, server, clock } = start()
    f.pause()
    const calls = [f(`${A}/1`)]
    f.resume(A)
    calls.push(f(`${B}/2`), f(`${A}/3`))
    await clock.advanceAsync(0)
    expect(server.paths()).toEqual(['/1', '/3'])
    f.resume()
    await clock.advanceAsync(10)
    await Promise.all(calls)
  })

  it('R60 resume lets those go, too, that come later', async () => {
    const { f, server, clock } = start()
    f.pause()
    f.resume()
    const call = f(`${A}/`)
    expect(server.requests).toHaveLength(1)
    await clock.advanceAsync(10)
    expect((await call).status).toBe(200)
  })

  it('R60 the pause by hand and the gate of the server are independent: both must be open', async () => {
    const started = start({}, [tooMany(1)])
    const { f, server, clock } = started
    callAll(started, paths(1))
    await clock.advanceAsync(10)
    f.pause()
    f.resume()
    await clock.advanceAsync(500)
    expect(server.requests).toHaveLength(1)
    f.pause()
    await clock.advanceAsync(5000)
    expect(server.requests).toHaveLength(1)
    f.resume()
    await clock.advanceAsync(0)
    expect(server.at()).toEqual([0, 5510])
    await clock.advanceAsync(10)
  })

  it('R60 reset forgets what the server has asked for, and what was sent', async () => {
    const started = start({ ratePerSecond: 1, burst: 1 }, [tooMany(10)])
    const { f, server, clock } = started
    callAll(started, paths(1))
    await clock.advanceAsync(10)
    f.reset()
    await clock.advanceAsync(0)
    expect(server.at()).toEqual([0, 10])
    expect(f.snapshot(A)).toMatchObject({ gate: { open: true }, window: Infinity, inFlight: 1 })
    await clock.advanceAsync(10)
  })

  it('R60 reset of one key leaves the others alone', async () => {
    const { f, server, clock } = start({}, [tooMany(1), tooMany(1)])
    const calls = [f(`${A}/`), f(`${B}/`)]
    await clock.advanceAsync(10)
    f.reset(B)
    await clock.advanceAsync(0)
    expect(server.requests.slice(2).map(({ url }) => url)).toEqual([`${B}/`])
    await clock.advanceAsync(2000)
    await Promise.all(calls)
    expect(server.at()).toEqual([0, 0, 10, 1010])
  })

  it('R40 what is refused after a reset, having been sent before it, is not sent again at once', async () => {
    const started = start({}, [tooMany(2)])
    const { f, server, clock, events } = started
    callAll(started, paths(1))
    f.reset()
    await clock.advanceAsync(10)
    expect(f.snapshot(A)?.gate.open).toBe(true)
    await clock.advanceAsync(5000)
    expect(server.at()).toEqual([0, 2010])
    // The gate has heard nothing of it.
    expect(events.filter(({ type }) => type.startsWith('gate'))).toEqual([])
  })
})

describe('R80 dispose', () => {
  it('R80 rejects what is queued, gated and asleep with an AbortError, and later calls too', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500])
    const { f, server, clock, events } = started
    const calls = callAll(started, ['/asleep'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/in-flight', '/queued']))
    f.dispose()
    expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 1 })
    const later = watch(f(`${A}/later`), clock)
    await tick()
    expect(statesOf(calls)).toEqual(['rejected', 'pending', 'rejected'])
    for (const { error } of [calls[0]!, calls[2]!, later]) {
      expect(error).toMatchObject({ name: 'AbortError' })
      expect((error as Error).message).toBe('Disposed of')
    }
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(10)
    expect(calls[1]!.response?.status).toBe(200)
    expect(server.paths()).toEqual(['/asleep', '/in-flight'])
    expect(events.filter(({ type }) => type === 'drop')).toMatchObject([
      { call: 3, reason: 'disposed' },
      { call: 1, reason: 'disposed' },
    ])
  })

  it('R80 is what Symbol.dispose does, and once is enough', async () => {
    const started = start()
    const { f, clock } = started
    f.pause()
    const [call] = callAll(started, paths(1))
    f[Symbol.dispose]()
    f[Symbol.dispose]()
    f.dispose()
    await tick()
    expect(call!.error).toMatchObject({ name: 'AbortError' })
    expect(clock.pending).toBe(0)
  })

  it('R80 lets go of the signals and of the timers', async () => {
    const { f, clock } = start({}, [tooMany(1)])
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const call = watch(f(`${A}/1`, { signal }), clock)
    await clock.advanceAsync(10)
    const removed = vi.spyOn(signal, 'removeEventListener')
    expect(clock.pending).toBe(1)
    f.dispose()
    await tick()
    expect(call.state).toBe('rejected')
    expect(clock.pending).toBe(0)
    expect(add).toHaveBeenCalled()
    expect(removed).toHaveBeenCalled()
  })

  it.each([
    ['429', tooMany(1)],
    ['500', 500],
    ['network error', networkError()],
  ] as const)(
    'R80 what is in flight finishes with what comes, and is not sent again: %s',
    async (_, answer) => {
      const started = start({ random: () => 0.5 }, [answer])
      const { f, server, clock } = started
      const [call] = callAll(started, paths(1))
      f.dispose()
      await clock.advanceAsync(10)
      expect(call!.state).not.toBe('pending')
      expect(clock.pending).toBe(0)
      await clock.advanceAsync(5000)
      expect(server.requests).toHaveLength(1)
    },
  )
})
