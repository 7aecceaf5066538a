import { useState } from 'react'
import { useDebouncedCallback } from 'use-debounce'

export function Greeting() {
  const [name, setName] = useState('nobody')
  const greet = useDebouncedCallback(
    (typed: string) => setName(typed),
    400,
  )
  return (
    <label>
      Name <input onChange={(event) => greet(event.target.value)} />
      <output>{name}</output>
    </label>
  )
}
