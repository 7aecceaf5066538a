import { useBatch } from 'lull'
import type { Batch } from 'lull/core'

/** The result for an item: the number of the call, and the instant of its response. */
export interface Lookup {
  call: number
  at: number
}

export interface BatchSettings {
  /** In ms. */
  wait: number
  maxSize: number
}

export function useLookups(
  callServer: (items: number[]) => Promise<Lookup[]>,
  { wait, maxSize }: BatchSettings,
): Batch<number, Lookup> {
  // Each `add(item)` resolves with the result of that item.
  return useBatch(callServer, { wait, maxSize })
}
