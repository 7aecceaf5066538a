import { expect, it } from 'vitest'
import { densest, paintTicks } from '../../../demo/src/strips/paint-ticks.ts'
import type { Strip } from '../../../demo/src/strips/strip.ts'

/** A strip of 500 pixels for 10 s, and the marks painted on it. */
function setUp() {
  const marks: { x: number; height: number }[] = []
  const fillRect = (x: number, _: number, __: number, height: number) => void marks.push({ x, height })
  const canvas = new Proxy({}, { get: (_, name) => (name === 'fillRect' ? fillRect : () => undefined) })
  const strip = {
    canvas,
    from: 0,
    to: 10_000,
    now: 10_000,
    left: 0,
    right: 500,
    height: 30,
    x: (at: number) => at / 20,
  } as unknown as Strip
  return { marks, strip }
}

it('paints a mark per pixel, taller for more events, and returns the maximum count', () => {
  const { marks, strip } = setUp()
  const instants = [1000, 2000, 2001, 2002, 2003, 2020, 2021]
  paintTicks(strip, instants, 'black')
  expect(marks).toHaveLength(3)
  const [one, four, two] = marks.map(({ height }) => height)
  expect(four).toBe(24)
  expect(two).toBeLessThan(four!)
  expect(one).toBeLessThan(two!)
  expect(densest(strip, instants)).toBe(4)
})

it('paints nothing after `until`, and the marks before it at the same height', () => {
  const { marks, strip } = setUp()
  const instants = [1000, 2000, 2001, 3000, 3001, 3002, 3003]
  paintTicks(strip, instants, 'black')
  const all = marks.splice(0)
  paintTicks(strip, instants, 'black', 2500)
  expect(marks).toEqual(all.slice(0, 2))
})
