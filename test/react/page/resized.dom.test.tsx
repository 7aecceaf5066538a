import { pageHidden, pageHide, useThrottledResize, type ThrottledResizeOptions } from 'lull'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { createStage, modes } from '../support/mount-on-clock.tsx'
import { Observer, stubResizeObserver } from '../support/resize-observer.ts'

stubResizeObserver()

const sizeOf = (entry: unknown): number => (entry as { size: number }).size

describe.each(modes)('an element that is resized, %s', (mode) => {
  const element = document.createElement('div')
  const seen: number[] = []
  beforeEach(() => void seen.splice(0))
  function Box(options: ThrottledResizeOptions & { wait: number | 'frame' }): ReactNode {
    useThrottledResize(element, (entry) => void seen.push(sizeOf(entry)), options.wait, options)
    return null
  }

  it.each([['frame'], [100]] as const)(
    'has its last size handled at unmount, with onUnmount flush and a wait of %s',
    async (wait) => {
      const stage = createStage(mode)
      await stage.render(<Box wait={wait} onUnmount="flush" />)
      Observer.resize(element, 1)
      expect(seen).toEqual([])
      await stage.unmount()
      expect(seen).toEqual([1])
      expect(stage.clock.pending).toBe(0)
    },
  )

  it('has its last size handled when the page goes away, if asked for, though it waits for its frame', async () => {
    const stage = createStage(mode)
    await stage.render(<Box wait={100} flushOn={[pageHidden, pageHide]} />)
    Observer.resize(element, 1)
    await stage.advance(16)
    Observer.resize(element, 2)
    dispatchEvent(new Event('pagehide'))
    expect(seen).toEqual([1, 2])
    await stage.advance(1000)
    expect(seen).toEqual([1, 2])
  })

  it('has what is pending dropped at unmount otherwise', async () => {
    const stage = createStage(mode)
    await stage.render(<Box wait={100} />)
    Observer.resize(element, 1)
    await stage.advance(16)
    Observer.resize(element, 2)
    await stage.unmount()
    await stage.advance(1000)
    expect(seen).toEqual([1])
  })
})
