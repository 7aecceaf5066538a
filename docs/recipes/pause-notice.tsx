import { useCountdown, useRateLimitStatus } from 'lull'

/** Says that the server has us wait, how long, and for how many requests. Nothing while it does not. */
export function PauseNotice() {
  const { gate, queued } = useRateLimitStatus()
  const seconds = useCountdown(gate.until)
  if (gate.open) return null
  return (
    <p role="status">
      The server is busy. {queued} waiting{seconds > 0 && `, ${seconds} s to go`}.
    </p>
  )
}
