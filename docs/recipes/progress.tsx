import {
  useCountdown,
  useRateLimitedFetch,
  useRateLimitStatus,
} from 'lull'
import { useState } from 'react'

/** Sends a request to each URL and shows how many have finished. */
export function ImportAll({ urls }: { urls: readonly string[] }) {
  const fetch = useRateLimitedFetch({ concurrency: 6 })
  const [done, setDone] = useState(0)
  const [failed, setFailed] = useState(0)
  const [isRunning, setIsRunning] = useState(false)
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

  async function start(): Promise<void> {
    setDone(0)
    setFailed(0)
    setIsRunning(true)
    await Promise.all(urls.map(send))
    setIsRunning(false)
  }
  return (
    <>
      <button disabled={isRunning} onClick={() => void start()}>
        Import
      </button>
      <progress max={urls.length} value={done + failed} />
      <output>
        {done} of {urls.length} done
        {failed > 0 && `, ${failed} failed`}
        {seconds > 0 && `, the server is busy for ${seconds} s`}
      </output>
    </>
  )
}
