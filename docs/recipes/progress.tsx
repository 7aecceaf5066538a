import {
  useCountdown,
  useRateLimitedFetch,
  useRateLimitStatus,
} from 'lull'
import { useState } from 'react'

/** Sends a request to each URL and shows how many have finished. */
export function ImportAll({ urls }: { urls: readonly string[] }) {
  const fetch = useRateLimitedFetch()
  const [done, setDone] = useState(0)
  const [failed, setFailed] = useState(0)
  const until = useRateLimitStatus(fetch, ({ gate }) => gate.until)
  const seconds = useCountdown(until)

  async function send(url: string): Promise<void> {
    try {
      const response = await fetch(url, { method: 'PUT' })
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      setDone((count) => count + 1)
    } catch {
      setFailed((count) => count + 1)
    }
  }

  function start(): void {
    setDone(0)
    setFailed(0)
    for (const url of urls) void send(url)
  }
  return (
    <>
      <button onClick={start}>Import</button>
      <progress max={urls.length} value={done + failed} />
      <output>
        {done} of {urls.length} done
        {failed > 0 && `, ${failed} failed`}
        {seconds > 0 && `, the server is busy for ${seconds} s`}
      </output>
    </>
  )
}
