// Tests in a page that is really hidden by another tab of its window: no frames run, and timers run at
// multiples of a second. They use real time, so they assert only lower bounds, and wait for events, not for a
// number of ms.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle, launchTabs, type Tab, type Tabs } from './launch-tabs.ts'
import type { Note } from './page-code.tsx'

let tabs: Tabs
let code: string

beforeAll(async () => {
  code = await bundle(new URL('page-code.tsx', import.meta.url))
  tabs = await launchTabs()
}, 60_000)

afterAll(() => tabs.close())

async function openTab(): Promise<Tab> {
  const tab = await tabs.open()
  await tab.evaluate(code)
  return tab
}

/** Opens another tab in front. */
async function hide(tab: Tab): Promise<void> {
  await tabs.open()
  await tab.untilHidden()
}

it.concurrent.each<[scenario: string, what: string[], notBeforeMs: number[]]>([
  ['debounced', ['b', 'c'], [300, 600]],
  ['throttled', ['a', 'c'], [0, 300]],
  ['framed', ['b', 'c'], [0, 0]],
  ['waiting', ['0', '1', '2', '3'], [0, 100, 200, 300]],
  ['queued', ['0', '1', '2'], [0, 100, 200]],
  ['fetched', ['/0', '/1', '/2'], [0, 100, 200]],
  ['shown', ['rested a', 'paced a', 'paced b', 'rested b'], [0, 0, 0, 300]],
])('runs every call in a hidden page, and none early: %s', async (scenario, what, notBeforeMs) => {
  const tab = await openTab()
  await hide(tab)
  const notes = (await tab.evaluate(`play('${scenario}', ${what.length})`)) as Note[]
  expect(notes.map((note) => note.what)).toEqual(what)
  for (const [index, { afterMs, isHidden }] of notes.entries()) {
    expect(isHidden).toBe(true)
    expect(afterMs).toBeGreaterThanOrEqual(notBeforeMs[index]!)
  }
})

it('saves the pending value when the page becomes hidden', async () => {
  const tab = await openTab()
  await tab.evaluate("globalThis.saved = play('saved', 1); undefined")
  await hide(tab)
  const [note] = (await tab.evaluate('saved')) as [Note]
  expect(note).toMatchObject({ what: 'draft', isHidden: true })
  expect(note.afterMs).toBeLessThan(60_000)
})

it('runs a call made when the page becomes visible again', async () => {
  const tab = await openTab()
  await hide(tab)
  await tab.evaluate("globalThis.back = play('back', 1); undefined")
  await tab.bringToFront()
  const [note] = (await tab.evaluate('back')) as [Note]
  expect(note).toMatchObject({ what: 'b', isHidden: false })
  expect(note.afterMs).toBeGreaterThanOrEqual(300)
})
