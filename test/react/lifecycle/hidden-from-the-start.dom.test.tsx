import { useDebounce, useDebouncedCallback, useThrottledEvent } from 'lull'
import { type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createStage, inTask, modes } from '../support/mount-on-clock.tsx'

describe.each(modes)('in an Activity that is hidden from the start, %s', (mode) => {
  it('leaves no timer if it is unmounted without having been shown', async () => {
    const stage = createStage(mode, 'Activity', true)
    const fn = vi.fn<() => void>()
    function Box(): ReactNode {
      const debounced = useDebouncedCallback(() => fn(), 100)
      return <button onClick={() => debounced()}>call</button>
    }
    await stage.render(<Box />)
    await inTask(() => stage.container.querySelector('button')!.click())
    await stage.unmount()
    expect(stage.clock.pending).toBe(0)
    await stage.advance(1000)
    expect(fn).not.toHaveBeenCalled()
  })

  it('follows a value that changed meanwhile once it is shown', async () => {
    const stage = createStage(mode, 'Activity', true)
    const Box = ({ value }: { value: string }): ReactNode => <p>{useDebounce(value, 100)}</p>
    await stage.render(<Box value="a" />)
    await stage.render(<Box value="b" />)
    await stage.advance(1000)
    expect(stage.container.textContent).toBe('a')
    await stage.show()
    await stage.advance(99)
    expect(stage.container.textContent).toBe('a')
    await stage.advance(1)
    expect(stage.container.textContent).toBe('b')
  })

  it('listens to nothing until it is shown', async () => {
    const stage = createStage(mode, 'Activity', true)
    const target = new EventTarget()
    const fn = vi.fn<() => void>()
    function Box(): ReactNode {
      useThrottledEvent(target, 'ring', fn)
      return null
    }
    await stage.render(<Box />)
    target.dispatchEvent(new Event('ring'))
    expect(stage.clock.pending).toBe(0)
    await stage.show()
    target.dispatchEvent(new Event('ring'))
    await stage.advance(16)
    expect(fn).toHaveBeenCalledTimes(1)
  })
})
