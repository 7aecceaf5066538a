import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, endOf, play, run, start, statesOf } from '../fixtures/start.ts'

const limited = (ratelimit: string, status = 200, more: Record<string, string> = {}): Answer => ({
  status,
  headers: { ratelimit, ...more },
})
const YEAR_S = 31_536_000

describe('a lying server', () => {
  it('a success with none left for a year closes the gate for maxGateMs, then one probe is sent', async () => {
    const answers = () => limited(`"a";r=0;t=${YEAR_S}`)
    const options = { maxWaitMs: Infinity }
    const { sent } = await run({ calls: '/1 /2 10:/3', answers, options, untilMs: 600_020 })
    expect(sent).toBe('0 0 600010')
  })

  it('a policy and a key named __proto__ are harmless', async () => {
    const answers = [limited('"__proto__";r=5;t=10, "constructor";r=3;t=10')]
    const options = { key: () => '__proto__' }
    const { f, ends } = await run({ calls: '/', answers, options, untilMs: 10 })
    expect(ends).toBe('200@10')
    expect(f.snapshot('__proto__')!.quota!.map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(f.snapshot().buckets)).toBe(null)
    expect(({} as Record<string, unknown>)['quota']).toBe(undefined)
  })

  it.each<[string, Answer[]]>([
    ['200 and 429 in turn', [200, tooMany(1)]],
    ['429 with no time, and 200', [tooMany(), 200]],
    ['endless Retry-After: 0', [tooMany(0)]],
    ['none left for no time, refused', [limited('"a";r=0;t=0', 429)]],
    ['less and more in turn', [limited('"a";r=1;t=1'), limited('"a";r=99999999;t=1')]],
    ['no concurrency', [limited('"a";r=0', 200, { 'ratelimit-policy': '"a";q=0;qu="concurrent-requests"' })]],
    [
      'X-RateLimit that counts up',
      [{ status: 200, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' } }],
    ],
  ])('%s: every call ends, none in a hot loop, and the snapshot never shows NaN', async (_, answers) => {
    const shown: string[] = []
    const onEvent = () => shown.push(inspect(f.snapshot(A), { depth: Infinity, getters: true }))
    const { f, server, clock } = start({ onEvent }, (__, index) => answers[index % answers.length]!)
    const calls = await play({ f, clock }, '*20 +2000000')
    expect(statesOf(calls)).not.toContain('pending')
    expect(server.requests.length).toBeLessThanOrEqual(60)
    expect(shown.join()).not.toContain('NaN')
  })

  it('maxRetries: Infinity never loops without a delay, and ends on abort', async () => {
    const started = start({ maxRetries: Infinity, random: () => 0.5 }, () => tooMany(0))
    const [call] = await play(started, '/ +3600000 abort +0')
    expect(endOf(call!)).toBe('AbortError@3600000')
    // The delays grow to 30 s.
    expect(started.server.requests.length).toBeLessThan(200)
  })
})
