// Real tabs of one browser with a real server, in real time: the tests assert only bounds.
import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { createBucketServer } from '../../bench/race/bucket-server.js'
import { launchBrowser } from '../demo/browser.ts'
import { serve } from '../fetch/servers/loopback.ts'
import { bundle, launchTabs, type Tab } from '../hidden-page/launch-tabs.ts'
import type { TabPage } from './page-code.ts'

declare const page: TabPage

const code = await bundle(new URL('page-code.ts', import.meta.url))
// Playwright disables the back/forward cache by default.
const browser = await launchBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
afterAll(() => browser.close())

let context: BrowserContext
let origin: string
/** The received requests: when, and from which tab. */
let received: { at: number; tab: string }[]
let answer: (count: number) => { status: number; headers: Record<string, string> }

const ok = { status: 200, headers: {} }

beforeEach(async () => {
  received = []
  answer = () => ok
  context = await browser.newContext()
  origin = await serve(({ url = '', headers: { referer } }, response) => {
    if (url.startsWith('/tab')) {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>tab</title><script>${code}</script>`)
    } else if (!url.startsWith('/api')) response.writeHead(204).end()
    else {
      const { status, headers } = answer(received.length)
      received.push({ at: performance.now(), tab: referer?.split('?')[1] ?? '' })
      response.writeHead(status, headers).end()
    }
  })
})

afterEach(() => context.close())

async function openTab(name: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(`${origin}/tab?${name}`)
  // Requests of the page send its full address as the referrer.
  return tab
}

const call = (tab: Page, count: number): Promise<number[]> => tab.evaluate((n) => page.call('/api', n), count)
const begin = (tab: Page, count: number): Promise<void> => tab.evaluate((n) => page.begin('/api', n), count)

it('sends nothing from any tab, opened or reloaded meanwhile, during a pause that one tab received', async () => {
  const tabs = await Promise.all(['a', 'b', 'c'].map(openTab))
  for (const tab of tabs) await call(tab, 1)
  answer = (count) => (count === 3 ? { status: 429, headers: { 'retry-after': '3' } } : ok)
  const first = call(tabs[0]!, 1)
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(4)
  const refusedAt = received[3]!.at
  await expect.poll(() => tabs[1]!.evaluate(() => page.gate().source), { timeout: 10_000 }).toBe('shared')
  const others = [call(tabs[1]!, 2), call(tabs[2]!, 2)]
  const late = await openTab('late')
  others.push(call(late, 1))
  const gate = await late.evaluate(() => page.gate())
  expect(gate).toMatchObject({ open: false, source: 'shared' })
  expect(gate.remainingMs).toBeLessThan(5000)
  expect(gate.remainingMs).toBeGreaterThan(0)
  const reloaded = await openTab('reloaded')
  await reloaded.reload()
  others.push(call(reloaded, 1))
  expect((await Promise.all([first, ...others])).flat()).toEqual(Array.from({ length: 7 }, () => 200))
  const sentMs = received.slice(4).map(({ at }) => at - refusedAt)
  expect(sentMs).toHaveLength(7)
  expect(Math.min(...sentMs)).toBeGreaterThanOrEqual(2999)
  expect(await late.evaluate(() => page.ignored())).toBe(0)
})

/** Requests of a tab since `fromMs`. Virtual-time tests check the speed-up: a loaded machine may be slow. */
const countSince = (tab: string, fromMs: number): number =>
  received.filter((one) => one.tab === tab && one.at > fromMs).length

it.each<[string, (tab: Tab) => Promise<unknown>]>([
  ['is closed', (tab) => tab.close()],
  ['goes into the back/forward cache', (tab) => tab.evaluate(`location.href = '/tab?next'`)],
  ['is frozen', (tab) => tab.freeze()],
  ['crashes', (tab) => tab.crash()],
])('gives the share of a tab to the others when it %s', async (_, go) => {
  // Playwright keeps every page in the foreground; only a hidden one can be frozen.
  const tabs = await launchTabs()
  try {
    // 20 requests a second.
    const bucket = createBucketServer({ tells: { rateLimit: true } }, performance.now.bind(performance))
    answer = () => bucket.receive()
    const [b, a] = [await tabs.open(), await tabs.open()]
    const begin = (tab: Tab, name: string, count: number): Promise<unknown> =>
      tab
        .evaluate(`location.href = '${origin}/tab?${name}'`)
        .then(() => expect.poll(() => tab.evaluate('!!globalThis.page'), { timeout: 10_000 }).toBe(true))
        .then(() => tab.evaluate(`page.begin('/api', ${count})`))
    await begin(b, 'b', 600)
    await begin(a, 'a', 600)
    await expect.poll(() => received.length, { timeout: 10_000 }).toBeGreaterThan(20)
    await go(b)
    const goneAt = performance.now()
    await expect.poll(() => countSince('a', goneAt), { timeout: 25_000, interval: 100 }).toBeGreaterThan(40)
    // What b had sent before has arrived by now.
    const restAt = performance.now()
    await expect.poll(() => countSince('a', restAt), { timeout: 25_000, interval: 100 }).toBeGreaterThan(10)
    expect(received.filter(({ tab, at }) => tab === 'b' && at > restAt)).toEqual([])
  } finally {
    await tabs.close()
  }
})

it('keeps the page eligible for the back/forward cache, and listens again on return', async () => {
  const tab = await openTab('a')
  await call(tab, 3)
  // Playwright loses track of a page restored from the cache.
  const devtools = await context.newCDPSession(tab)
  const evaluate = async (expression: string): Promise<unknown> =>
    (await devtools.send('Runtime.evaluate', { expression })).result.value
  const reasons: unknown[] = []
  devtools.on('Page.backForwardCacheNotUsed', (event) => reasons.push(event.notRestoredExplanations))
  await devtools.send('Page.enable')
  await evaluate('globalThis.mark = 1')
  await evaluate(`location.href = '${origin}/tab?next'`)
  await expect.poll(() => evaluate('location.search'), { timeout: 10_000 }).toBe('?next')
  const other = await openTab('b')
  await call(other, 3)
  await evaluate('history.back()')
  await expect.poll(() => evaluate('location.search'), { timeout: 10_000 }).toBe('?a')
  // A page that was not in the cache would have reloaded.
  expect(reasons).toEqual([])
  expect(await evaluate('globalThis.mark')).toBe(1)
  answer = () => ({ status: 429, headers: { 'retry-after': '30' } })
  await begin(other, 1)
  await expect.poll(() => evaluate('page.gate().source'), { timeout: 10_000 }).toBe('shared')
})
