import { useClock, useCountdown } from 'lull'
import { useState } from 'react'

/** A button that may be pressed every 30 s, and says when. */
export function ResendCode({ send }: { send: () => void }) {
  const clock = useClock()
  const [until, setUntil] = useState<number>()
  const seconds = useCountdown(until)
  return (
    <button
      disabled={seconds > 0}
      onClick={() => {
        send()
        setUntil(clock.now() + 30_000)
      }}
    >
      {seconds > 0 ? `Send again in ${seconds} s` : 'Send the code'}
    </button>
  )
}
