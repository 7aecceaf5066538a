import { useDebounce } from 'ahooks'
import { useState } from 'react'

export function Street() {
  const [street, setStreet] = useState('')
  const debounced = useDebounce(street, { wait: 500 })
  return (
    <label>
      Street{' '}
      <input
        value={street}
        onChange={(event) => setStreet(event.target.value)}
      />
      <output>{debounced}</output>
    </label>
  )
}
