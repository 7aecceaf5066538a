import { warnOfHiddenFields } from 'lull/fetch'
import { expect, it, vi } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, B, run, start, statusesOf, watch } from '../fixtures/start.ts'

function spyOnWarn(): string[] {
  const texts: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((text) => void texts.push(String(text)))
  return texts
}

/** A response as a page sees it from another origin. */
const ofOtherOrigin = (status: number, headers: Record<string, string> = {}): Response =>
  Object.defineProperty(new Response(null, { status, headers }), 'type', { value: 'cors' })

it('warns once per origin of a refusal without a readable wait, with the fields to expose', async () => {
  const warnings = spyOnWarn()
  const { f, clock } = start({ policies: [warnOfHiddenFields()] }, ({ at }) =>
    at < 5000 ? ofOtherOrigin(429) : 200,
  )
  for (const url of [A, A, B]) void watch(f(url), clock)
  await clock.advanceAsync(100_000)
  expect(warnings).toHaveLength(2)
  for (const [index, origin] of [A, B].entries()) {
    expect(warnings[index]).toContain(`${origin} refused a request`)
    expect(warnings[index]).toContain(
      'Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, Date',
    )
  }
})

it.each<[string, () => Response | { status: number }]>([
  ['a refusal with a time', () => ofOtherOrigin(429, { 'retry-after': '1' })],
  ['a refusal whose RateLimit can be read', () => ofOtherOrigin(429, { ratelimit: '"a";r=0;t=1' })],
  ['fields that name no wait', () => ofOtherOrigin(429, { ratelimit: '"a";r=5;t=1' })],
  ['a refusal of the own origin', () => tooMany()],
  ['a 503 without a time, which is a failure', () => ofOtherOrigin(503)],
  ['a success', () => ofOtherOrigin(200)],
])('%s is not warned of', async (_, answer) => {
  const warnings = spyOnWarn()
  const options = { policies: [warnOfHiddenFields()] }
  const { outcomes } = await run({ calls: '/', answers: [answer()], options })
  expect(statusesOf(outcomes)).toEqual([200])
  expect(warnings).toEqual([])
})
