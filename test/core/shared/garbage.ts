import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectNow = runInNewContext('gc') as () => void

/** Collects garbage until `isDone`, or for a limited number of turns. */
export async function collect(isDone: () => boolean = () => false, turns = 20): Promise<void> {
  for (let turn = 0; turn < turns && !isDone(); turn++) {
    await setImmediate()
    collectNow()
  }
}

/**
 * The number of targets that are not collected. A task keeps the objects that it creates or derefs until its end; a compilation keeps
 * them longer.
 */
export async function countKept(refs: WeakRef<object>[], turns = 10): Promise<number> {
  const kept = (): number => refs.filter((ref) => ref.deref()).length
  await collect(() => kept() === 0, turns)
  return kept()
}
