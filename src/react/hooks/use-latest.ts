import { useInsertionEffect, useState } from 'react'
import { createLatest, type Latest } from '../latest.ts'

/** `value` as of the last commit. */
export function useLatest<Value>(value: Value): Latest<Value> {
  const [latest] = useState(() => createLatest(value))
  useInsertionEffect(() => latest.set(value))
  return latest
}
