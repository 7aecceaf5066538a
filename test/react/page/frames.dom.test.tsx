import { act } from '@testing-library/react'
import { useThrottledEvent, useThrottledResize } from 'lull'
import type { Clock } from 'lull/core'
import { Activity, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stubResizeObserver, type FakeLayout } from '../support/fake-resize-observer.ts'
import { createOnClock, modes, onThatClock, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

const frameMs = 16

let layout: FakeLayout

beforeEach(() => {
  layout = stubResizeObserver()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

// That the browser reports no loop is asked of a browser.
describe.each(modes)('events and sizes, once a frame, %s', (mode) => {
  /** Both hooks, behind one way to make something happen. */
  function renderBoth() {
    const onClock = createOnClock(mode)
    const element = document.createElement('div')
    const scrolls: string[] = []
    const sizes: string[] = []
    const handledAsObserved: boolean[] = []
    function Box(): ReactNode {
      useThrottledEvent(element, 'scroll', (event) => {
        scrolls.push(`${String((event as CustomEvent<number>).detail)} at ${onClock.clock.now()}`)
      })
      useThrottledResize(element, ({ contentRect }) => {
        handledAsObserved.push(layout.isDelivering())
        sizes.push(`${contentRect.width} at ${onClock.clock.now()}`)
      })
      return null
    }
    const page = (isHidden: boolean): ReactNode => (
      <Activity mode={isHidden ? 'hidden' : 'visible'}>
        <Box />
      </Activity>
    )
    const { rerender, unmount } = renderOn(onClock, page(false))
    return {
      ...onClock,
      scrolls,
      sizes,
      handledAsObserved,
      unmount,
      hide: () => rerender(page(true)),
      show: () => rerender(page(false)),
      happen: (n: number): void => {
        element.dispatchEvent(new CustomEvent('scroll', { detail: n }))
        layout.resize(element, n)
      },
    }
  }

  it('runs once in a frame, with the last one, and never within the observer’s own call', () => {
    const { happen, advance, scrolls, sizes, handledAsObserved, clock } = renderBoth()
    for (let n = 1; n <= 12; n++) {
      happen(n)
      advance(4)
    }
    advance(100)
    const expected = ['4 at 16', '8 at 32', '12 at 48']
    expect(scrolls).toEqual(expected)
    expect(sizes).toEqual(expected)
    expect(handledAsObserved).toEqual([false, false, false])
    expect(clock.pending).toBe(0)
  })

  it('handles events and sizes within 100 ms where no frame comes, as in a hidden page', () => {
    const onClock = createOnClock(mode)
    const element = document.createElement('div')
    const withoutFrames: Clock = { ...onClock.clock, frame: () => () => undefined }
    const runs: string[] = []
    const { unmount } = renderHookOn(onThatClock(mode, withoutFrames), () => {
      useThrottledEvent(element, 'scroll', () => runs.push('scroll'))
      useThrottledResize(element, ({ contentRect }) => runs.push(`${contentRect.width} wide`))
    })
    for (const width of [10, 20, 30]) {
      element.dispatchEvent(new Event('scroll'))
      layout.resize(element, width)
    }
    onClock.advance(99)
    expect(runs).toEqual([])
    onClock.advance(1)
    expect(runs).toEqual(['scroll', '30 wide'])
    unmount()
    expect(onClock.clock.pending).toBe(0)
  })

  it('with a wait it never runs within the observer’s own call either, nor twice closer than the wait', () => {
    const onClock = createOnClock(mode)
    const element = document.createElement('div')
    const runsAt: number[] = []
    const widths: number[] = []
    const handledAsObserved: boolean[] = []
    renderHookOn(onClock, () =>
      useThrottledResize(
        element,
        ({ contentRect }) => {
          runsAt.push(onClock.clock.now())
          widths.push(contentRect.width)
          handledAsObserved.push(layout.isDelivering())
        },
        100,
      ),
    )
    for (let n = 1; n <= 30; n++) {
      act(() => layout.resize(element, n))
      onClock.advance(10)
    }
    onClock.advance(1000)
    expect(runsAt.length).toBeGreaterThan(2)
    expect(runsAt.filter((at, index) => at - (runsAt[index - 1] ?? -Infinity) < 100)).toEqual([])
    expect(widths.at(-1)).toBe(30)
    expect(new Set(handledAsObserved)).toEqual(new Set([false]))
  })
})
