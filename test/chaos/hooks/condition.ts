import { createCondition, type Condition } from 'lull'

/** A condition that is on or off as it is `set`. */
export function createSwitch(): Condition & { set: (isOn: boolean) => void } {
  const listeners = new Set<() => void>()
  let isOnNow = false
  const condition = createCondition({
    isOn: () => isOnNow,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
  return Object.assign(condition, {
    set(isOn: boolean) {
      isOnNow = isOn
      for (const listener of [...listeners]) listener()
    },
  })
}
