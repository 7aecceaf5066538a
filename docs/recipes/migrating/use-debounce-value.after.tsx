import { useDebounce } from 'lull'
import { useState } from 'react'

export function CityFilter() {
  const [city, setCity] = useState('Bern')
  const debounced = useDebounce(city, 400)
  return (
    <label>
      City{' '}
      <input
        value={city}
        onChange={(event) => setCity(event.target.value)}
      />
      <output>{debounced}</output>
    </label>
  )
}
