import { act } from '@testing-library/react'
import { pageHidden, pageHide, useBatch, useDebouncedAsync, useDebouncedCallback } from 'lull'
import { describe, expect, it } from 'vitest'
import { countKept } from '../../core/shared/garbage.ts'
import { createOnClock, renderHookOn, unmountAll } from '../support/render-on-clock.tsx'

interface Held {
  call: (argument: object) => unknown
  cancel: () => void
  flush: () => unknown
}

const hooks: Record<string, () => Held> = {
  useDebouncedCallback() {
    const call = useDebouncedCallback((object: object) => typeof object, 100)
    return { ...call, call }
  },
  useDebouncedAsync() {
    const { run, ...state } = useDebouncedAsync((_signal, object: object) => typeof object, 100)
    return { ...state, call: run }
  },
  useBatch() {
    const { add, ...batch } = useBatch((all: object[]) => all.map((object) => typeof object), { wait: 100 })
    return { ...batch, call: add }
  },
}

// In one mode only, as garbage collection is slow.
describe('memory', () => {
  describe.each(Object.entries(hooks))('%s', (_, useHeld) => {
    it.each<[end: string, (held: Held & { unmount: () => void; pass: () => void }) => void]>([
      ['a run', ({ pass }) => pass()],
      ['a cancel', ({ cancel }) => act(cancel)],
      ['a flush', ({ flush }) => act(() => void flush())],
      ['an unmount', ({ unmount }) => unmount()],
    ])('keeps neither arguments nor this after %s', async (_, end) => {
      const { advance, ...onClock } = createOnClock('StrictMode')
      const { result, unmount } = renderHookOn({ ...onClock }, useHeld)
      const held = result.current
      const callWithFreshObjects = (): WeakRef<object>[] => {
        const objects = [{}, {}]
        act(() => void held.call.call(objects[0], objects[1]!))
        return objects.map((object) => new WeakRef(object))
      }
      const refs = callWithFreshObjects()
      expect(await countKept(refs, 1)).toBeGreaterThan(0)
      end({ ...held, unmount, pass: () => advance(100) })
      expect(await countKept(refs)).toBe(0)
      // `held` was reachable all the time, and its methods still work.
      held.cancel()
    })
  })

  it('keeps no callback of an older commit', async () => {
    const refs: WeakRef<object>[] = []
    const { advance, ...onClock } = createOnClock('StrictMode')
    const { result, rerender } = renderHookOn(
      onClock,
      (page: object) => useDebouncedCallback(() => page, 100),
      {},
    )
    const renderWithFresh = (): void => {
      const page = {}
      refs.push(new WeakRef(page))
      rerender(page)
    }
    result.current()
    for (let n = 0; n < 10; n++) renderWithFresh()
    // React keeps the props of the last two commits.
    expect(await countKept(refs.slice(0, 7))).toBe(0)
    advance(100)
    result.current.cancel()
  })

  it("keeps no unmounted component in the page's listeners", async () => {
    const onClock = createOnClock('StrictMode')
    const options = { onUnmount: 'flush', flushOn: [pageHidden, pageHide] } as const
    const mountAndUnmount = (): WeakRef<object> => {
      const page = {}
      const { result } = renderHookOn(onClock, () => useDebouncedCallback(() => page, 100, options))
      result.current()
      const ref = new WeakRef(result.current)
      // Also releases the container.
      unmountAll()
      return ref
    }
    const refs = Array.from({ length: 10 }, mountAndUnmount)
    // React may still hold the last one.
    expect(await countKept(refs.slice(0, 9))).toBe(0)
  })
})
