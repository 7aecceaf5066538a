import { checkArray } from '../shared/check.ts'

type Nothing = void | PromiseLike<void>

/**
 * What sends a batch: answers a result for each item, in their order; an Error among them is that item's alone. Where
 * it answers nothing, the items are done once it has ended.
 */
export type BatchFlush<Item, Result> = (
  items: Item[],
) =>
  | readonly (Result | Error)[]
  | PromiseLike<readonly (Result | Error)[]>
  | (undefined extends Result ? Nothing : never)

/** An item that waits for its result. */
export interface BatchEntry<Item, Result> {
  item: Item
  promise: Promise<Result>
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

export function createEntry<Item, Result>(item: Item): BatchEntry<Item, Result> {
  const entry = { item } as BatchEntry<Item, Result>
  entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }))
  return entry
}

/** Sends the items and gives each its result. Never rejects. */
export async function settleBatch<Item, Result>(
  entries: BatchEntry<Item, Result>[],
  flush: BatchFlush<Item, Result>,
): Promise<void> {
  try {
    const answer: unknown = await flush(entries.map(({ item }) => item))
    const results = answer === undefined ? [] : checkAnswer(answer, entries.length)
    for (const [index, { resolve, reject }] of entries.entries()) {
      const result = results[index] as Result | Error
      if (result instanceof Error) reject(result)
      else resolve(result)
    }
  } catch (error) {
    for (const { reject } of entries) reject(error)
  }
}

function checkAnswer(answer: unknown, length: number): unknown[] {
  checkArray('answer of flush', answer)
  const results = answer as unknown[]
  if (results.length !== length)
    throw new RangeError(`Expected flush to answer ${length} results, got ${results.length}`)
  return results
}
