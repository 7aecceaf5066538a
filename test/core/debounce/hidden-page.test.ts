// What a browser does to a hidden page: timers at multiples of a second, after some minutes of a minute, and no frames.
import {
  createWaitingLimiter,
  createQueue,
  debounce,
  fixedWindow,
  throttle,
  throttleFrame,
  tokenBucket,
  type Clock,
  type WaitingLimiter,
} from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createHideablePage, GRIDS } from '../../chaos/hideable-page.ts'

type Run = [what: string, at: number]

describe.each(GRIDS)('in a hidden page with timers at multiples of %d ms', (grid) => {
  function start() {
    const page = createHideablePage()
    const { clock } = page
    const runs: Run[] = []
    page.hide(grid)
    return { ...page, runs, note: (what: string) => void runs.push([what, clock.now()]) }
  }

  it('debounce runs once, late, and on time again when the page is back', () => {
    const { clock, runs, note, reachNow, show } = start()
    const debounced = debounce(note, 300, { clock })
    debounced('a')
    reachNow(200)
    debounced('b')
    reachNow(grid + 10)
    show()
    debounced('c')
    reachNow(2 * grid + 1000)
    expect(runs).toEqual([
      ['b', grid],
      ['c', grid + 310],
    ])
  })

  it('debounce runs a call that finds its maxWait over, for which no timer has come', () => {
    const { clock, runs, note, reachNow } = start()
    const debounced = debounce(note, 300, { maxWait: 500, clock })
    debounced('a')
    reachNow(grid - 100)
    debounced('b')
    expect(runs).toEqual([['b', grid - 100]])
    reachNow(3 * grid)
    expect(runs).toHaveLength(1)
  })

  it('throttle runs the last call late, and keeps its distance from that when the page is back', () => {
    const { clock, runs, note, reachNow, show } = start()
    const throttled = throttle(note, 300, { clock })
    for (const [at, what] of ['a', 'b', 'c'].entries()) {
      reachNow(10 * at)
      throttled(what)
    }
    reachNow(grid + 10)
    throttled('d')
    reachNow(grid + 100)
    show()
    throttled('e')
    reachNow(3 * grid)
    expect(runs).toEqual([
      ['a', 0],
      ['c', grid],
      ['e', grid + 300],
    ])
  })

  it('throttleFrame runs once by its timer, and once in the first frame of the page that is back', () => {
    const { clock, runs, note, reachNow, show } = start()
    const throttled = throttleFrame(note, { clock })
    throttled('a')
    throttled('b')
    reachNow(grid + 5)
    throttled('c')
    reachNow(grid + 50)
    show()
    throttled('d')
    reachNow(3 * grid)
    expect(runs).toEqual([
      ['b', grid],
      ['d', grid + 50],
    ])
  })

  it.each<[string, (clock: Clock) => WaitingLimiter, number[]]>([
    [
      'a token bucket',
      (clock) => createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }), { clock }),
      [0, grid, grid + 100, grid + 200],
    ],
    [
      'with a burst',
      (clock) => createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 3 }), { clock }),
      [0, 0, 0, grid, grid, grid, grid + 100],
    ],
    [
      'a window',
      (clock) => createWaitingLimiter(fixedWindow({ limit: 2, windowMs: 1000 }), { clock }),
      [0, 0, grid, grid, grid + 1000, grid + 1000],
    ],
  ])('limiter.wait lets no more go at once than it may, late or back: %s', async (_, make, expected) => {
    const { clock, runs, note, reach, show } = start()
    const limiter = make(clock)
    for (const [n] of expected.entries()) void limiter.wait().then(() => note(`${n}`))
    await reach(grid + 50)
    show()
    await reach(grid + 2000)
    expect(runs).toEqual(expected.map((at, n) => [`${n}`, at]))
  })

  it('a queue starts one at each late turn, and is back at its pace with the page', async () => {
    const { clock, runs, note, reach, show } = start()
    const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }), { clock })
    const queue = createQueue({ limiter, clock })
    for (const what of ['a', 'b', 'c', 'd', 'e']) void queue.add(() => note(what))
    await reach(2 * grid + 50)
    show()
    await reach(3 * grid + 2000)
    expect(runs).toEqual([
      ['a', 0],
      ['b', grid],
      ['c', 2 * grid],
      ['d', 2 * grid + 100],
      ['e', 2 * grid + 200],
    ])
  })
})
