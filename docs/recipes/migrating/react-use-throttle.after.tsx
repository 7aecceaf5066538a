import { useThrottle } from 'lull'

export function Speed({ speed }: { speed: number }) {
  const shown = useThrottle(speed, 200)
  return <output>{shown}</output>
}
