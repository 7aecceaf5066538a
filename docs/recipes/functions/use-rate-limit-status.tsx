import { useCountdown, useRateLimitStatus } from 'lull'

/** Says that the server asks to wait, and for how long. */
export function PauseNote() {
  const until = useRateLimitStatus(undefined, ({ gate }) => gate.until)
  const seconds = useCountdown(until)
  return (
    <output>
      {until === undefined
        ? ''
        : `The server is busy. Again in ${seconds} s.`}
    </output>
  )
}
