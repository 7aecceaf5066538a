import { useClock, useCountdown, useLimiter } from 'lull'
import type { Limiter } from 'lull/core'
import { useState } from 'react'

/** Checks a limiter before it acts, and shows when to try again. */
export function Invite({
  limiter,
  send,
}: {
  limiter: Limiter
  send: () => void
}) {
  const clock = useClock()
  const [until, setUntil] = useState<number>()
  const seconds = useCountdown(until)
  const denied = useLimiter(limiter, ({ denied }) => denied)

  function invite(): void {
    const { allowed, retryAfterMs } = limiter.decide()
    if (allowed) send()
    else setUntil(clock.now() + retryAfterMs)
  }
  return (
    <>
      <button onClick={invite}>Invite</button>
      <output>
        {seconds > 0 ? `${denied} refused, again in ${seconds} s` : ''}
      </output>
    </>
  )
}
