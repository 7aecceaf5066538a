import { FORMAT, isEntry, type Entry } from './tab-message.ts'

/** What it takes of a `Storage`. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem'>

/** More keys are not kept. */
const MOST_KEYS = 100

/**
 * Replaces the entry of `key` in the one item that all tabs share, and drops what is over. Two tabs that do so at once may undo
 * each other: what counts is said on the channel too, and written again as long as it holds.
 *
 * @param change returns the entry that replaces the one given
 * @param wallMs now
 * @param ignore is called with what is not of the format, and with what the platform throws
 */
export function updateEntry(
  { name, storage }: { name: string; storage: TabStorage | null | undefined },
  key: string,
  change: (old: Entry | undefined) => Entry,
  wallMs: number,
  ignore: (value: unknown) => void,
): void {
  const item = `${name}:${FORMAT}`
  const entries = new Map<string, Entry>()
  let place = storage
  try {
    // Reading the global throws where storage is forbidden.
    place = storage === undefined ? globalThis.localStorage : storage
    const text = place?.getItem(item) ?? '{}'
    for (const [name, entry] of Object.entries(JSON.parse(text) as Record<string, Entry>))
      if (isEntry(entry)) entries.set(name, entry)
      else ignore(entry)
  } catch (error) {
    ignore(error)
  }
  const next = change(entries.get(key))
  entries.delete(key)
  const kept = [...entries, [key, next] as const].filter(([, { until, limits, seen }]) =>
    [until, ...limits.map(([, , end]) => end), ...Object.values(seen)].some((at) => at > wallMs),
  )
  try {
    place?.setItem(item, JSON.stringify(Object.fromEntries(kept.slice(-MOST_KEYS))))
  } catch (error) {
    ignore(error)
  }
}
