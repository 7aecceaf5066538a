import { useThrottle } from 'lull'

/** A price that changes many times a second, shown once a second. */
export function Price({ cents }: { cents: number }) {
  const shown = useThrottle(cents, 1000)
  return <output>{(shown / 100).toFixed(2)} €</output>
}
