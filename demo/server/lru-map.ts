interface LruMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
}

/** A map that evicts the least recently read or written key when it has more than `maxKeys`. */
export function createLruMap<K, V>(maxKeys: number): LruMap<K, V> {
  // A Map keeps insertion order; deleting and reinserting a key moves it to the end.
  const values = new Map<K, V>()

  function set(key: K, value: V): void {
    values.delete(key)
    values.set(key, value)
    if (values.size > maxKeys) values.delete(values.keys().next().value!)
  }

  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}
