import { expect, it } from 'vitest'
import { listen, said } from '../listen.ts'
import { usePages } from '../page-fixture.ts'

const open = usePages()

it('learns the pace from what is refused, with a ramp after each pause', async () => {
  const { page, button, count, sent, settle } = await open()
  await settle({ ratePerSecond: 15, burst: 5, headers: 'retry-after' })
  const pace = page.getByTestId('pace')
  expect(await pace.innerText()).toBe('nothing learned yet')
  expect(await page.getByTestId('policies').innerText()).toBe('not named yet')
  await listen(page, '[data-testid="window"] .visually-hidden')
  await button('Send 60 calls').click()
  await page.getByTestId('gate').getByText('Length from: Retry-After, in seconds.').waitFor()
  await pace.getByText('from refusals').waitFor()
  await button('Send 60 calls').waitFor()

  expect((await said(page)).join()).toContain(
    'none in flight, then one,at most 1 in flight,at most 2 in flight,at most 4 in flight',
  )
  const pauses = page.getByTestId('pauses').getByRole('listitem')
  expect(await pauses.count()).toBeGreaterThan(0)
  for (const pause of await pauses.all()) expect(await pause.innerText()).toMatch(/\d\.\d s/)
  expect(sent.length).toBeGreaterThanOrEqual(60)
  // How many more depends on how busy the machine is; each call is sent three times at most.
  expect(sent.length).toBeLessThanOrEqual(180)
  // The counters are of what is typed.
  expect(await count('count-requests')).toBe(0)
  expect(await count('count-refused')).toBe(0)
})

it('shows the policy that the server names, what is left of it, and the pace that follows', async () => {
  const { page, button, settle } = await open()
  await settle({ ratePerSecond: 10, burst: 10, headers: 'ratelimit' })
  await button('Send 60 calls').click()
  const policies = page.getByTestId('policies')
  await policies.getByText('“search”: 10 in 1 s').waitFor()
  await policies.getByText(/^\d left for 1 s$/).waitFor()
  await page.getByTestId('pace').getByText('10/s, burst 10').waitFor()
  await page.getByTestId('pace').getByText('from headers').waitFor()
  await page.getByTestId('gate').getByText('Keeping to the limit that the server names.').waitFor()
  await button('Stop sending').click()
  // What was left is not known for longer.
  await policies.getByText('–').waitFor()
})

it.each([
  ['date', 'too many requests. Next try in', 'Retry-After, a date'],
  ['ratelimit', 'nothing is left. Next try in', 'RateLimit, its window'],
  ['x-ratelimit', 'nothing is left. Next try in', 'X-RateLimit-Reset'],
  ['none', 'too many requests, and not for how long. Next try in', 'our own backoff'],
] as const)('says why nothing is sent, and by which field: %s', async (headers, words, source) => {
  const { page, countdown, settle, type, refuse } = await open()
  await settle({ headers })
  await refuse()
  await type('lima')
  await countdown.getByText(words).waitFor()
  await page.getByTestId('gate').getByText(`Length from: ${source}.`).waitFor()
  await page.getByTestId('pauses').getByText(source).first().waitFor()
})

it('sends what is typed before the calls that wait, and nothing more of these when told to stop', async () => {
  const { page, button, count, sent, type, shows } = await open()
  await button('Send 60 calls').click()
  await page.getByTestId('pauses').waitFor()
  await type('bern')
  await shows('bern')
  expect(await count('queued')).toBeGreaterThan(20)
  await button('Stop sending').click()
  await button('Send 60 calls').waitFor()
  expect(await count('queued')).toBe(0)
  const before = sent.length
  await type('e')
  await shows('berne')
  expect(sent.slice(before)).toEqual(['berne'])
})

it('tells of a pause once, and not of every second', async () => {
  const { page, countdown, refuse, type, shows } = await open()
  await refuse()
  await listen(page, '.gate-words [role="status"]')
  await type('lima')
  await countdown.getByText('Next try in 1 s').waitFor()
  await shows('lima')
  const [told, ...later] = await said(page)
  expect(told).toMatch(/^The server said: too many requests\. Nothing is sent for [1-4] s\.$/)
  expect(later).toEqual([''])
})
