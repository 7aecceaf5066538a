import { useThrottle } from 'lull'

/** A price that comes many times a second, shown so that it can be read. */
export function Price({ cents }: { cents: number }) {
  const shown = useThrottle(cents, 1000)
  return <output>{(shown / 100).toFixed(2)} €</output>
}
