import { type FetchEvent, type RateLimitedFetch, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, answersOf, B, callAll, endOf, paths, play, start, statesOf } from '../fixtures/start.ts'

const IDLE = { queued: 0, sleeping: 0, inFlight: 0 }

/** How often each call settled without a response: always 1. */
function endsOf(events: readonly FetchEvent[]): Record<number, number> {
  const ends: Record<number, number> = {}
  for (const event of events)
    if (event.type === 'drop' || event.type === 'abort') ends[event.call] = (ends[event.call] ?? 0) + 1
  return ends
}

/** User functions that run an action once, inside an event or an option. */
function startActing(
  where: string,
  act: (f: RateLimitedFetch, abort: () => void) => void,
  answers: string,
  options: RateLimitedFetchOptions = {},
) {
  const controller = new AbortController()
  const reason = new Error('mine')
  const events: FetchEvent[] = []
  let isDone = false
  const once = <Value>(value: Value): Value => {
    const isFirst = !isDone
    isDone = true
    if (isFirst) act(started.f, () => controller.abort(reason))
    return value
  }
  const hooks: Record<string, RateLimitedFetchOptions> = {
    key: { key: () => once('key') },
    admit: { policies: [() => ({ admit: () => once(undefined) })] },
    isThrottled: { isThrottled: () => once(false) },
    shouldRetry: { shouldRetry: () => once(undefined) },
    backoff: { backoff: () => once(10) },
    random: { random: () => once(0.5) },
  }
  const onEvent = (event: FetchEvent): void => {
    events.push(event)
    if (event.type === where) once(undefined)
  }
  const started = start({ random: () => 0.5, onEvent, ...hooks[where], ...options }, answersOf(answers))
  return { ...started, events, signal: controller.signal, reason }
}

it.each<[where: string, answers: string, sent: number, ends: string[]]>([
  ['key', '', 0, ['AbortError@0', 'AbortError@0']],
  ['admit', '', 0, ['AbortError@0', 'AbortError@0']],
  ['enqueue', '429/1', 0, ['AbortError@0', 'AbortError@0']],
  ['dispatch', '429/1', 1, ['429@10', 'AbortError@0']],
  ['dispatch', '500', 1, ['500@10', 'AbortError@0']],
  ['dispatch', 'x', 1, ['TypeError@10', 'AbortError@0']],
  ['response', '429/1', 2, ['AbortError@10', '200@10']],
  ['throttled', '429/1', 2, ['AbortError@10', '200@10']],
  ['gate-closed', '429/1', 2, ['AbortError@10', '200@10']],
  ['retry', '429/1', 2, ['AbortError@10', '200@10']],
  ['error', 'x', 2, ['AbortError@10', '200@10']],
  ['isThrottled', '500 500', 2, ['500@10', '500@10']],
  ['shouldRetry', '500 500', 2, ['500@10', '500@10']],
  ['backoff', '500 500', 2, ['500@10', '500@10']],
  ['random', '500 500', 2, ['500@10', '500@10']],
])(
  'dispose inside %s after %s: what is not in flight is rejected, and nothing is sent afterwards',
  async (where, answers, sent, ends) => {
    const started = startActing(where, (f) => f.dispose(), answers)
    const calls = await play(started, '*2 +100000')
    expect([started.server.requests.length, calls.map(endOf)]).toEqual([sent, ends])
  },
)

describe('abort inside a user function', () => {
  it.each([
    ['admit', '', 0],
    ['dispatch', '', 0],
    ['throttled', '429/1', 10],
    ['gate-closed', '429/1', 10],
    ['retry', '429/1', 10],
    ['response', '429/1', 10],
    ['error', 'x', 10],
    ['backoff', '500', 10],
    ['backoff', '429/1', 10],
    ['random', '500', 10],
    ['shouldRetry', '500', 10],
    ['isThrottled', '500', 10],
  ])('%s after %s: the call rejects at once, and is not retried', async (where, answers, at) => {
    const options = { totalTimeoutMs: 5000 }
    const started = startActing(where, (_, abort) => abort(), answers, options)
    const { f, server, events, signal, reason } = started
    const [call] = await play(started, '/ +5010', { signal })
    expect(call).toMatchObject({ state: 'rejected', at })
    expect(call!.error).toBe(reason)
    expect(server.calls).toBe(at === 0 ? 0 : 1)
    expect(f.snapshot(A)).toMatchObject(IDLE)
    expect(endsOf(events)).toEqual({ 1: 1 })
    if (where === 'admit') expect(events.at(-1)).toMatchObject({ type: 'abort', phase: 'queued' })
  })

  it('key: the call rejects at once, and is neither queued nor sent', async () => {
    const started = startActing('key', (_, abort) => abort(), '')
    const [call] = await play(started, 'pause / +0', { signal: started.signal })
    expect(call).toMatchObject({ state: 'rejected', error: started.reason })
    await play(started, 'resume +0')
    expect(started.server.calls).toBe(0)
  })

  it('on a drop event: each call settles once, also with dispose', async () => {
    const started = startActing('drop', (_, abort) => abort(), '')
    const calls = await play(started, 'pause *3 dispose +0', { signal: started.signal })
    expect(statesOf(calls)).toEqual(Array(3).fill('rejected'))
    expect(endsOf(started.events)).toEqual({ 1: 1, 2: 1, 3: 1 })
  })
})

describe('a second call of a new origin counts in the same bucket', () => {
  it('if a listener makes it', () => {
    const { f, clock } = start()
    const stop = f.subscribe(() => {
      stop()
      callAll({ f, clock }, ['/2'])
    })
    callAll({ f, clock }, ['/1'])
    expect(f.snapshot()).toMatchObject({ inFlight: 2, buckets: { [A]: { inFlight: 2 } } })
  })

  it('if it is made when another bucket is removed', async () => {
    const onEvent = ({ type }: FetchEvent): unknown => type === 'gate-opened' && f(B)
    const { f, clock } = start({ maxBuckets: 1, maxRetries: 0, onEvent }, answersOf('429/1'))
    await play({ f, clock }, `/1 +100000 ${B}`)
    expect(f.snapshot()).toMatchObject({ inFlight: 2, buckets: { [B]: { inFlight: 2 } } })
  })
})

it.each(['listener', 'gate-opened'])('a call to an origin being removed counts once: %s', async (where) => {
  let isRemoving = false
  const callAgain = (): void => {
    if (!isRemoving) return
    isRemoving = false
    void f(A)
  }
  const onEvent = ({ type }: FetchEvent): unknown => type === where && callAgain()
  const { f, clock } = start({ maxBuckets: 0, maxRetries: 0, onEvent }, answersOf('429/1'))
  await play({ f, clock }, '/ +60010')
  isRemoving = true
  const stop = where === 'listener' ? f.subscribe(callAgain) : undefined
  void f(B)
  stop?.()
  const buckets = { [A]: { inFlight: 1 }, [B]: { inFlight: 1 } }
  expect(f.snapshot()).toMatchObject({ inFlight: 2, buckets })
  await clock.advanceAsync(10)
  expect(f.snapshot()).toMatchObject({ inFlight: 0, buckets: { [A]: { inFlight: 0 } } })
})

it('configure, pause and reset on every event lose no call', async () => {
  let count = 0
  const acts: ((f: RateLimitedFetch) => void)[] = [
    (f) => f.configure({ concurrency: (count % 3) + 1 }),
    (f) => f.pause(A),
    (f) => f.reset(),
    (f) => f.resume(A),
    (f) => f.configure({ maxQueue: 100, ratePerSecond: 1000 }),
  ]
  const started = start({ onEvent: () => acts[count++ % 5]!(started.f) }, answersOf('429/1 500 x'))
  const calls = callAll(started, paths(20))
  for (let second = 0; second < 60; second++) await play(started, `resume=${A} +1000`)
  expect(statesOf(calls)).not.toContain('pending')
  expect(started.f.snapshot(A)).toMatchObject(IDLE)
  started.f.resume()
})
