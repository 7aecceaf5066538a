import { poissonGap, type Random } from './random.ts'

/** What a page can do. Its random numbers are the same whatever the client does. */
interface Stage {
  random: Random
  sleep: (ms: number) => Promise<void>
  /**
   * Makes a call, and resolves when it is settled. `signal` aborts what the page no longer wants; after `patienceMs` the user
   * gives up, which counts as lost.
   */
  call: (path: string, options?: { signal?: AbortSignal; patienceMs?: number }) => Promise<void>
}

/** Resolves when it makes no more calls. */
export type Page = (stage: Stage) => Promise<void>

export const rows =
  (count: number, path = '/rows/', patienceMs?: number): Page =>
  ({ call }) => {
    for (let row = 0; row < count; row++)
      void call(`${path}${row}`, patienceMs === undefined ? {} : { patienceMs })
    return Promise.resolve()
  }

/** `count` at once, a rest, and `again` at once. */
export const burstAfterRest =
  (count: number, restMs: number, again: number, rounds = 1): Page =>
  async ({ call, sleep }) => {
    for (let row = 0; row < count; row++) void call(`/rows/0/${row}`)
    for (let round = 1; round <= rounds; round++) {
      await sleep(restMs)
      for (let row = 0; row < again; row++) void call(`/rows/${round}/${row}`)
    }
  }

export const poisson =
  (ratePerSecond: number, forMs: number, path = '/items/', patienceMs?: number): Page =>
  async ({ call, sleep, random }) => {
    let index = 0
    for (let at = 0; at < forMs; index++) {
      void call(`${path}${index}`, patienceMs === undefined ? {} : { patienceMs })
      const gap = poissonGap(random, ratePerSecond)
      at += gap
      await sleep(gap)
    }
  }

export const poll =
  (everyMs: number, forMs: number, path = '/poll/'): Page =>
  async ({ call, sleep }) => {
    for (let index = 0; index * everyMs < forMs; index++) {
      void call(`${path}${index}`)
      await sleep(everyMs)
    }
  }

/** Each letter aborts the search before it. */
export const typing =
  (words: number, path = '/search/', keysMs = [80, 200] as const, pausesMs = [500, 2500] as const): Page =>
  async ({ call, sleep, random }) => {
    const between = ([from, to]: readonly [number, number]): number => from + (to - from) * random()
    let search: AbortController | undefined
    for (let word = 0; word < words; word++) {
      const letters = 3 + Math.floor(random() * 7)
      for (let letter = 0; letter < letters; letter++) {
        search?.abort()
        search = new AbortController()
        void call(`${path}${word}/${letter}`, { signal: search.signal })
        await sleep(between(letter === letters - 1 ? pausesMs : keysMs))
      }
    }
  }

/** `workers` that make a call each as soon as their last is settled. */
export const crawl =
  (workers: number, count: number, path = '/pages/'): Page =>
  async ({ call }) => {
    let next = 0
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (next < count) await call(`${path}${next++}`)
      }),
    )
  }

/** A screen of rows, again and again, as a user scrolls or changes the route. */
export const screens =
  (count: number, perScreen: number, pausesMs: readonly [number, number]): Page =>
  async ({ call, sleep, random }) => {
    for (let screen = 0; screen < count; screen++) {
      for (let row = 0; row < perScreen; row++) void call(`/screens/${screen}/${row}`)
      await sleep(pausesMs[0] + (pausesMs[1] - pausesMs[0]) * random())
    }
  }

export const after =
  (delayMs: number, page: Page): Page =>
  async (stage) => {
    await stage.sleep(delayMs)
    await page(stage)
  }

export const together =
  (...pages: readonly Page[]): Page =>
  async (stage) => {
    await Promise.all(pages.map((page) => page(stage)))
  }
