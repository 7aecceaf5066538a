import { expect, it, vi } from 'vitest'
import { onWake } from '../../../src/core/time/on-wake.ts'
import { createPage, SIGNS } from '../../fetch/fixtures/fake-page.ts'

it('calls back at each sign that the page wakes, until it is stopped; outside a page it does nothing', () => {
  onWake(vi.fn())()
  const page = createPage()
  const callback = vi.fn()
  const stop = onWake(callback)
  SIGNS.forEach(page.emit)
  stop()
  SIGNS.forEach(page.emit)
  expect(callback).toHaveBeenCalledTimes(SIGNS.length)
})
