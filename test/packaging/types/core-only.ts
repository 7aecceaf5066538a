// Without the types of React, and with those of Node or a worker in place of the DOM.
import { batch, createKeyedLimiter, debounce, gcra } from 'lull/core'

const limiter = createKeyedLimiter(gcra({ ratePerSecond: 1, burst: 1 }))
export const { allowed, retryAfterMs } = limiter.decide('key')
export const sizes = batch((items: string[]) => items.map(({ length }) => length), { wait: 10 })
export const size: Promise<number> = sizes.add('item')
export const soon = debounce(() => undefined, 10)
export { shareBetweenTabs } from 'lull/tabs'
