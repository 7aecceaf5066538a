import { useThrottledCallback } from 'lull'

/** A slider that a player across the network follows: at once, then ten times a second, and to where it is left. */
export function Volume({ setVolume }: { setVolume: (percent: number) => void }) {
  const send = useThrottledCallback((percent: number) => setVolume(percent), 100)
  return (
    <input
      type="range"
      aria-label="Volume"
      defaultValue={50}
      onChange={(event) => send(event.target.valueAsNumber)}
    />
  )
}
