import { useThrottleFn } from 'ahooks'

export function Pen({ draw }: { draw: (x: number) => void }) {
  const { run } = useThrottleFn((x: number) => draw(x), { wait: 500 })
  return (
    <input
      type="range"
      aria-label="Place"
      onChange={(event) => run(Number(event.target.value))}
    />
  )
}
