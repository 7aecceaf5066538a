import { act, screen } from '@testing-library/react'
import { useDebounce, useDebouncedAsync, useDebouncedState, useThrottle } from 'lull'
import { startTransition, Suspense, use, useEffect, useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createDeferred } from '../../core/shared/promises.ts'
import { createOnClock, modes, renderOn } from '../support/render.tsx'

describe.each(modes)('set in a transition, %s', (mode) => {
  const answers = new Map<string, Promise<string>>()

  const Results = ({ query }: { query: string }): ReactNode => query && use(answers.get(query)!)

  type Commit = ((set: () => void) => void) | undefined

  const sources: Record<string, (typed: string, commit: Commit) => string> = {
    useDebounce: (typed, commit) => useDebounce(typed, 100, { commit }),
    useThrottle: (typed, commit) => useThrottle(typed, 100, { leading: false, commit }),
    useDebouncedState(typed, commit) {
      const [query, set] = useDebouncedState('', 100, { commit })
      useEffect(() => set(typed), [set, typed])
      return query
    },
    useDebouncedAsync(typed, commit) {
      const { run, data = '' } = useDebouncedAsync((_, text: string) => text, 100, { commit })
      useEffect(() => void run(typed), [run, typed])
      return data
    },
  }

  it.each(
    Object.entries(sources).flatMap(([name, useQuery]) => [
      { name, useQuery, how: 'at once', meanwhile: 'fallback' },
      { name, useQuery, how: 'in a transition', meanwhile: 'results of a' },
    ]),
  )('$name, $how, shows "$meanwhile" until new results are there', async ({ useQuery, how, meanwhile }) => {
    const onClock = createOnClock(mode)
    const commit = how === 'at once' ? undefined : startTransition
    answers.set('a', Promise.resolve('results of a'))
    const later = createDeferred<string>()
    answers.set('ab', later.promise)
    let type!: (text: string) => void
    function Search(): ReactNode {
      const [typed, setTyped] = useState('')
      // Each hook calls the function of the last commit, not that of the first one.
      const query = useQuery(typed, typed ? commit : () => undefined)
      useEffect(() => void (type = setTyped), [])
      return (
        <Suspense fallback={<output>fallback</output>}>
          <output>
            <Results query={query} />
          </output>
        </Suspense>
      )
    }
    renderOn(onClock, <Search />)
    const shown = (): (string | null)[] => screen.getAllByRole('status').map(({ textContent }) => textContent)
    for (const text of ['a', 'ab']) {
      act(() => type(text))
      await act(() => onClock.clock.advanceAsync(100))
    }
    expect(shown()).toEqual([meanwhile])
    await act(async () => {
      later.resolve('results of ab')
      await later.promise
    })
    expect(shown()).toEqual(['results of ab'])
  })
})
