import { useRateLimitedFetch } from 'lull'
import { useState } from 'react'

/** Requests all cities. They leave as fast as the server allows. */
export function Cities({ ids }: { ids: readonly string[] }) {
  const fetch = useRateLimitedFetch()
  const [shown, setShown] = useState('')

  async function load(id: string): Promise<string> {
    const response = await fetch(`https://api.test/cities/${id}`)
    if (!response.ok) throw new Error(`No city: ${response.status}`)
    return response.text()
  }

  function loadAll(): void {
    Promise.all(ids.map(load)).then(
      (names) => setShown(names.join(', ')),
      (error: unknown) => setShown(String(error)),
    )
  }
  return (
    <>
      <button onClick={loadAll}>Load</button>
      <output>{shown}</output>
    </>
  )
}
