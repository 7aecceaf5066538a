// Components as users write them. Some projects compile this file and the hooks with React Compiler.
import {
  useDebounce,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useThrottle,
  useThrottledCallback,
} from 'lull'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'

export interface Logging {
  log: (entry: string) => void
}

export function Search({ delay = 100 }: { delay?: number }): ReactNode {
  const [text, setText] = useState('')
  const shown = useDebounce({ text }, delay)
  return (
    <label>
      <input value={text} onChange={(event) => setText(event.target.value)} />
      {shown.text}
    </label>
  )
}

export function Follow(): ReactNode {
  const [text, setText] = useState('')
  return (
    <label>
      <input value={text} onChange={(event) => setText(event.target.value)} />
      {useThrottle(text, 100)}
    </label>
  )
}

export function Autosave({ log }: Logging): ReactNode {
  const [text, setText] = useState('')
  const save = useDebouncedCallback((draft: string) => log(`${draft} of ${text}`), 100, {
    onUnmount: 'flush',
  })
  const isPending = useIsPending(save)
  return (
    <label>
      <input
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          save(event.target.value)
        }}
      />
      {isPending ? 'pending' : 'saved'}
      <button onClick={save.flush}>Save</button>
      <button onClick={save.cancel}>Drop</button>
    </label>
  )
}

/** Calls debounced functions without showing their state, so that nothing rerenders. */
export function Silent({ log }: Logging): ReactNode {
  const save = useDebouncedCallback((text: string) => log(`saved ${text}`), 100)
  const track = useThrottledCallback((text: string) => log(`saw ${text}`), 100)
  return (
    <input
      onChange={(event) => {
        save(event.target.value)
        track(event.target.value)
      }}
    />
  )
}

export function Filter(): ReactNode {
  const [filter, setFilter, debounced] = useDebouncedState('none', 100)
  const isPending = useIsPending(debounced)
  return (
    <>
      <p>{isPending ? `${filter} …` : filter}</p>
      <button onClick={() => setFilter('red')}>Red</button>
      <button onClick={() => setFilter('none')}>None</button>
      <button onClick={() => setFilter('blue', { immediate: true })}>Blue now</button>
    </>
  )
}

const Never = lazy(() => new Promise<never>(() => undefined))

interface AbandoningProps extends Logging {
  onPage: (set: (page: string) => void) => void
  onShown: (text: string) => void
}

/** The render of the page 'never' stays suspended. */
export function Abandoning({ log, onPage, onShown }: AbandoningProps): ReactNode {
  const [page, setPage] = useState('first')
  const shown = useDebounce(page, 100)
  const call = useDebouncedCallback(() => log(`called on ${page}`), 100)
  useEffect(() => {
    onPage(setPage)
  }, [onPage])
  useEffect(() => {
    onShown(shown)
  }, [onShown, shown])
  return (
    <>
      <button onClick={call}>Call</button>
      <p>{shown}</p>
      <Suspense>{page === 'never' && <Never />}</Suspense>
    </>
  )
}
