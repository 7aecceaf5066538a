import { pageHidden, pageHide, useThrottledResize, type ThrottledResizeOptions } from 'lull'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStage, modes } from '../support/render-on-clock.tsx'
import { stubResizeObserver, type FakeLayout } from '../support/fake-resize-observer.ts'

let layout: FakeLayout
beforeEach(() => void (layout = stubResizeObserver()))
afterEach(() => vi.unstubAllGlobals())

describe.each(modes)('an element that is resized, %s', (mode) => {
  const element = document.createElement('div')
  const seen: number[] = []
  beforeEach(() => void seen.splice(0))
  function Box(options: ThrottledResizeOptions & { wait: number | 'frame' }): ReactNode {
    useThrottledResize(element, ({ contentRect }) => void seen.push(contentRect.width), options.wait, options)
    return null
  }

  it('has its last size handled when the page goes away, if asked for, though it waits for its frame', async () => {
    const stage = createStage(mode)
    await stage.render(<Box wait={100} flushOn={[pageHidden, pageHide]} />)
    layout.resize(element, 1)
    await stage.advance(16)
    layout.resize(element, 2)
    dispatchEvent(new Event('pagehide'))
    expect(seen).toEqual([1, 2])
    await stage.advance(1000)
    expect(seen).toEqual([1, 2])
  })
})
