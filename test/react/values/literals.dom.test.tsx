import { useDebounce, useThrottle } from 'lull'
import { Profiler, useEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderOn } from '../support/render.tsx'

type Filter = Record<string, unknown> | unknown[]

const valueHooks = [
  ['useDebounce', useDebounce],
  ['useThrottle', useThrottle],
] as const

describe.each(modes)('a literal recreated in each render, %s', (mode) => {
  describe.each(valueHooks)('%s', (_, useValue) => {
    /** The commits of a component that makes its value by `make`, and the values that its effects get. */
    function watch(make: (n: number) => Filter) {
      let commits = 0
      const seen: Filter[] = []
      function Box({ n }: { n: number }): ReactNode {
        const shown = useValue(make(n), 100)
        useEffect(() => void seen.push(shown), [shown])
        return null
      }
      const box = (n: number): ReactNode => (
        <Profiler id="box" onRender={() => commits++}>
          <Box n={n} />
        </Profiler>
      )
      const { advance, rerender, unmount } = renderOn(createOnClock(mode), box(0))
      // StrictMode runs each effect twice on mount.
      seen.splice(1)
      commits = 0
      return { advance, seen, commits: () => commits, show: (n: number) => rerender(box(n)), unmount }
    }

    it.each<[what: string, make: (n: number) => Filter]>([
      ['an array', (n) => ['lull', n]],
      ['an object', (n) => ({ query: 'lull', page: n })],
      ['an empty object', () => ({})],
      ['an object with a member less', (n) => (n === 0 ? { page: 1 } : {})],
      ['nested literals', (n) => ({ filter: { status: 'open' }, sort: [{ id: 'name', desc: n > 0 }] })],
      ['an array that holds NaN', (n) => [NaN, n]],
      ['an array with a hole', (n) => (n === 0 ? [undefined] : Array<unknown>(1))],
      ['an object without a prototype', (n) => Object.assign(Object.create(null) as object, { n })],
      ['a member named like an inherited one', (n) => (n === 0 ? { page: undefined } : { toString: n })],
      ['a member whose name is a symbol', (n) => ({ [Symbol.for('page')]: n })],
    ])('%s settles: only different values are shown', (_, make) => {
      const { advance, seen, commits, show } = watch(make)
      advance(10_000)
      expect(commits()).toBe(0)
      show(0)
      advance(10_000)
      expect(commits()).toBe(1)
      expect(seen).toEqual([make(0)])
      show(1)
      advance(10_000)
      expect(commits()).toBeLessThanOrEqual(3)
      expect(seen.at(-1)).toEqual(make(1))
    })

    const large: Record<string, (n: number) => Filter> = {
      'that contains itself'(n) {
        const filter: Filter = { page: Math.min(n, 1) }
        return Object.assign(filter, { self: filter })
      },
      'with more paths through it than can be compared'(n) {
        let filter: Filter = { page: Math.min(n, 1) }
        for (let level = 0; level < 40; level++) filter = { left: filter, right: filter }
        return filter
      },
    }

    it.each(Object.entries(large))('an object %s is compared to an end, and shown', (_, make) => {
      const { advance, seen, show, unmount } = watch(make)
      show(1)
      show(2)
      advance(100)
      expect(JSON.stringify(seen.at(-1), ['left', 'page'])).toContain('"page":1')
      unmount()
    })

    it('a return to the shown value is no change', () => {
      const { advance, seen, show } = watch((n) => ({ query: 'lull', page: n }))
      show(1)
      advance(1000)
      const shown = seen.length
      show(2)
      // A throttle has shown it by now.
      const between = seen.length
      show(between > shown ? 2 : 1)
      advance(1000)
      expect(seen).toHaveLength(between)
    })
  })
})
