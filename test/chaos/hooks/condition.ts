import type { Condition } from 'lull'

/** A condition that is on or off as it is `set`. */
export function createCondition(): Condition & { set: (isOn: boolean) => void } {
  const listeners = new Set<() => void>()
  let isOnNow = false
  return {
    isOn: () => isOnNow,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set(isOn) {
      isOnNow = isOn
      for (const listener of [...listeners]) listener()
    },
  }
}
