import { useRateLimitedFetch } from 'lull'
import { useEffect, useRef, useState } from 'react'

/** Loads the next page of `url` when the end of the list is near. */
export function Feed({ url }: { url: string }) {
  const fetch = useRateLimitedFetch()
  const [items, setItems] = useState<string[]>([])
  const [page, setPage] = useState<number | undefined>(1)
  const [hasFailed, setHasFailed] = useState(false)
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (page === undefined || hasFailed) return
    const controller = new AbortController()
    const { signal } = controller

    async function load() {
      const response = await fetch(`${url}?page=${page}`, { signal })
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      const more = (await response.json()) as string[]
      if (signal.aborted) return
      setItems((items) => [...items, ...more])
      // An empty page is the end.
      setPage(more.length > 0 ? page! + 1 : undefined)
    }

    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect() // One request for each page.
        load().catch(() => setHasFailed(!signal.aborted))
      },
      { rootMargin: '400px' },
    )
    observer.observe(end.current!)
    return () => {
      observer.disconnect()
      controller.abort()
    }
  }, [fetch, url, page, hasFailed])

  return (
    <>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      {hasFailed && (
        <button onClick={() => setHasFailed(false)}>Try again</button>
      )}
      <div ref={end} />
    </>
  )
}
