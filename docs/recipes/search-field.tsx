import { composing, useDebouncedAsync, useRateLimitedFetch } from 'lull'
import { startTransition } from 'react'

/** Searches `url` when typing stops, and shows the latest result. */
export function SearchField({ url }: { url: string }) {
  const fetch = useRateLimitedFetch()
  const { run, data, error, isStale } = useDebouncedAsync(
    async (signal, text: string) => {
      const response = await fetch(
        `${url}?q=${encodeURIComponent(text)}`,
        { signal },
      )
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      return (await response.json()) as string[]
    },
    250,
    // Wait for the end of an IME composition. Render a long list without
    // blocking the keyboard.
    { holdWhile: composing, commit: startTransition },
  )
  return (
    <search>
      <input
        type="search"
        aria-label="Search"
        onChange={(event) => void run(event.target.value)}
      />
      {error instanceof Error && <p role="alert">{error.message}</p>}
      <ul style={{ opacity: isStale ? 0.5 : 1 }}>
        {data?.map((found) => (
          <li key={found}>{found}</li>
        ))}
      </ul>
    </search>
  )
}
