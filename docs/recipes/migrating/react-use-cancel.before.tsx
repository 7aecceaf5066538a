import { useState } from 'react'
import { useDebounce } from 'react-use'

export function Author() {
  const [text, setText] = useState('')
  const [status, setStatus] = useState('at rest')
  const [author, setAuthor] = useState('nobody')
  const [, cancel] = useDebounce(
    () => {
      setStatus('at rest')
      if (text) setAuthor(text)
    },
    2000,
    [text],
  )
  function type(typed: string) {
    setStatus('typing')
    setText(typed)
  }
  return (
    <label>
      Author{' '}
      <input value={text} onChange={(event) => type(event.target.value)} />
      <button onClick={cancel}>Leave it</button>
      <output>{`${author}, ${status}`}</output>
    </label>
  )
}
