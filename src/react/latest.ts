/** A place for what the last commit said: written in an effect, read by what runs between the renders. */
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
