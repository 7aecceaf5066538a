import { useThrottle } from 'lull'

const distance = (x: number, y: number) => Math.hypot(x, y)

export function Ruler({ x, y }: { x: number; y: number }) {
  const point = useThrottle({ x, y }, 200)
  return <output>{distance(point.x, point.y)}</output>
}
