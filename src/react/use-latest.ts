import { useInsertionEffect, useState } from 'react'

/** A place for what the last commit said: read by what runs between the renders. */
export interface Latest<Value> {
  get: () => Value
  set: (value: Value) => void
}

export function createLatest<Value>(value: Value): Latest<Value> {
  return {
    get: () => value,
    set(next) {
      value = next
    },
  }
}

/** `value` as of the last commit; written before any layout effect of that commit, for one may already call. */
export function useLatest<Value>(value: Value): Latest<Value> {
  const [latest] = useState(() => createLatest(value))
  useInsertionEffect(() => latest.set(value))
  return latest
}
