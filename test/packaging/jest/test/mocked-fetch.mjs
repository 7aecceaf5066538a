// Typical mocks of `fetch`: they return only what the code under test reads.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { URL as OuterURL } from 'node:url'
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const url = 'https://api.test/things'

// Internal errors that must not fail a call are reported.
beforeEach(() => jest.spyOn(console, 'error'))
afterEach(() => {
  const { calls } = console.error.mock
  jest.restoreAllMocks()
  expect(calls).toEqual([])
})

function start(mock, options) {
  const clock = createManualClock()
  return { clock, fetch: createRateLimitedFetch({ fetch: mock, clock, random: () => 0.5, ...options }) }
}

/** Returns the state of a promise after `ms`. */
async function after(clock, promise, ms) {
  let outcome = 'pending'
  promise.then(
    (value) => (outcome = value),
    (error) => (outcome = error),
  )
  await clock.advanceAsync(ms)
  return outcome
}

/** Returns an error of Node itself, whose TypeError is not the class in the tests. */
function outerTypeError() {
  try {
    new OuterURL('none')
  } catch (error) {
    return error
  }
}

test('retries a network error of another realm', async () => {
  const error = outerTypeError()
  expect(error.name).toBe('TypeError')
  expect(error instanceof TypeError).toBe(false)
  const mock = jest.fn().mockRejectedValueOnce(error).mockResolvedValue({ status: 200 })
  const { clock, fetch } = start(mock)
  expect(await after(clock, fetch(url), 10_000)).toEqual({ status: 200 })
  expect(mock).toHaveBeenCalledTimes(2)
})

test.each([
  ['no headers', {}],
  ['headers with get alone', { headers: { get: () => null } }],
  ['headers with get that finds nothing', { headers: { get: () => undefined } }],
  ['headers that are a Map', { headers: new Map([['content-type', 'application/json']]) }],
  ['headers that are a plain object', { headers: { 'content-type': 'application/json' } }],
])('resolves with the object of a mock, with %s', async (_, members) => {
  const response = { status: 200, ok: true, json: async () => ({ name: 'thing' }), ...members }
  const mock = jest.fn(async () => response)
  const { clock, fetch } = start(mock)
  const body = JSON.stringify({ name: 'thing' })
  const headers = { 'content-type': 'application/json', 'idempotency-key': '1' }
  expect(await after(clock, fetch(url), 0)).toBe(response)
  expect(await after(clock, fetch(url, { method: 'POST', headers, body }), 0)).toBe(response)
  expect(mock.mock.calls.map(([asked]) => asked)).toEqual([url, url])
  expect(mock.mock.calls[1][1]).toMatchObject({ method: 'POST', body })
})

test.each([429, 500])('sends a request again after a %i without headers, too', async (status) => {
  const mock = jest.fn().mockResolvedValueOnce({ status, body: {} }).mockResolvedValue({ status: 200 })
  const { clock, fetch } = start(mock)
  expect(await after(clock, fetch(url), 10_000)).toEqual({ status: 200 })
  expect(mock).toHaveBeenCalledTimes(2)
})
