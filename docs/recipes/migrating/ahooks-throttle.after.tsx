import { useThrottle } from 'lull'

export function Meter({ level }: { level: number }) {
  const shown = useThrottle(level, 500)
  return <output>{shown}</output>
}
