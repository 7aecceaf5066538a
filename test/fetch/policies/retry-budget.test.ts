import { retryBudget, type ComposeOptions, type RetryBudgetOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, compose, type Composed, paths, play, statusesOf } from '../fixtures/start.ts'

const NEVER = { reserveMs: Infinity }

/** A failure that is not retried. */
const LAST = 501

/** A fetch with a budget that time does not refill. */
const startWith = (capacity: number, answers?: Parameters<typeof compose>[2], options: ComposeOptions = {}) =>
  compose([retryBudget({ capacity, ...NEVER })], options, answers)

function level({ f }: Composed): number {
  // A snapshot is from the last change.
  f.pause(A)
  f.resume(A)
  return f.snapshot(A)!.budget!
}

describe('an empty budget', () => {
  it.each([
    [[], 90, 503],
    [[retryBudget(NEVER)], 40, 503],
    [[retryBudget(NEVER)], 40, 408],
    [[retryBudget({ capacity: 5, ...NEVER })], 35, 503],
  ])('limits the requests of 30 calls to a server that is down', async (policies, requests, status) => {
    const started = compose(policies, {}, () => status)
    const steps = paths(30).map((path, index) => `+${index} ${path}`)
    const outcomes = await play(started, [...steps, '+100000'].join(' '))
    expect(statusesOf(outcomes)).toEqual(Array(30).fill(status))
    expect(started.server.calls).toBe(requests)
  })

  it('keeps nothing for a planned retry whose call is aborted', async () => {
    const started = startWith(1, () => 503, { backoff: () => 1000 })
    await play(started, '/1 +10 abort /2 +10000')
    expect(started.server.paths()).toEqual(['/1', '/2', '/2'])
  })

  it('returns the unread response and reports the reason in the event', async () => {
    const started = startWith(1, () => ({ status: 503, body: 'why' }))
    const outcomes = await play(started, '/1 /2 +20')
    for (const { response } of outcomes)
      expect([response!.status, await response!.text()]).toEqual([503, 'why'])
    // The budget can pay only one of the two planned retries.
    const giveUps = started.events.filter(({ type }) => type === 'give-up')
    expect(giveUps).toMatchObject([2, 1].map((call) => ({ call, reason: 'budget' })))
  })
})

it.each<[string, Answer, number]>([
  ['429 with a time', tooMany(1), 0.5],
  ['429 with the time 0', tooMany(0), 0.5],
  ['503 with a time', { status: 503, headers: { 'retry-after': '1' } }, 0.5],
  ['429 with a time of another header', { status: 429, headers: { 'retry-after-ms': '1000' } }, 0.5],
  ['429 without a time', tooMany(), 1],
  ['429 with a time that is none', tooMany('soon'), 1],
  ['503 without a time', 503, 1],
  ['500 with a time, which is no throttle', { status: 500, headers: { 'retry-after': '1' } }, 1],
  ['a network error', networkError(), 1],
])('a retry after %s costs %d, when it is sent', async (_, answer, cost) => {
  const started = startWith(10, [answer, LAST])
  await play(started, '/ +9')
  expect(level(started)).toBe(10)
  await started.clock.advanceAsync(5000)
  expect([started.server.calls, level(started)]).toEqual([2, 10 - cost])
})

/** A budget whose calls fail and pass after a number of retries; `rest` takes ms. Returns the remaining amount. */
function open(options?: RetryBudgetOptions) {
  const answers: Answer[] = []
  const started = compose([retryBudget(options)], { maxRetries: Infinity }, () => ({
    ...(answers.shift() as { status: number }),
    latencyMs: 0,
  }))
  return async (what: string, much: number): Promise<number> => {
    if (what === 'rest') await started.clock.advanceAsync(much)
    else {
      answers.splice(0, answers.length, ...Array<Answer>(much).fill({ status: 500 }))
      answers.push({ status: what === 'pass' ? 200 : LAST })
      void started.f(A)
      for (let step = 0; step <= much; step++) await started.clock.advanceAsync(0)
    }
    return level(started)
  }
}

it.each<[string, RetryBudgetOptions | undefined, string]>([
  ['starts full, at 10', undefined, 'pass:0=10'],
  ['starts full, at its capacity', { capacity: 3 }, 'pass:0=3'],
  [
    'pays for a retry, and gains 0.1 for a success without one',
    NEVER,
    'fail:1=9 fail:2=7 pass:0=7.1 pass:0=7.2',
  ],
  ['regains the cost of a retry on its success', NEVER, 'fail:3=7 pass:2=7'],
  ['holds no more than its capacity', { capacity: 2, ...NEVER }, 'pass:0=2 fail:1=1 pass:1=1'],
  ['gains 1 in 10 s', undefined, 'fail:10=0 rest:5000=0.5 rest:5000=1 fail:1=0 rest:1e9=10 fail:1=9'],
  ['has a deposit and a reserve', { deposit: 0.5, reserveMs: 1000 }, 'fail:5=5 pass:0=5.5 rest:1000=6.5'],
  ['may have neither', { deposit: 0, ...NEVER }, 'fail:5=5 pass:0=5 rest:1e12=5'],
])('the balance of a retry budget %s', async (_, options, steps) => {
  const take = open(options)
  for (const step of steps.split(' ')) {
    const [what, much, left] = step.split(/[:=]/)
    expect(await take(what!, Number(much))).toBeCloseTo(Number(left), 9)
  }
})
