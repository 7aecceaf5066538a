import { useBatch } from 'lull'
import type { Batch } from 'lull/core'

/** What is known of an item, by which call, and when that was answered. */
export interface Lookup {
  item: number
  call: number
  at: number
}

export interface Gathering {
  /** In ms. */
  wait: number
  maxSize: number
}

export function useLookups(
  callServer: (items: number[]) => Promise<Lookup[]>,
  { wait, maxSize }: Gathering,
): Batch<number, Lookup> {
  // Each `add(item)` resolves with the answer to that item.
  return useBatch(callServer, { wait, maxSize })
}
