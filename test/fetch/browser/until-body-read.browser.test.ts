import { createRateLimitedFetch, holdSlot, untilBodyRead } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { form, isOver, openBody, partsFor, READINGS } from '../fixtures/body-readings.ts'
import { exposed, script } from './script-server.ts'

vi.setConfig({ testTimeout: 10_000 })

describe('in a browser a body ends', () => {
  it.each(READINGS)('when read by %s, and not before', async (name, read) => {
    const { response, send, close } = openBody(form)
    const [one, two, all] = partsFor(name)
    const over = untilBodyRead(response)
    send(one)
    const reading = read(response)
    send(two)
    expect(await isOver(over)).toBe(false)
    close()
    expect(await reading).toEqual(all)
    expect(await isOver(over)).toBe(true)
  })

  it('when a clone of it has been read', async () => {
    const { response, send, close } = openBody()
    const over = untilBodyRead(response)
    const copy = response.clone()
    send('one')
    const reading = copy.text()
    expect(await isOver(over)).toBe(false)
    close()
    expect(await reading).toBe('one')
    expect(await isOver(over)).toBe(true)
    expect(await response.text()).toBe('one')
  })

  it('when it and its clone were cancelled', async () => {
    const { response, cancelled } = openBody()
    const over = untilBodyRead(response)
    const copy = response.clone()
    const first = response.body!.cancel()
    expect(await isOver(over)).toBe(false)
    await Promise.all([first, copy.body!.cancel()])
    expect(await isOver(over)).toBe(true)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  it('when reading stopped midway, or failed', async () => {
    const left = openBody()
    const overLeft = untilBodyRead(left.response)
    left.send('one')
    for await (const chunk of left.response.body!.values()) {
      expect(chunk).toHaveLength(3)
      break
    }
    expect(await isOver(overLeft)).toBe(true)
    const failed = openBody()
    const overFailed = untilBodyRead(failed.response)
    const reading = failed.response.text()
    failed.fail(new Error('broken'))
    await expect(reading).rejects.toThrow()
    expect(await isOver(overFailed)).toBe(true)
  })

  it('for a real response, which holds its slot until then', async () => {
    const answer = { status: 200, headers: exposed({}), body: 'content' }
    const place = await script(0, [answer, answer])
    const f = createRateLimitedFetch({ concurrency: 1, policies: [holdSlot(untilBodyRead)] })
    const response = await f(`${place.url}1`)
    const second = f(`${place.url}2`)
    expect(await isOver(second.then(() => undefined))).toBe(false)
    expect(f.snapshot(place.origin)).toMatchObject({ queued: 1, inFlight: 0 })
    expect(await response.text()).toBe('content')
    await (await second).body!.cancel()
    expect(await place.log()).toHaveLength(2)
  })
})
