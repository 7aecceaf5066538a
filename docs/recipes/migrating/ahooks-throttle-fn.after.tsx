import { useThrottledCallback } from 'lull'

export function Pen({ draw }: { draw: (x: number) => void }) {
  const run = useThrottledCallback((x: number) => draw(x), 500)
  return (
    <input
      type="range"
      aria-label="Place"
      onChange={(event) => run(Number(event.target.value))}
    />
  )
}
