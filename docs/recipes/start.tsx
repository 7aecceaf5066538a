import { useDebouncedAsync, useRateLimitedFetch } from 'lull'

export function Cities() {
  const fetch = useRateLimitedFetch()
  const search = useDebouncedAsync(async (signal, text: string) => {
    const response = await fetch(
      `https://api.example/cities?q=${encodeURIComponent(text)}`,
      { signal },
    )
    if (!response.ok) throw new Error(`status ${response.status}`)
    return (await response.json()) as string[]
  }, 250)
  const { run, data, error } = search
  return (
    <search>
      <input
        aria-label="City"
        onChange={(event) => void run(event.target.value)}
      />
      <p>{error ? 'No cities, try again' : data?.join(', ')}</p>
    </search>
  )
}
