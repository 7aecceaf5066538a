import { useDebouncedAsync, useRateLimitedFetch } from 'lull'

export function Cities() {
  const fetch = useRateLimitedFetch()
  const { run, data } = useDebouncedAsync(async (signal, text: string) => {
    const response = await fetch(
      `https://api.example/cities?q=${encodeURIComponent(text)}`,
      { signal },
    )
    return (await response.json()) as string[]
  }, 250)
  return (
    <search>
      <input
        aria-label="City"
        onChange={(event) => void run(event.target.value)}
      />
      <p>{data?.join(', ')}</p>
    </search>
  )
}
