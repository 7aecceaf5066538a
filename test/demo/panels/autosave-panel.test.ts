import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { screens, usePages } from '../page-fixture.ts'

const open = usePages()

function panelOf(page: Page) {
  const panel = page.getByRole('region', { name: 'A note that survives leaving' })
  return {
    note: panel.getByLabel('Your note'),
    leave: panel.getByRole('button', { name: 'Leave at once' }),
    status: panel.getByRole('status').first(),
    kept: panel.getByTestId('note-kept'),
  }
}

it.each(screens)('saves on %s after a pause in typing, and shows it', async (_, options) => {
  const { page, count } = await open(options, '#autosave.wait=250')
  const { note, status } = panelOf(page)
  const saved = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/api/note'),
  )
  await note.fill('to be kept')
  expect((await saved).postDataJSON()).toEqual({ text: 'to be kept', revision: 1 })
  await status.getByText('Saved: 10 characters.').waitFor()
  expect(await count('note-edits')).toBe(1)
  expect(await count('note-saves')).toBe(1)
})

it.each([
  ['at once', false],
  ['while the time of the panels is paused', true],
])('has the last text after a reload %s', async (_, isPaused) => {
  const { page, button } = await open({}, '#autosave.wait=5000')
  const { note, leave, kept } = panelOf(page)
  if (isPaused) await button('Pause time').click()
  await note.fill('the last')
  await note.press('End')
  await note.pressSequentially(' words')
  await leave.click()
  await kept.getByText('Welcome back. The server had 14 characters').waitFor()
  expect(await note.inputValue()).toBe('the last words')
})

it('shows a failed save, and retries with the next edit', async () => {
  const { page } = await open({}, '#autosave.wait=0')
  const { note, status } = panelOf(page)
  await page.route('**/api/note*', (route) => route.fulfill({ status: 503 }))
  await note.fill('a')
  await status.getByText('Not saved: status 503. The next edit tries again').waitFor()
  await page.unroute('**/api/note*')
  await page.route('**/api/note*', (route) => route.abort())
  await note.fill('aa')
  await status.getByText('Not saved: the server cannot be reached. The next edit tries again').waitFor()
  await page.unroute('**/api/note*')
  await note.fill('ab')
  await status.getByText('Saved: 2 characters.').waitFor()
})

it('saves a note that failed offline when the browser is online again', async () => {
  const { page, count } = await open({}, '#autosave.wait=0')
  const { note, status } = panelOf(page)
  await page.context().setOffline(true)
  await note.fill('offline')
  await status.getByText('Not saved: the server cannot be reached.').waitFor()
  await page.context().setOffline(false)
  await status.getByText('Saved: 7 characters.').waitFor()
  expect(await count('note-saves')).toBe(1)
})

it('saves a note that failed when the page is left', async () => {
  const { page } = await open({}, '#autosave.wait=0')
  const { note, leave, status, kept } = panelOf(page)
  await page.route('**/api/note*', (route) => route.abort())
  await note.fill('refused')
  await status.getByText('Not saved: the server cannot be reached.').waitFor()
  await page.unroute('**/api/note*')
  await leave.click()
  await kept.getByText('Welcome back. The server had 7 characters').waitFor()
  expect(await note.inputValue()).toBe('refused')
})
