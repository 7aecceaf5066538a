import {
  useBatch,
  useDebouncedAsync,
  useDebouncedCallback,
  useThrottledEvent,
  type DebouncedAsyncState,
} from 'lull'
import { use, useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createStage, inTask, modes, policyIn } from '../support/mount-on-clock.tsx'

describe.each(modes)('while something beside it suspends, %s', (mode) => {
  const policies = ['cancel', ...(policyIn(mode, 'Suspense').onUnmount ? [] : (['flush'] as const))] as const
  it.each(policies)('a pending call is kept, with onUnmount %s', async (onUnmount) => {
    const stage = createStage(mode, 'Suspense')
    const fn = vi.fn()
    let call: (text: string) => void
    function Box(): ReactNode {
      const debounced = useDebouncedCallback((text: string) => void fn(text), 100, { onUnmount })
      useInsertionEffect(() => {
        call = debounced
      })
      return 'box'
    }
    await stage.render(<Box />)
    call!('typed')
    await stage.advance(40)
    await stage.hide()
    expect(stage.container.textContent).toContain('waiting')
    await stage.show()
    expect(fn).not.toHaveBeenCalled()
    await stage.advance(60)
    expect(fn.mock.calls).toEqual([['typed']])
  })

  it('a pending call runs at its time, even if it still does', async () => {
    const stage = createStage(mode, 'Suspense')
    const fn = vi.fn()
    let call: () => void
    function Box(): ReactNode {
      const debounced = useDebouncedCallback(() => void fn(), 100)
      useInsertionEffect(() => {
        call = debounced
      })
      return null
    }
    await stage.render(<Box />)
    call!()
    await stage.hide()
    await stage.advance(100)
    expect(fn).toHaveBeenCalledTimes(1)
  })

  it('a run in flight goes on, and its result is shown', async () => {
    const stage = createStage(mode, 'Suspense')
    let search: DebouncedAsyncState<[string], string>
    const aborted = vi.fn()
    function Box(): ReactNode {
      const own = useDebouncedAsync((signal, text: string) => {
        signal.addEventListener('abort', aborted)
        return new Promise<string>((resolve) => stage.clock.after(500, () => resolve(`found ${text}`)))
      }, 100)
      useInsertionEffect(() => {
        search = own
      })
      return own.data ?? own.status
    }
    await stage.render(<Box />)
    await inTask(() => void search.run('it'))
    await stage.advance(100)
    await stage.hide()
    await stage.show()
    await stage.advance(500)
    expect(aborted).not.toHaveBeenCalled()
    expect(stage.container.textContent).toBe('found it')
  })

  it('items of a batch are kept', async () => {
    const stage = createStage(mode, 'Suspense')
    const sent: number[][] = []
    let add: (n: number) => Promise<undefined>
    function Box(): ReactNode {
      const batched = useBatch<number>((items) => void sent.push(items), {
        wait: 100,
      })
      useInsertionEffect(() => {
        add = batched.add
      })
      return null
    }
    await stage.render(<Box />)
    void add!(1)
    await stage.hide()
    await stage.show()
    void add!(2)
    await stage.advance(100)
    expect(sent).toEqual([[1, 2]])
  })

  it('the last event is handled, and events are handled after it', async () => {
    const stage = createStage(mode, 'Suspense')
    const target = new EventTarget()
    const fn = vi.fn()
    function Box(): ReactNode {
      useThrottledEvent(target, 'ring', fn, 100, { leading: false })
      return null
    }
    await stage.render(<Box />)
    target.dispatchEvent(new Event('ring'))
    await stage.hide()
    await stage.show()
    await stage.advance(100)
    expect(fn).toHaveBeenCalledTimes(1)
    target.dispatchEvent(new Event('ring'))
    await stage.advance(200)
    expect(fn).toHaveBeenCalledTimes(2)
  })
})

it.each(modes)(
  'what suspends in its first render leaves nothing behind, and works once it is there, %s',
  async (mode) => {
    const stage = createStage(mode, 'Suspense')
    let resolve: () => void
    const promise = new Promise<void>((settle) => (resolve = settle))
    const target = new EventTarget()
    const listen = vi.spyOn(target, 'addEventListener')
    const fn = vi.fn()
    function Box(): ReactNode {
      useThrottledEvent(target, 'ring', fn)
      use(promise)
      return 'there'
    }
    await stage.render(<Box />)
    expect([listen.mock.calls.length, stage.clock.pending]).toEqual([0, 0])
    await inTask(() => resolve())
    expect(stage.container.textContent).toBe('there')
    target.dispatchEvent(new Event('ring'))
    await stage.advance(16)
    expect(fn).toHaveBeenCalledTimes(1)
  },
)
