import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Progress } from '../../../docs/recipes/functions/use-throttled-event.tsx'
import { Columns } from '../../../docs/recipes/functions/use-throttled-resize.tsx'
import { modes } from '../../react/support/render-on-clock.tsx'
import { stubResizeObserver } from '../../react/support/fake-resize-observer.ts'
import { createStage } from './stage.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe.each(modes)('the page, %s', (mode) => {
  it('useThrottledEvent: the progress is drawn once a frame, and ends where scrolling ends', async () => {
    const { clock, show, pass, note, log, unmount } = createStage(mode)
    vi.spyOn(document.body, 'scrollHeight', 'get').mockReturnValue(window.innerHeight + 100)
    show(<Progress />)
    const bar = screen.getByRole('progressbar')
    new MutationObserver(() => note(bar.getAttribute('value')!)).observe(bar, { attributes: true })
    for (let top = 5; top <= 45; top += 5) {
      vi.stubGlobal('scrollY', top)
      fireEvent.scroll(window)
      await pass(5, 1)
    }
    await pass(20, 1)
    // A frame comes every 16 ms.
    expect(log).toEqual(['16 0.2', '32 0.35', '48 0.45'])
    unmount()
    vi.stubGlobal('scrollY', 100)
    fireEvent.scroll(window)
    expect(clock.pending).toBe(0)
  })

  it('useThrottledResize: the columns follow the width, the first time too', async () => {
    const { clock, show, pass, note, log } = createStage(mode)
    const layout = stubResizeObserver()
    show(<Columns>text</Columns>)
    const box = screen.getByText('text')
    new MutationObserver(() => note(`${box.style.columnCount} columns`)).observe(box, { attributes: true })
    for (const width of [900, 700, 650, 500, 410]) {
      act(() => layout.resize(box, width))
      await pass(10, 1)
    }
    await pass(100)
    expect(log).toEqual(['16 3 columns', '32 2 columns'])
    expect(clock.pending).toBe(0)
  })
})
