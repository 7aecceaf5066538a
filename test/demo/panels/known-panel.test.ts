import { expect, it } from 'vitest'
import { recordedTexts, recordTexts } from '../record-texts.ts'
import { open } from '../page-fixture.ts'

it('learns the pace from refusals, with a ramp after each pause', async () => {
  const { page, button, count, sent, changeServer } = await open()
  await changeServer({ ratePerSecond: 15, burst: 5, headers: 'retry-after' })
  const pace = page.getByTestId('pace')
  expect(await pace.innerText()).toBe('nothing learned yet')
  expect(await page.getByTestId('policies').innerText()).toBe('Not named by the server yet')
  await recordTexts(page, '[data-testid="window"] .visually-hidden')
  await button('Send 60 calls').click()
  await page.getByTestId('gate').getByText('The time comes from the Retry-After header.').waitFor()
  await pace.getByText('from refusals').waitFor()
  await button('Send 60 calls').waitFor()

  expect((await recordedTexts(page)).join()).toContain(
    'none in flight, then one,at most 1 in flight,at most 2 in flight,at most 4 in flight',
  )
  const pauses = page.getByTestId('pauses').getByRole('listitem')
  expect(await pauses.count()).toBeGreaterThan(0)
  for (const pause of await pauses.all()) expect(await pause.innerText()).toMatch(/\d\.\d s/)
  expect(sent.length).toBeGreaterThanOrEqual(60)
  // Each call has at most three attempts; the exact number depends on the load of the machine.
  expect(sent.length).toBeLessThanOrEqual(180)
  expect(await count('count-requests')).toBe(sent.length)
  expect(await count('count-refused')).toBeGreaterThan(0)
  await page.getByText('Typed: 0 keystrokes → 0 requests').waitFor()
})

it('shows the named policy of the server, its remaining quota, and the resulting pace', async () => {
  const { page, button, changeServer, search } = await open()
  await changeServer({ ratePerSecond: 10, burst: 10, headers: 'ratelimit' })
  await recordTexts(page, '[data-testid="policies"], [data-testid="gate"]')
  await button('Send 60 calls').click()
  const policies = page.getByTestId('policies')
  await policies.getByText('“search”: 10 in 1 s').waitFor()
  await page.getByTestId('pace').getByText('10/s, burst 10').waitFor()
  await page.getByTestId('pace').getByText('from headers').waitFor()
  await button('Send 60 calls').waitFor()
  // On a busy machine these are gone before they could be waited for.
  const texts = (await recordedTexts(page)).join()
  expect(texts).toMatch(/10 in 1 s\d+ left for 1 s/)
  expect(texts).toContain('Keeping to the limit named by the server.')
  // The quota has expired.
  await policies.getByText('–').waitFor()
  await page.getByText('The server’s limit', { exact: true }).waitFor()
  await changeServer({ headers: 'none' })
  await search('bern')
  await page.getByText('Limit last named', { exact: true }).waitFor()
  await page.reload()
  await search('bern')
  await page.getByText('Limit kept from before', { exact: true }).waitFor()
})

it.each([
  ['date', 'too many requests. Next try in', 'the Retry-After header, a date'],
  ['ratelimit', 'no requests are left. Next try in', 'the RateLimit header'],
  ['x-ratelimit', 'no requests are left. Next try in', 'the X-RateLimit-Reset header'],
  ['none', 'too many requests, without a time. Next try in', 'our own backoff'],
] as const)('shows why nothing is sent, and the header field: %s', async (headers, words, source) => {
  const { page, countdown, changeServer, type, refuse } = await open()
  await changeServer({ headers })
  await refuse(60_000)
  await type('lima')
  await countdown.getByText(words).waitFor()
  await page.getByTestId('gate').getByText(`The time comes from ${source}.`).waitFor()
  await page.getByTestId('pauses').getByText(source).first().waitFor()
})

it('sends typed searches before queued calls, and stops the queued calls on request', async () => {
  const { page, button, count, sent, type, shows, search } = await open()
  await button('Send 60 calls').click()
  await page.getByTestId('pauses').waitFor()
  await search('bern')
  expect(await count('queued')).toBeGreaterThan(20)
  await button('Stop sending').click()
  await button('Send 60 calls').waitFor()
  expect(await count('queued')).toBe(0)
  const before = sent.length
  await type('e')
  await shows('berne')
  expect(sent.slice(before)).toEqual(['berne'])
})

it.each([
  [
    'a pause once, not every second',
    6000,
    /^The server said: too many requests\. Nothing is sent for [2-7] s\.$/,
  ],
  ['no pause that is shorter than 2 s', 1000, /^$/],
])('announces %s', async (_, ms, announced) => {
  const { page, refuse, search } = await open()
  await refuse(ms)
  await recordTexts(page, '.gate-words [role="status"]')
  await search('lima')
  expect((await recordedTexts(page)).filter(Boolean).join()).toMatch(announced)
})

it('describes the mark at the pointer', async () => {
  const { page, pause } = await open()
  await pause('n', 60_000)
  const { width, height } = (await page.locator('.timeline .u-over').boundingBox())!
  // After now, in the lane of the pauses.
  await page.locator('.timeline .u-over').hover({ position: { x: 0.95 * width, y: 0.75 * height } })
  await page.getByText(/ago: paused for \d+\.\d s, by the Retry-After header/).waitFor()
})
