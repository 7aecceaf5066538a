// What @react-hookz/web 26.1 has wrong (HK4: has right), and that ours has right.
import { useThrottledCallback } from 'lull'
import { expect, it } from 'vitest'
import { createOnClock, renderHookOn, type OnClock } from '../render-on-clock.tsx'

const throttled = <Args extends unknown[]>(onClock: OnClock, fn: (...args: Args) => void) =>
  renderHookOn(onClock, ({ fn }) => useThrottledCallback(fn, 100), { fn })

it('HK1: a callback may call its own throttled function: it runs again after the wait', () => {
  const onClock = createOnClock()
  const ran: number[] = []
  const { result } = throttled(onClock, () => {
    ran.push(onClock.clock.now())
    if (ran.length < 3) result.current()
  })
  result.current()
  expect(ran).toEqual([0])
  onClock.advance(1000)
  expect(ran).toEqual([0, 100, 200])
  expect(onClock.clock.pending).toBe(0)
})

it('HK2: the trailing run is that of the last callback', () => {
  const onClock = createOnClock()
  const ran: string[] = []
  const { result, rerender } = throttled(onClock, (text: string) => ran.push(`${text}, old`))
  result.current('first')
  result.current('last')
  rerender({ fn: (text) => ran.push(`${text}, new`) })
  onClock.advance(100)
  expect(ran).toEqual(['first, old', 'last, new'])
})

it('HK3: a callback that throws is throttled as ever, and called again', () => {
  const onClock = createOnClock()
  const ran: [text: string, at: number][] = []
  const { result } = throttled(onClock, (text: string) => {
    ran.push([text, onClock.clock.now()])
    throw new Error(text)
  })
  expect(() => result.current('one')).toThrow('one')
  result.current('two')
  expect(() => onClock.advance(100)).toThrow('two')
  result.current('three')
  expect(() => onClock.advance(100)).toThrow('three')
  expect(ran).toEqual([
    ['one', 0],
    ['two', 100],
    ['three', 200],
  ])
  expect(onClock.clock.pending).toBe(0)
})

it('HK4: hands on the `this` of the call to the leading and to the trailing run', () => {
  const onClock = createOnClock()
  const seen: unknown[] = []
  function note(this: unknown): void {
    seen.push(this)
  }
  const { result } = renderHookOn(onClock, () => useThrottledCallback(note, 100), undefined)
  const callers = [{ name: 'leading' }, { name: 'trailing' }]
  for (const caller of callers) result.current.call(caller)
  onClock.advance(100)
  expect(seen).toEqual(callers)
})
