import { useDebouncedState, useIsPending } from 'lull'

export function Author() {
  const [author, setAuthor, debounced] = useDebouncedState('nobody', 2000)
  const status = useIsPending(debounced) ? 'typing' : 'at rest'
  return (
    <label>
      Author <input onChange={(event) => setAuthor(event.target.value)} />
      <button onClick={debounced.cancel}>Leave it</button>
      <output>{`${author}, ${status}`}</output>
    </label>
  )
}
