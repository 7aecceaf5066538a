import { useThrottledCallback } from 'lull'

/** A slider that sends at most ten values a second, and the last one. */
export function Volume({
  setVolume,
}: {
  setVolume: (percent: number) => void
}) {
  const send = useThrottledCallback(
    (percent: number) => setVolume(percent),
    100,
  )
  return (
    <input
      type="range"
      aria-label="Volume"
      defaultValue={50}
      onChange={(event) => send(event.target.valueAsNumber)}
    />
  )
}
