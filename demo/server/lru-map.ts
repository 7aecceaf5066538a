interface LruMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
}

/** A map that forgets the key which was not read or written for the longest, once there are more than `maxKeys`. */
export function createLruMap<K, V>(maxKeys: number): LruMap<K, V> {
  // A Map lists its keys in the order of insertion, so a key that is taken out and put back is the youngest.
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
