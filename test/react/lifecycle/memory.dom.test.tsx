import { act, cleanup } from '@testing-library/react'
import {
  pageHidden,
  pageHide,
  useBatch,
  useDebouncedAsync,
  useDebouncedCallback,
  useThrottledCallback,
} from 'lull'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createOnClock, renderHookOn } from '../support/render-on-clock.tsx'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function howManyAreKept(refs: WeakRef<object>[], maxTries = 10): Promise<number> {
  let kept = refs.length
  // What a task has made or read weakly lives until that task ends, and what is just being compiled a little longer.
  for (let tries = 0; kept > 0 && tries < maxTries; tries++) {
    await setImmediate()
    collect()
    kept = refs.filter((ref) => ref.deref()).length
  }
  return kept
}

type Call = (argument: object) => unknown

const hooks: [name: string, useHeld: () => { call: Call; cancel: () => void; flush: () => unknown }][] = [
  [
    'useDebouncedCallback',
    () => {
      const held = useDebouncedCallback((object: object) => typeof object, 100)
      return { call: held, cancel: held.cancel, flush: held.flush }
    },
  ],
  [
    'useThrottledCallback',
    () => {
      const held = useThrottledCallback((object: object) => typeof object, 100, { leading: false })
      return { call: held, cancel: held.cancel, flush: held.flush }
    },
  ],
  [
    'useDebouncedAsync',
    () => {
      const { run, cancel, flush } = useDebouncedAsync((_signal, object: object) => typeof object, 100)
      return { call: run, cancel, flush }
    },
  ],
  [
    'useBatch',
    () => {
      const { add, cancel, flush } = useBatch((objects: object[]) => objects.map((object) => typeof object), {
        wait: 100,
      })
      return { call: add, cancel, flush }
    },
  ],
]

// In one mode: a collection takes its time.
describe('nothing is retained', () => {
  describe.each(hooks)('%s', (_, useHeld) => {
    it.each(['a run', 'a cancel', 'a flush', 'an unmount'])(
      'keeps neither arguments nor this after %s',
      async (end) => {
        const onClock = createOnClock('StrictMode')
        const { result, unmount } = renderHookOn(onClock, useHeld, undefined)
        const { call, cancel, flush } = result.current
        const callWithFreshObjects = (): WeakRef<object>[] => {
          const objects = [{}, {}]
          act(() => void call.call(objects[0], objects[1]!))
          return objects.map((object) => new WeakRef(object))
        }
        const refs = callWithFreshObjects()
        expect(await howManyAreKept(refs, 1)).toBeGreaterThan(0)
        if (end === 'a run') onClock.advance(100)
        if (end === 'a cancel') act(cancel)
        if (end === 'a flush') act(() => void flush())
        if (end === 'an unmount') unmount()
        expect(await howManyAreKept(refs)).toBe(0)
        // It has been in reach all the while, and still is for whoever has taken it.
        cancel()
        unmount()
        expect(onClock.clock.pending).toBe(0)
      },
    )
  })

  it('keeps no callback of an older commit', async () => {
    const onClock = createOnClock('StrictMode')
    const refs: WeakRef<object>[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ page }) => {
        const debounced = useDebouncedCallback(() => page, 100)
        return debounced
      },
      { page: {} },
    )
    const renderWithFresh = (): void => {
      const page = {}
      refs.push(new WeakRef(page))
      rerender({ page })
    }
    result.current()
    for (let n = 0; n < 10; n++) renderWithFresh()
    // React has the props of the last two.
    expect(await howManyAreKept(refs.slice(0, 7))).toBe(0)
    onClock.advance(100)
    result.current.cancel()
  })

  it('keeps no component that is gone for a page that lives on', async () => {
    const onClock = createOnClock('StrictMode')
    const mountAndUnmount = (): WeakRef<object> => {
      const page = {}
      const { result } = renderHookOn(
        onClock,
        () => useDebouncedCallback(() => page, 100, { onUnmount: 'flush', flushOn: [pageHidden, pageHide] }),
        undefined,
      )
      result.current()
      const ref = new WeakRef(result.current)
      // It forgets the container too.
      cleanup()
      return ref
    }
    const refs = Array.from({ length: 10 }, mountAndUnmount)
    // React may have the last one in its hands.
    expect(await howManyAreKept(refs.slice(0, 9))).toBe(0)
    expect(onClock.clock.pending).toBe(0)
  })
})
