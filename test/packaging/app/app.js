// The app of every project: a debounced value and a debounced function.
import { useDebounce, useDebouncedCallback, useIsPending } from 'lull'
import { createElement, useState } from 'react'

export function App() {
  const [text, setText] = useState('')
  const [saved, setSaved] = useState([])
  const rested = useDebounce(text, 300)
  const save = useDebouncedCallback((typed) => setSaved((all) => [...all, typed]), 300)
  const isPending = useIsPending(save)

  const type = (event) => {
    setText(event.target.value)
    save(event.target.value)
  }
  return createElement(
    'main',
    null,
    createElement('input', { 'aria-label': 'Text', value: text, onChange: type }),
    createElement('output', { id: 'rested' }, rested),
    createElement('output', { id: 'saved' }, saved.join(', ')),
    createElement('output', { id: 'pending' }, String(isPending)),
  )
}
