import { useThrottleFn } from 'react-use'

const distance = (x: number, y: number) => Math.hypot(x, y)

export function Ruler({ x, y }: { x: number; y: number }) {
  const length = useThrottleFn(distance, 200, [x, y])
  return <output>{length}</output>
}
