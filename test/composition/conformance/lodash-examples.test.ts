// The examples of lodash's documentation, on the events of a page, with lodash's functions and with ours.
import lodash from 'lodash'
import { debounce, throttle } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

type Held = ((event: Event) => unknown) & { cancel: () => void }
type Hold = (fn: () => void, wait: number, options?: object) => Held
interface Library {
  debounce: Hold
  throttle: Hold
}

/** Each on the clock: lodash, which takes none, finds it in the place of the platform's. */
const libraries: Record<string, (clock: ManualClock) => Library> = {
  lull: (clock) => ({
    debounce: (fn, wait, options) => debounce(fn, wait, { ...options, clock }),
    throttle: (fn, wait, options) => throttle(fn, wait, { ...options, clock }),
  }),
  lodash(clock) {
    vi.spyOn(Date, 'now').mockImplementation(() => clock.now())
    vi.stubGlobal('setTimeout', (callback: () => void, delayMs: number) => clock.after(delayMs, callback))
    vi.stubGlobal('clearTimeout', (cancel?: () => void) => cancel?.())
    onTestFinished(() => {
      vi.unstubAllGlobals()
      vi.restoreAllMocks()
    })
    return lodash.runInContext()
  },
}

interface Stage {
  page: EventTarget
  /** Lets time pass until `at`, then has the page say `type`. */
  at: (at: number, type: string) => void
  /** To be held back. */
  fn: () => void
}

/** When `fn` ran. */
function play(library: string, script: (held: Library, stage: Stage) => void): number[] {
  const clock = createManualClock(1000)
  const page = new EventTarget()
  const ran: number[] = []
  script(libraries[library]!(clock), {
    page,
    at(at, type) {
      clock.advance(at + 1000 - clock.now())
      page.dispatchEvent(new Event(type))
    },
    fn: () => ran.push(clock.now() - 1000),
  })
  clock.advance(1_000_000)
  return ran
}

const every = (ms: number, from: number, to: number): number[] =>
  Array.from({ length: Math.floor((to - from) / ms) + 1 }, (_, i) => from + i * ms)

describe.each(Object.keys(libraries))('%s', (library) => {
  it('lays out once the size of the window is no longer in flux', () => {
    const ran = play(library, ({ debounce }, { page, at, fn }) => {
      page.addEventListener('resize', debounce(fn, 150))
      for (const ms of every(20, 0, 1000)) at(ms, 'resize')
    })
    expect(ran).toEqual([1150])
  })

  it('sends mail when clicked, and not for clicks that follow', () => {
    const ran = play(library, ({ debounce }, { page, at, fn }) => {
      page.addEventListener('click', debounce(fn, 300, { leading: true, trailing: false }))
      for (const ms of [0, 100, 350, 650, 1000]) at(ms, 'click')
    })
    // The click at 650 is 300 ms after the one before it.
    expect(ran).toEqual([0, 650, 1000])
  })

  it('logs a batch after a second of messages', () => {
    const ran = play(library, ({ debounce }, { page, at, fn }) => {
      page.addEventListener('message', debounce(fn, 250, { maxWait: 1000 }))
      for (const ms of every(100, 0, 1500)) at(ms, 'message')
    })
    expect(ran).toEqual([1000, 1750])
  })

  it('cancels the trailing run when the history moves', () => {
    const ran = play(library, ({ debounce }, { page, at, fn }) => {
      const held = debounce(fn, 250, { maxWait: 1000 })
      page.addEventListener('message', held)
      page.addEventListener('popstate', held.cancel)
      at(0, 'message')
      at(100, 'popstate')
      at(500, 'message')
    })
    expect(ran).toEqual([750])
  })

  it('updates the position while scrolling', () => {
    const ran = play(library, ({ throttle }, { page, at, fn }) => {
      page.addEventListener('scroll', throttle(fn, 100))
      for (const ms of every(30, 0, 240)) at(ms, 'scroll')
    })
    expect(ran).toEqual([0, 100, 210, 310])
  })

  it('renews the token at most every five minutes, and not for clicks between', () => {
    const ran = play(library, ({ throttle }, { page, at, fn }) => {
      page.addEventListener('click', throttle(fn, 300_000, { trailing: false }))
      for (const ms of [0, 1000, 299_999, 300_000, 700_000]) at(ms, 'click')
    })
    expect(ran).toEqual([0, 300_000, 700_000])
  })

  it('forgets a throttled run when the history moves', () => {
    const ran = play(library, ({ throttle }, { page, at, fn }) => {
      const held = throttle(fn, 300_000, { trailing: false })
      page.addEventListener('click', held)
      page.addEventListener('popstate', held.cancel)
      at(0, 'click')
      at(100, 'popstate')
      at(200, 'click')
    })
    expect(ran).toEqual([0, 200])
  })
})
