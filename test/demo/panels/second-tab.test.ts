import { expect, it } from 'vitest'
import { open } from '../page-fixture.ts'

it('shows the pause in a second tab too, which sends nothing during it', async () => {
  const first = await open()
  const { page, pause } = first
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open a second tab' }).click()
  const second = await opened
  const sent: string[] = []
  second.on('request', (request) => {
    if (request.url().includes('/api/search')) sent.push(request.url())
  })
  const box = second.getByRole('searchbox', { name: 'Search cities' })
  await box.waitFor()

  await pause('lima', 10_000)
  await box.pressSequentially('oslo')
  await second
    .getByTestId('countdown')
    .getByText('The server asked another tab to wait. Next try in')
    .waitFor()
  expect(sent).toEqual([])
  for (const tab of [page, second])
    await tab.getByRole('row', { name: 'Pauses 1', exact: true }).waitFor({ state: 'attached' })
  await first.shows('lima')
  await second.locator('[data-query="oslo"][aria-busy="false"]').waitFor()
})
