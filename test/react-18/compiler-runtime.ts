import { useState } from 'react'

const empty = Symbol.for('react.memo_cache_sentinel')

/** The cache of a compiled component, which React 18 lacks: an array of `size` empty slots. */
export function c(size: number): unknown[] {
  const [slots] = useState(() => Array<unknown>(size).fill(empty))
  return slots
}
