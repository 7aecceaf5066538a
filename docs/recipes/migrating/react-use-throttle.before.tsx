import { useThrottle } from 'react-use'

export function Speed({ speed }: { speed: number }) {
  const shown = useThrottle(speed, 200)
  return <output>{shown}</output>
}
