import { useClock, useRateMeter } from 'lull'
import { createRateMeter } from 'lull/core'
import { useState } from 'react'

/** Counts keys per second, and shows that every half second. */
export function Typing() {
  const clock = useClock()
  const [meter] = useState(() => createRateMeter({ clock }))
  const rate = useRateMeter(meter, { intervalMs: 500 })
  return (
    <>
      <textarea aria-label="Text" onKeyDown={() => meter.add()} />
      <output>{rate.toFixed(1)} keys a second</output>
    </>
  )
}
