import { poissonGap, type Random } from './random.ts'

/** What a page can do. Its random numbers do not depend on the client. */
export interface Stage {
  random: Random
  sleep: (ms: number) => Promise<void>
  /**
   * Makes a call, and resolves when it has settled. `signal` aborts it on behalf of the page; after
   * `patienceMs` the user gives up, which counts as lost.
   */
  call: (path: string, options?: { signal?: AbortSignal; patienceMs?: number | undefined }) => Promise<void>
}

export interface Page {
  name: string
  /** Resolves when it makes no more calls. */
  play: (stage: Stage) => Promise<void>
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

export const rows = (count: number, path = '/rows/', patienceMs?: number): Page => ({
  name: path === '/rows/' ? `${count} rows` : `${count} of ${path}`,
  play({ call }) {
    for (let row = 0; row < count; row++) void call(`${path}${row}`, { patienceMs })
    return Promise.resolve()
  },
})

/** `count` calls at once, then `rounds` times a rest and `again` calls at once. */
export const burstAfterRest = (count: number, restMs: number, again: number, rounds = 1): Page => ({
  name: `${count}, ${seconds(restMs)}, ${again}${rounds > 1 ? ', …' : ''}`,
  async play({ call, sleep }) {
    for (let row = 0; row < count; row++) void call(`/rows/0/${row}`)
    for (let round = 1; round <= rounds; round++) {
      await sleep(restMs)
      for (let row = 0; row < again; row++) void call(`/rows/${round}/${row}`)
    }
  },
})

export const poisson = (
  ratePerSecond: number,
  forMs: number,
  path = '/items/',
  patienceMs?: number,
): Page => ({
  name: `Poisson ${Number(ratePerSecond.toPrecision(3))}/s for ${seconds(forMs)}${path === '/items/' ? '' : ` of ${path}`}`,
  async play({ call, sleep, random }) {
    let index = 0
    for (let at = 0; at < forMs; index++) {
      void call(`${path}${index}`, { patienceMs })
      const gap = poissonGap(random, ratePerSecond)
      at += gap
      await sleep(gap)
    }
  },
})

export const poll = (everyMs: number, forMs: number): Page => ({
  name: everyMs === 1000 ? 'poll' : `a call every ${seconds(everyMs)}`,
  async play({ call, sleep }) {
    for (let index = 0; index * everyMs < forMs; index++) {
      void call(`/poll/${index}`)
      await sleep(everyMs)
    }
  },
})

/** Each letter aborts the previous search. */
export const typing = (words: number): Page => ({
  name: 'typing',
  async play({ call, sleep, random }) {
    const between = (from: number, to: number): number => from + (to - from) * random()
    let search: AbortController | undefined
    for (let word = 0; word < words; word++) {
      const letters = 3 + Math.floor(random() * 7)
      for (let letter = 0; letter < letters; letter++) {
        search?.abort()
        search = new AbortController()
        void call(`/search/${word}/${letter}`, { signal: search.signal })
        await sleep(letter === letters - 1 ? between(500, 2500) : between(80, 200))
      }
    }
  },
})

/** `workers` workers, each of which makes a call as soon as its last has settled. */
export const crawl = (workers: number, count: number): Page => ({
  name: `${workers} workers, ${count}`,
  async play({ call }) {
    let next = 0
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (next < count) await call(`/pages/${next++}`)
      }),
    )
  },
})

/** `count` screens of rows, one after the other, as a user scrolls or changes the route. */
export const screens = (count: number, perScreen: number, fromMs: number, toMs: number): Page => ({
  name: `${count} screens of ${perScreen}`,
  async play({ call, sleep, random }) {
    for (let screen = 0; screen < count; screen++) {
      for (let row = 0; row < perScreen; row++) void call(`/screens/${screen}/${row}`)
      await sleep(fromMs + (toMs - fromMs) * random())
    }
  },
})

export const after = (delayMs: number, { name, play }: Page): Page => ({
  name: `${name} after ${seconds(delayMs)}`,
  async play(stage) {
    await stage.sleep(delayMs)
    await play(stage)
  },
})

export const together = (...pages: readonly Page[]): Page => ({
  name: pages.map(({ name }) => name).join(' and '),
  async play(stage) {
    await Promise.all(pages.map(({ play }) => play(stage)))
  },
})
