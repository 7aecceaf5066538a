import { createListeners, type Listeners } from './listeners.ts'

/** Listeners of what changes thousands of times a second, and is kept only while someone looks. */
export interface Watchers extends Listeners {
  isWatched: () => boolean
}

/** As `createListeners`, but to notify nobody costs nothing. */
export function createWatchers(): Watchers {
  const listeners = createListeners()
  let count = 0
  return {
    subscribe(listener) {
      const unsubscribe = listeners.subscribe(listener)
      let isWatching = true
      count++
      return () => {
        unsubscribe()
        if (isWatching) count--
        isWatching = false
      }
    },
    notify() {
      if (count > 0) listeners.notify()
    },
    isWatched: () => count > 0,
  }
}
