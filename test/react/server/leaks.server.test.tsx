import { pageHidden, pageHide, useDebouncedCallback } from 'lull'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { countKept } from '../../core/shared/garbage.ts'
import { everyHook } from '../support/every-hook.tsx'

const RENDERS = 2000
const hooks = Object.values(everyHook).map(([Hook]) => Hook)

/** Every hook, with a callback that only this render references. */
function Page({ callback }: { callback: () => void }): ReactNode {
  useDebouncedCallback(callback, 100, { onUnmount: 'flush', flushOn: [pageHidden, pageHide] })
  return hooks.map((Hook, key) => <Hook key={key} />)
}

it('retains nothing of 2,000 renders', async () => {
  const callbacks: WeakRef<() => void>[] = []
  const render = (): string => {
    const callback = (): void => undefined
    callbacks.push(new WeakRef(callback))
    return renderToString(<Page callback={callback} />)
  }
  const first = render()
  for (let n = 1; n < RENDERS; n++) expect(render()).toBe(first)
  // The stack may still hold the last one.
  expect(await countKept(callbacks, 1)).toBeLessThanOrEqual(1)
}, 120_000)
