// What a browser does to a hidden page: timers at multiples of a second, after some minutes of a minute, and no frames.
import { debounce, throttle, throttleFrame } from 'lull/core'
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
})
