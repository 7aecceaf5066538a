import { act } from '@testing-library/react'
import { pageHidden, pageHide, useBatch, useDebouncedAsync, useDebouncedCallback } from 'lull'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createOnClock, renderHookOn, unmountAll } from '../support/render-on-clock.tsx'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function howManyAreKept(refs: WeakRef<object>[], maxTries = 10): Promise<number> {
  let kept = refs.length
  // A task keeps the objects that it creates or derefs until its end; a compilation keeps them longer.
  for (let tries = 0; kept > 0 && tries < maxTries; tries++) {
    await setImmediate()
    collect()
    kept = refs.filter((ref) => ref.deref()).length
  }
  return kept
}

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
      const { clock, advance, ...onClock } = createOnClock('StrictMode')
      const { result, unmount } = renderHookOn({ ...onClock }, useHeld)
      const held = result.current
      const callWithFreshObjects = (): WeakRef<object>[] => {
        const objects = [{}, {}]
        act(() => void held.call.call(objects[0], objects[1]!))
        return objects.map((object) => new WeakRef(object))
      }
      const refs = callWithFreshObjects()
      expect(await howManyAreKept(refs, 1)).toBeGreaterThan(0)
      end({ ...held, unmount, pass: () => advance(100) })
      expect(await howManyAreKept(refs)).toBe(0)
      // `held` was reachable all the time, and its methods still work.
      held.cancel()
      unmount()
      expect(clock.pending).toBe(0)
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
    expect(await howManyAreKept(refs.slice(0, 7))).toBe(0)
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
    expect(await howManyAreKept(refs.slice(0, 9))).toBe(0)
    expect(onClock.clock.pending).toBe(0)
  })
})
