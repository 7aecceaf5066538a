import { useCountdown, useRateLimitStatus } from 'lull'

/** Shows how long the server asks to wait, and how many requests wait. */
export function PauseNotice() {
  const { gate, queued } = useRateLimitStatus()
  const seconds = useCountdown(gate.until)
  if (gate.open) return null
  return (
    <p role="status">
      The server is busy. {queued} waiting
      {seconds > 0 && `, ${seconds} s to go`}.
    </p>
  )
}
