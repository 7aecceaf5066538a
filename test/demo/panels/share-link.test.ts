import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { open } from '../page-fixture.ts'

const modesWait = (page: Page) =>
  page.getByRole('region', { name: 'One input, every mode' }).getByLabel('wait', { exact: true })

it('keeps the settings in the URL, and applies them to another page and the server', async () => {
  const { page, changeServer, button } = await open()
  await changeServer({ ratePerSecond: 10 })
  await page.getByLabel('wait', { exact: true }).first().fill('500')
  await page.getByLabel('use maxWait').check()
  await page.getByRole('radio', { name: '0.25×' }).check({ force: true })
  await modesWait(page).fill('700')
  const hash = '#page.wait=500&page.maxWait=1000&server.ratePerSecond=10&time.speed=0.25&modes.wait=700'
  await expect.poll(() => new URL(page.url()).hash).toBe(hash)

  const other = await open({ permissions: ['clipboard-read', 'clipboard-write'] }, hash)
  const put = other.page.waitForRequest((request) => request.method() === 'PUT')
  await other.page.reload()
  expect((await put).postDataJSON()).toMatchObject({ ratePerSecond: 10, burst: 6 })
  expect(await other.page.getByLabel('wait', { exact: true }).first().inputValue()).toBe('500')
  expect(await modesWait(other.page).inputValue()).toBe('700')
  expect(await other.page.getByRole('radio', { name: '0.25×' }).isChecked()).toBe(true)

  expect(await other.copied('Copy settings link')).toBe(other.page.url())
  expect(await button('Copy settings link').isVisible()).toBe(true)
})

it('keeps the settings in the link to the race and in a second tab', async () => {
  const { page } = await open()
  await page.getByLabel('wait', { exact: true }).first().fill('500')
  const link = page.getByRole('link', { name: 'Open a second tab' })
  await expect.poll(() => link.getAttribute('href')).toContain('#page.wait=500')
  await expect.poll(() => new URL(page.url()).hash).toBe('#page.wait=500')
  await page.getByRole('link', { name: 'Race', exact: true }).click()
  expect(new URL(page.url()).hash).toBe('#page.wait=500')
  expect(await page.locator('#race').evaluate((race) => race === document.activeElement)).toBe(true)
})

it('copies the code of a panel', async () => {
  const { copied } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  expect(await copied('Copy code: Code of the modes')).toContain('const trailing = lull.debounce(run, 300)')
})

it('points to the URL if copying is denied', async () => {
  const { page, button, announces } = await open({}, '#scroll.wait=400')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
  })
  await button('Copy settings link').click()
  await announces('In the address')
  expect(new URL(page.url()).hash).toBe('#scroll.wait=400')
})
