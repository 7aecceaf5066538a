import { useState } from 'react'

const empty = Symbol.for('react.memo_cache_sentinel')

/** The memory of a compiled component, which React 18 does not have itself: as many empty places as asked for. */
export function c(size: number): unknown[] {
  const [places] = useState(() => Array<unknown>(size).fill(empty))
  return places
}
