// Components as users write them. In some projects React Compiler compiles this file, and the hooks.
import {
  useDebounce,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useThrottle,
  useThrottledCallback,
} from 'lull'
import { useState, type ReactNode } from 'react'

export interface Logging {
  log: (entry: string) => void
}

export function Search({ delay = 100 }: { delay?: number }): ReactNode {
  const [text, setText] = useState('')
  const rested = useDebounce({ text }, delay)
  return (
    <label>
      <input value={text} onChange={(event) => setText(event.target.value)} />
      {rested.text}
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
      {isPending ? 'pending' : 'at rest'}
      <button onClick={save.flush}>Save</button>
      <button onClick={save.cancel}>Drop</button>
    </label>
  )
}

/** Calls, and shows nothing of it: there is nothing to render. */
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
