import { pageHidden, pageHide, useDebouncedCallback } from 'lull'
import { expect, it } from 'vitest'
import { countKept } from '../../core/shared/garbage.ts'
import { createOnClock, renderHookOn, unmountAll } from '../support/render.tsx'

// In one mode only, as garbage collection is slow.

it('keeps no callback of an older commit', async () => {
  const refs: WeakRef<object>[] = []
  const { advance, result, rerender } = renderHookOn(
    createOnClock('StrictMode'),
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
