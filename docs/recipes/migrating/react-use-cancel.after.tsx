import { useDebouncedState, useIsPending } from 'lull'

export function Author() {
  const [author, setAuthor, held] = useDebouncedState('nobody', 2000)
  const status = useIsPending(held) ? 'typing' : 'at rest'
  return (
    <label>
      Author <input onChange={(event) => setAuthor(event.target.value)} />
      <button onClick={held.cancel}>Leave it</button>
      <output>{`${author}, ${status}`}</output>
    </label>
  )
}
