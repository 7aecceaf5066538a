import { useDebounce } from 'lull'
import { useState } from 'react'

export function CityFilter() {
  const [city, setCity] = useState('Bern')
  const rested = useDebounce(city, 400)
  return (
    <label>
      City{' '}
      <input
        value={city}
        onChange={(event) => setCity(event.target.value)}
      />
      <output>{rested}</output>
    </label>
  )
}
