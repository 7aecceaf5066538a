import { expect, it } from 'vitest'
import { createDeferred } from '../../core/shared/promises.ts'
import { typingScript } from '../../../demo/src/typing/typing-script.ts'
import { open, screens } from '../page-fixture.ts'

it('finds the typed city with fewer requests than keystrokes', async () => {
  const { list, count, sent, search } = await open()
  await search('buenos aires')
  const first = list.getByRole('listitem').first()
  expect(await first.innerText()).toContain('Argentina')
  expect(await first.locator('mark').innerText()).toBe('Buenos Aires')
  expect(await count('count-keystrokes')).toBe(12)
  expect(sent.at(-1)).toBe('buenos aires')
  expect(sent.length).toBeLessThan(12)
  expect(await count('count-requests')).toBe(sent.length)
  expect(await count('count-refused')).toBe(0)
})

it('sends nothing during the pause of the server, and the current text after it', async () => {
  const { page, list, countdown, count, timings, type, refuse, shows, search } = await open()
  await search('san')
  await refuse()
  const refusal = page.waitForResponse((response) => response.status() === 429)
  await type(' f')
  const pauseMs = Number((await refusal).headers()['retry-after']) * 1000
  expect(pauseMs).toBeGreaterThan(0)
  await countdown.getByText(/too many requests\. Next try in \d s/).waitFor()
  expect(await list.getAttribute('data-query')).toBe('san')
  expect(await list.getAttribute('aria-busy')).toBe('true')
  await type('ran')

  await shows('san fran')
  expect(await count('count-refused')).toBe(1)
  expect(await countdown.innerText()).toBe('')
  const all = await timings()
  const refused = all.find(({ status }) => status === 429)!
  const later = all.filter(({ sentAt }) => sentAt > refused.sentAt)
  expect(later.length).toBeGreaterThan(0)
  for (const { sentAt } of later) expect(sentAt).toBeGreaterThanOrEqual(refused.answeredAt + pauseMs)
})

it('sends nothing for half a word of an input method', async () => {
  const { box, sent, shows } = await open()
  await box.focus()
  await box.dispatchEvent('compositionstart')
  // More than the wait of 300 ms between two.
  await box.pressSequentially('oslo', { delay: 400 })
  expect(sent).toEqual([])
  await box.dispatchEvent('compositionend')
  await shows('oslo')
  expect(sent).toEqual(['oslo'])
})

it('keeps old results, marked as stale, until new ones arrive', async () => {
  const { page, list, type, shows, search } = await open()
  await search('par')
  const held = createDeferred<undefined>()
  await page.route('**/api/search*', async (route) => {
    await held.promise
    await route.continue()
  })
  // Only one key: between two, a busy machine might send a search.
  await type('i')
  await page.getByText('Still showing “par”').waitFor()
  expect(await list.getAttribute('aria-busy')).toBe('true')
  held.resolve(undefined)
  await shows('pari')
})

it('shows a network error and an invalid response, and recovers with a key or the button', async () => {
  const { page, box, alert, button, type, shows } = await open()
  await page.route('**/api/search*', (route) => route.abort())
  await type('oslo')
  await alert.getByText('cannot be reached').waitFor()
  await page.unroute('**/api/search*')
  await box.press('Backspace')
  await shows('osl')
  expect(await alert.count()).toBe(0)

  await page.route('**/api/search*', (route) => route.fulfill({ body: '{"query":"oslo","total":3,"res' }))
  await type('o')
  await alert.getByText('not a list of cities').waitFor()
  await page.unroute('**/api/search*')
  await button('Try again').click()
  await shows('oslo')
  expect(await alert.count()).toBe(0)
})

it('finds the server again with the next response', async () => {
  const { page, search } = await open()
  await page.route('**/api/**', (route) => route.abort())
  await page.getByLabel('How the server names its limit').selectOption('none')
  const server = page.getByRole('region', { name: 'The server', exact: true })
  await server.getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/api/**')
  await search('oslo')
  await server.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
})

it('says that nothing is sent with neither leading nor trailing', async () => {
  const { page, type } = await open()
  await page.getByLabel('trailing', { exact: true }).first().uncheck()
  await type('oslo')
  await page.getByText('Neither leading nor trailing is on: nothing is ever sent').waitFor()
})

it('limits its own rate, so that the server refuses nothing', async () => {
  const { page, count, sent, timings, search } = await open()
  await page.getByLabel('Every keystroke').check()
  await page.getByLabel('Limit this page’s own requests').check()
  await page.getByLabel('burst', { exact: true }).fill('1')
  await search('melbourne')
  expect(await count('count-refused')).toBe(0)
  expect(await count('count-requests')).toBe(sent.length)
  await page
    .getByTestId('tokens')
    .getByText(/^[01]\.\d of 1$/)
    .waitFor()
  // 2 a second and one at once; one more, because the browser records requests shortly after they are sent.
  const times = (await timings()).map(({ sentAt }) => sentAt)
  const seconds = (times.at(-1)! - times[0]!) / 1000
  expect(times.length).toBeLessThanOrEqual(1 + 2 * seconds + 1)
})

it('runs the autopilot through a refusal to the results', async () => {
  const { button, countdown, count, sent, shows } = await open({}, '?autopilot')
  await countdown.getByText('Next try in').waitFor()
  await shows('new york city')
  await button('Autopilot').waitFor()
  const keys = typingScript.filter(([key]) => key.length === 1 || key === 'Backspace')
  expect(await count('count-keystrokes')).toBe(keys.length)
  expect(await count('count-refused')).toBeGreaterThan(0)
  expect(await count('count-requests')).toBe(sent.length)
  expect(sent.length).toBeLessThan(keys.length / 2)
})

it('stops the autopilot with its button or when the user types', async () => {
  const { page, box, button, type, search } = await open()
  await button('Autopilot').click()
  await button('Stop').click()
  await button('Autopilot').click()
  await page.waitForFunction(() => document.querySelector('input')!.value.length > 1)
  await type('x')
  await button('Autopilot').waitFor()
  await box.fill('')
  await search('bern')
})

it.each(screens)('counts on %s scroll and resize events, and fewer throttled runs', async (_, options) => {
  const { page, count } = await open(options)
  const box = page.getByRole('region', { name: 'Box to scroll' })
  await box.hover()
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 15)
        return count('count-events')
      },
      { timeout: 15_000 },
    )
    .toBeGreaterThan(20)
  // On a slow machine each event may be a `wait` after the last one; these five come at once.
  const before = await count('count-events')
  await box.evaluate((element) => {
    for (let n = 0; n < 5; n++) element.dispatchEvent(new Event('scroll'))
  })
  await expect.poll(() => count('count-events')).toBeGreaterThanOrEqual(before + 5)
  const scrolled = await count('count-events')
  expect(await count('count-event-runs')).toBeLessThan(scrolled)

  const { x, y, width, height } = (await box.boundingBox())!
  await page.mouse.move(x + width - 4, y + height - 4)
  await page.mouse.down()
  await page.mouse.move(x + width - 60, y + height - 40, { steps: 15 })
  await page.mouse.up()
  await expect.poll(() => count('count-events')).toBeGreaterThan(scrolled + 3)
  expect((await box.boundingBox())!.width).toBeLessThan(width)
  expect(await count('count-event-runs')).toBeLessThan(await count('count-events'))
})

it('has a link past the header for those who use the keyboard', async () => {
  const { page } = await open()
  await page.keyboard.press('Tab')
  const link = page.getByRole('link', { name: 'Skip to the race' })
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.locator('#race :focus').waitFor()
})

it('has an icon, and a preview with a picture for those who share the link', async () => {
  const { page } = await open()
  const pictures = await page.evaluate(() =>
    ['link[rel=icon]', 'meta[property="og:image"]'].map((selector) => {
      const element = document.querySelector(selector)!
      return element.getAttribute('href') ?? element.getAttribute('content')!
    }),
  )
  for (const picture of pictures) {
    const response = await page.request.get(new URL(picture, page.url()).href)
    expect(response.headers()['content-type'], picture).toMatch(/^image\//)
  }
  for (const name of ['title', 'description', 'image:alt'])
    expect(await page.locator(`meta[property="og:${name}"]`).getAttribute('content'), name).toBeTruthy()
})
