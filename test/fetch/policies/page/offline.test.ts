import { beforeEach, describe, expect, it } from 'vitest'
import { pageLifecycle, type ComposeOptions, type PageLifecycleOptions } from 'lull/fetch'
import { createPage, type Page } from '../../fixtures/fake-page.ts'
import { networkError } from '../../fixtures/fake-server.ts'
import { A, callAll, statusesOf } from '../../fixtures/start.ts'
import { compose } from '../../fixtures/compose.ts'

const start = (
  { offline, policies = [], ...options }: ComposeOptions & PageLifecycleOptions = {},
  answers?: Parameters<typeof compose>[2],
) => compose([pageLifecycle({ offline }), ...policies], options, answers)

const post: RequestInit = { method: 'POST' }

let page: Page

beforeEach(() => {
  page = createPage()
})

describe('offline', () => {
  it('by default is a network error like any other', async () => {
    const started = start({}, () => networkError())
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(1000)
    expect(calls[0]!.state).toBe('rejected')
    expect(started.server.requests).toHaveLength(3)
  })

  it('with wait, the call waits for the online event, and that costs no attempt', async () => {
    const started = start({ offline: 'wait', maxRetries: 1 }, [
      networkError(),
      networkError(),
      networkError(),
      500,
    ])
    const { f, server, clock } = started
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await clock.advanceAsync(3_600_000)
    expect(server.requests).toHaveLength(1)
    expect(f.snapshot(A)).toMatchObject({ sleeping: 1, queued: 0, inFlight: 0 })
    for (let time = 0; time < 2; time++) {
      page.emit('online') // Which it is not.
      page.isOnline = true
      page.emit('online')
      page.isOnline = false
      await clock.advanceAsync(1000)
    }
    expect(server.requests).toHaveLength(3)
    page.isOnline = true
    page.emit('online')
    // One attempt is what came of it all; one repeat is left.
    await clock.advanceAsync(1000)
    expect(server.requests).toHaveLength(5)
    expect(statusesOf(calls)).toEqual([200])
  })

  it.each(['heard', 'not heard'])('the wait is told as a retry of no known delay: %s', async (how) => {
    const error = networkError()
    const started = start({ offline: 'wait', ...(how === 'not heard' && { onEvent: undefined }) }, [error])
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    expect(started.events.slice(2)).toEqual(
      how === 'heard'
        ? [
            { type: 'error', key: A, at: 10, call: 1, attempt: 1, error },
            { type: 'retry', key: A, at: 10, call: 1, attempt: 1, delayMs: Infinity, reason: 'failure' },
          ]
        : [],
    )
    page.isOnline = true
    page.emit('online')
    await started.clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200])
  })

  it('a first attempt is always made, for onLine may lie', async () => {
    const started = start({ offline: 'wait' })
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200])
  })

  it('a POST does not wait, for it is not sent again', async () => {
    const started = start({ offline: 'wait' }, [networkError()])
    page.isOnline = false
    const calls = callAll(started, ['/1'], post)
    await started.clock.advanceAsync(10)
    expect(calls[0]!.error).toBeInstanceOf(TypeError)
  })

  it.each<[string, RequestInit, number]>([
    ['at the last attempt', { method: 'PUT', body: 'body' }, 0],
    ['after repeats', { method: 'PUT', body: 'body' }, 2],
  ])('a body is sent again whole when the browser is online: %s', async (_, init, maxRetries) => {
    const started = start({ offline: 'wait', maxRetries }, [
      ...Array.from({ length: maxRetries }, () => 500),
      networkError(),
      networkError(),
    ])
    const { server, clock } = started
    const calls = callAll(started, ['/1'], init)
    await clock.advanceAsync(1 + 10 * maxRetries)
    page.isOnline = false
    for (let time = 0; time < 2; time++) {
      await clock.advanceAsync(100)
      page.isOnline = true
      page.emit('online')
      page.isOnline = false
    }
    await clock.advanceAsync(100)
    expect(calls.map(({ response, error }) => response?.status ?? error)).toEqual([200])
    for (const { body } of server.requests) expect(new TextDecoder().decode(await body)).toBe('body')
  })
})
