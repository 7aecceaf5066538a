import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { open, screens } from '../page-fixture.ts'

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

it('works where storage is denied', async () => {
  const { page } = await open()
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'sessionStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
  })
  await page.reload()
  const { note, status } = panelOf(page)
  await note.fill('to be kept')
  await status.getByText('Saved: 10 characters.').waitFor()
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

const setOffline = (page: Page, isOffline: boolean) => page.context().setOffline(isOffline)
const cannotBeReached = 'the server cannot be reached'

it.each<[when: string, why: string, fail: (page: Page) => unknown, retry: (page: Page) => unknown]>([
  [
    'with the next edit',
    'status 503. The next edit tries again',
    (page) => page.route('**/api/note*', (route) => route.fulfill({ status: 503 })),
    (page) => panelOf(page).note.fill('a saved note'),
  ],
  [
    'when the page is left',
    cannotBeReached,
    (page) => page.route('**/api/note*', (route) => route.abort()),
    (page) => panelOf(page).leave.click(),
  ],
  [
    'when the browser is online again',
    cannotBeReached,
    (page) => setOffline(page, true),
    (page) => setOffline(page, false),
  ],
])('saves a note that failed %s', async (_, why, fail, retry) => {
  const { page } = await open({}, '#autosave.wait=0')
  const { note, status, kept } = panelOf(page)
  await fail(page)
  await note.fill('the old note')
  await status.getByText(`Not saved: ${why}`).waitFor()
  await page.unroute('**/api/note*')
  await retry(page)
  await status.getByText('Saved: 12 characters.').or(kept.getByText('The server had 12 characters')).waitFor()
})
