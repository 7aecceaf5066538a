import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { listen, tooMany, type Reply } from './loopback.ts'
import { startReal } from './start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

/** The end of this tick: every continuation has run, but nothing new has come from outside. */
const endOfTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Never answers; what it was asked is seen in `arrived`. */
const silence = (): Reply => undefined

describe('R102 to R106 over HTTP, an abort rejects in its own tick, with its own reason', () => {
  const reason = { of: 'the caller' }

  /** Aborts the call, and answers what has become of it when the tick ends. */
  async function abort(call: Promise<unknown>, controller: AbortController): Promise<unknown> {
    const seen = vi.fn()
    call.catch(seen)
    await endOfTick()
    expect(seen).not.toHaveBeenCalled()
    controller.abort(reason)
    await endOfTick()
    expect(seen).toHaveBeenCalledOnce()
    return seen.mock.calls[0]![0]
  }

  it('R105 in flight, and the connection is closed', async () => {
    const { origin, arrived } = await listen(silence)
    const { f } = startReal()
    const controller = new AbortController()
    const call = f(new Request(`${origin}/`, { signal: controller.signal }))
    await vi.waitFor(() => expect(arrived).toHaveLength(1))
    const closed = once(arrived[0]!.response, 'close')
    expect(await abort(call, controller)).toBe(reason)
    await closed
    expect(f.snapshot(origin)).toMatchObject({ inFlight: 0, sleeping: 0 })
    expect(arrived).toHaveLength(1)
  })

  it('R106 while the body is read, which is what rejects then', async () => {
    const { origin } = await listen(({ response }) => {
      response.writeHead(200).write('a beginning')
      return undefined
    })
    const { f, events } = startReal()
    const controller = new AbortController()
    const response = await f(`${origin}/`, { signal: controller.signal })
    expect(await abort(response.text(), controller)).toBe(reason)
    expect(events.filter(({ type }) => type === 'abort')).toEqual([])
  })

  it('R109 the time limit of the caller covers queue, attempts and sleeps', async () => {
    const { origin } = await listen(() => tooMany(5))
    const { f } = startReal()
    const signal = AbortSignal.timeout(30)
    const error = await f(`${origin}/`, { signal }).catch((rejection: unknown) => rejection)
    expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(error).toBe(signal.reason)
    expect(f.snapshot(origin)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
  })
})
