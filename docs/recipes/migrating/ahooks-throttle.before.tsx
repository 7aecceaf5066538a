import { useThrottle } from 'ahooks'

export function Meter({ level }: { level: number }) {
  const shown = useThrottle(level, { wait: 500 })
  return <output>{shown}</output>
}
