import { act } from '@testing-library/react'
import { pageHide, useThrottledEvent, useThrottledResize, type ThrottledResizeOptions } from 'lull'
import { beforeEach, describe, expect, it } from 'vitest'
import { stubResizeObserver, type FakeLayout } from '../support/fake-resize-observer.ts'
import { createOnClock, modes, renderHookOn } from '../support/render.tsx'

let layout: FakeLayout
beforeEach(() => void (layout = stubResizeObserver()))

// hooks.browser.test.tsx tests whether a browser reports a loop.
describe.each(modes)('events and sizes, %s', (mode) => {
  /** Both hooks on one element: values, instants, and the number of runs inside the observer's callback. */
  function renderBoth(wait: number | 'frame', options: ThrottledResizeOptions = {}) {
    const element = document.createElement('div')
    const log: Record<'scroll' | 'resize', [n: number, at: number][]> = { scroll: [], resize: [] }
    let handledAsObserved = 0
    const rendered = renderHookOn(
      createOnClock(mode),
      (wait) => {
        const handle = (event: Event): void => {
          log.scroll.push([(event as CustomEvent<number>).detail, rendered.clock.now()])
        }
        useThrottledEvent(element, 'scroll', handle, wait, options)
        useThrottledResize(
          element,
          ({ contentRect }) => {
            if (layout.isDelivering()) handledAsObserved++
            log.resize.push([contentRect.width, rendered.clock.now()])
          },
          wait,
          options,
        )
      },
      wait,
    )
    const happen = (n: number): void =>
      act(() => {
        element.dispatchEvent(new CustomEvent('scroll', { detail: n }))
        layout.resize(element, n)
      })
    return { ...rendered, log, happen, handledAsObserved: () => handledAsObserved }
  }

  it('are handled once per frame, the last one, and never within the observer’s callback', () => {
    const { happen, advance, log, handledAsObserved, clock } = renderBoth('frame')
    for (let n = 1; n <= 12; n++) {
      happen(n)
      advance(4)
    }
    advance(100)
    const expected = [
      [4, 16],
      [8, 32],
      [12, 48],
    ]
    expect([log, handledAsObserved(), clock.pending]).toEqual([{ scroll: expected, resize: expected }, 0, 0])
  })

  it.each([50, 'frame'] as const)('are handled in order when the wait changes from %s', (wait) => {
    const { happen, advance, log, rerender } = renderBoth(wait, { flushOn: [pageHide] })
    happen(1)
    advance(20)
    happen(2)
    advance(12)
    rerender(wait === 50 ? 'frame' : 50)
    happen(3)
    dispatchEvent(new Event('pagehide'))
    advance(100)
    for (const kind of ['scroll', 'resize'] as const) expect(log[kind].map(([n]) => n)).toEqual([1, 2, 3])
  })

  it('are handled with the last pending size when the component unmounts', () => {
    const { happen, advance, log, unmount } = renderBoth(100, { onUnmount: 'flush' })
    for (const n of [1, 2, 3]) {
      happen(n)
      advance(16)
    }
    unmount()
    expect(log.resize.map(([n]) => n)).toEqual([1, 3])
  })
})
