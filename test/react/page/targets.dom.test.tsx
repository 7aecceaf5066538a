import { useThrottledEvent, useThrottledResize, type ThrottledEventOptions } from 'lull'
import { useLayoutEffect, useRef, useState, type ReactNode, type Ref, type RefObject } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { boundaries, createOnClock, createStage, inTask, modes, renderHookOn } from '../support/render.tsx'
import { stubResizeObserver, type FakeLayout } from '../support/fake-resize-observer.ts'

let layout: FakeLayout
beforeEach(() => void (layout = stubResizeObserver()))

describe.each(modes)('the target, %s', (mode) => {
  it.each(boundaries)('may be the element around the component, in %s', async (boundary) => {
    const stage = createStage(mode, boundary)
    const fn = vi.fn()
    const resized = vi.fn()
    function Spy({ around }: { around: RefObject<HTMLElement | null> }): ReactNode {
      useThrottledEvent(around, 'scroll', fn)
      useThrottledResize(around, resized)
      return null
    }
    function Page(): ReactNode {
      const main = useRef<HTMLElement>(null)
      return (
        <main ref={main}>
          <Spy around={main} />
        </main>
      )
    }
    await stage.render(<Page />)
    const main = stage.container.querySelector('main')!
    for (let times = 1; times <= 2; times++) {
      main.dispatchEvent(new Event('scroll'))
      layout.resize(main, times)
      await stage.advance(16)
      expect([fn.mock.calls.length, resized.mock.calls.length]).toEqual([times, times])
      await stage.hide()
      await stage.show()
    }
  })

  it('may be the window of React Native, which has no listeners', () => {
    const find = (): Window => ({}) as Window
    const rendered = renderHookOn(createOnClock(mode), () => useThrottledEvent(find, 'scroll', vi.fn()))
    expect(rendered.unmount).not.toThrow()
  })

  it('may appear, change and disappear in any render, with exactly one listener at a time', async () => {
    const stage = createStage(mode)
    const create = () => {
      const target = new EventTarget()
      const add = vi.spyOn(target, 'addEventListener')
      const remove = vi.spyOn(target, 'removeEventListener')
      return { target, add, count: () => add.mock.calls.length - remove.mock.calls.length }
    }
    const [a, b] = [create(), create()]
    interface Props extends ThrottledEventOptions {
      target: EventTarget | null
      type?: string
      wait?: number | 'frame'
    }
    function Box({ target, type = 'ring', wait = 100, ...options }: Props): ReactNode {
      useThrottledEvent(target, type, () => undefined, wait, options)
      return null
    }
    const shown: [Omit<Props, 'target'> & { at?: typeof a }, number, number][] = [
      [{}, 0, 0],
      [{ at: a }, 1, 0],
      [{ at: a, capture: true }, 1, 0],
      [{ at: b, capture: true }, 0, 1],
      [{ at: b, type: 'other' }, 0, 1],
      [{ at: b, type: 'other', wait: 'frame' }, 0, 1],
      [{ at: a, wait: 50, leading: false }, 1, 0],
      [{}, 0, 0],
      [{ at: a }, 1, 0],
    ]
    for (const [{ at, ...props }, onA, onB] of shown) {
      await stage.render(<Box target={at?.target ?? null} {...props} />)
      expect([a.count(), b.count()]).toEqual([onA, onB])
      const { type = 'ring', capture = false } = props
      if (at) expect(at.add).toHaveBeenLastCalledWith(type, expect.any(Function), { passive: true, capture })
    }
    await stage.hide()
    expect(a.count()).toBe(0)
    await stage.show()
    expect(a.count()).toBe(1)
    await stage.unmount()
    expect(a.count()).toBe(0)
  })

  it('gets one listener, and one observation of each box, over renders with inline callbacks and options', () => {
    const element = document.createElement('div')
    const add = vi.spyOn(element, 'addEventListener')
    const { rerender, unmount } = renderHookOn(createOnClock(mode), (box?: ResizeObserverBoxOptions) => {
      const find = (): Element => element
      useThrottledEvent(find, 'text', () => undefined, 100, { capture: true })
      useThrottledResize(find, () => undefined, 100, { box })
    })
    for (let n = 0; n < 50; n++) rerender(undefined)
    rerender('border-box')
    const mounts = mode === 'plain' ? ['content-box'] : ['content-box', 'content-box']
    expect(add).toHaveBeenCalledTimes(mounts.length)
    expect(layout.observed).toEqual({ now: 1, boxes: [...mounts, 'border-box'] })
    unmount()
    expect(layout.observed.now).toBe(0)
  })

  it('may appear after the component: a state is listened to at once, a ref at the next render', async () => {
    let appear: () => void
    function Late({ holder }: { holder: Ref<HTMLElement> }): ReactNode {
      const [isThere, setThere] = useState(false)
      appear = () => setThere(true)
      return isThere && <b ref={holder} />
    }
    const runs = vi.fn<() => void>()
    function ByRef(): ReactNode {
      const ref = useRef<HTMLElement>(null)
      useThrottledEvent(ref, 'click', runs)
      return <Late holder={ref} />
    }
    function ByState(): ReactNode {
      const [element, setElement] = useState<HTMLElement | null>(null)
      useThrottledEvent(element, 'click', runs)
      return <Late holder={setElement} />
    }
    for (const [Box, heardAtOnce] of [
      [ByRef, 0],
      [ByState, 1],
    ] as const) {
      const stage = createStage(mode)
      runs.mockClear()
      await stage.render(<Box />)
      await inTask(() => appear())
      for (const heard of [heardAtOnce, 1]) {
        stage.container.querySelector('b')!.click()
        await stage.advance(16)
        expect(runs).toHaveBeenCalledTimes(heard)
        runs.mockClear()
        await stage.render(<Box />)
      }
      await stage.unmount()
    }
  })

  it('may be in a popup, whose changes of size Firefox reports to no observer of the opener', () => {
    const { contentDocument, contentWindow } = document.body.appendChild(document.createElement('iframe'))
    const element = contentDocument!.body
    const popup = stubResizeObserver(contentWindow!)
    const seen = vi.fn<(width: number) => void>()
    const { advance, unmount } = renderHookOn(createOnClock(mode), () =>
      useThrottledResize(element, ({ contentRect }) => seen(contentRect.width)),
    )
    popup.resize(element, 100)
    advance(16)
    expect(seen.mock.calls).toEqual([[100]])
    expect(layout.observed.now).toBe(0)
    unmount()
    expect(popup.observed.now).toBe(0)
    document.querySelector('iframe')!.remove()
  })

  it('may be a ref whose element changes in a render: reports no size of the old one, which is still observed', async () => {
    const stage = createStage(mode)
    const seen = vi.fn<(width: number) => void>()
    function Box({ id }: { id: string }): ReactNode {
      const box = useRef<HTMLDivElement>(null)
      useThrottledResize(box, ({ contentRect }) => seen(contentRect.width))
      useLayoutEffect(() => {
        const element = box.current!
        // The browser may notice the removal before the passive effects of the commit.
        return () => layout.resize(element, 0)
      }, [id])
      return <div key={id} ref={box} />
    }
    await stage.render(<Box id="a" />)
    layout.resize(stage.container.querySelector('div')!, 100)
    await stage.advance(16)
    await stage.render(<Box id="b" />)
    await stage.advance(100)
    expect(seen.mock.calls).toEqual([[100]])
    layout.resize(stage.container.querySelector('div')!, 200)
    await stage.advance(16)
    expect(seen.mock.calls).toEqual([[100], [200]])
    await stage.unmount()
  })

  it('may be a window, of a page that has an element of the id "current"', () => {
    vi.stubGlobal('current', document.createElement('div'))
    const runs = vi.fn<() => void>()
    const { advance } = renderHookOn(createOnClock(mode), () =>
      useThrottledEvent(window, 'ring', () => runs()),
    )
    window.dispatchEvent(new Event('ring'))
    advance(16)
    expect(runs).toHaveBeenCalledTimes(1)
  })
})
