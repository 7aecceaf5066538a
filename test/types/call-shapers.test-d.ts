import {
  batch,
  debounceAsync,
  debounceKeyed,
  type Batch,
  type BatchFlush,
  type DebouncedAsync,
  type DebouncedByKey,
  type Debounced,
  type Outcome,
  type Pending,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expectTypeOf, it } from 'vitest'

// Only checked by tsc, not run.

const use = (value: unknown): unknown => value

const nothing = { wait: undefined, maxWait: undefined, clock: undefined }

interface User {
  name: string
}

const loadUsers = async (ids: string[]): Promise<User[]> => Promise.resolve(ids.map((name) => ({ name })))

it('infers the item and the result of a batch', () => {
  expectTypeOf(batch((ids: string[]) => ids.map((id) => id.length))).toEqualTypeOf<Batch<string, number>>()
  expectTypeOf(batch((ids: string[]): readonly number[] => ids.map(Number))).toEqualTypeOf<
    Batch<string, number>
  >()
  const users = batch(loadUsers, { wait: 10 })
  expectTypeOf(users).toEqualTypeOf<Batch<string, User>>()
  expectTypeOf(users.add).toEqualTypeOf<(id: string) => Promise<User>>()
  expectTypeOf(users.flush).toEqualTypeOf<() => Promise<void>>()
  expectTypeOf(users.cancel).toEqualTypeOf<() => void>()
  expectTypeOf(users).toExtend<Pending>()
  // @ts-expect-error the size is what it is
  users.size = 0
})

it('accepts an Error in place of a result, and has undefined for a batch that returns nothing', () => {
  expectTypeOf(
    batch((ids: string[]) => ids.map((id) => (id ? { name: id } : new Error('No id')))),
  ).toEqualTypeOf<Batch<string, User>>()
  expectTypeOf(
    batch(async (ids: string[]) => Promise.resolve(ids.map((id): number | RangeError => Number(id)))),
  ).toExtend<Batch<string, number | RangeError>>()
  expectTypeOf(batch((items: number[]): void => void use(items))).toEqualTypeOf<Batch<number, undefined>>()
  const send = (items: number[]): Promise<void> => Promise.resolve(use(items) as undefined)
  expectTypeOf(batch(send)).toEqualTypeOf<Batch<number, undefined>>()
})

it('rejects invalid results of a batch', () => {
  // @ts-expect-error a promise of a string is no array
  batch(async (ids: string[]) => Promise.resolve(ids.join()))
  // @ts-expect-error what returns results has to return them always
  batch<string, number>((ids) => (ids.length > 1 ? ids.map(Number) : undefined))
  // @ts-expect-error and so has what promises them
  batch(async (ids: string[]) => Promise.resolve(ids.length > 1 ? ids : undefined))
})

it('infers the item in the key of a batch, and checks its options', () => {
  batch(loadUsers, { key: (id) => expectTypeOf(id).toEqualTypeOf<string>() })
  batch(loadUsers, { ...nothing, maxSize: undefined, key: undefined })
  batch(loadUsers, { wait: 5, maxWait: Infinity, maxSize: 100, clock: createManualClock() })
  // @ts-expect-error there is no such option
  batch(loadUsers, { delay: 5 })
})

it('allows a generic function to pass a flush on', () => {
  const logged = <Item, Result>(flush: BatchFlush<Item, Result>) => batch(flush, { wait: 5 })
  using block = logged(loadUsers)
  expectTypeOf(block).toEqualTypeOf<Batch<string, User>>()
})

const save = (id: number, text?: string, ...tags: boolean[]): { saved: boolean } => ({
  saved: !!(id && text && tags),
})

it('keeps arguments, this and the result of a keyed debounce', () => {
  const byId = debounceKeyed(save, 100, { key: (id) => id })
  expectTypeOf(byId).parameters.toEqualTypeOf<Parameters<typeof save>>()
  expectTypeOf(byId).returns.toEqualTypeOf<{ saved: boolean } | undefined>()
  expectTypeOf(byId).toEqualTypeOf<DebouncedByKey<typeof save, number>>()

  function show(this: User, count: number): string {
    return this.name.repeat(count)
  }
  const byCount = debounceKeyed(show, 100, { key: (count) => count })
  byCount.call({ name: 'a' }, 1)
  // @ts-expect-error there is no user
  byCount(1)

  const generic = debounceKeyed(<T>(value: T): T => value, 100, { key: () => 'one' })
  generic(1)
  generic('a')
})

it('infers the key', () => {
  const byId = debounceKeyed(save, 100, { key: (id) => `id ${id}` })
  expectTypeOf(byId.cancel).toEqualTypeOf<(key?: string) => void>()
  expectTypeOf(byId.flush).toEqualTypeOf<(key?: string) => { saved: boolean } | undefined>()
  expectTypeOf(byId.isPending).toEqualTypeOf<(key?: string) => boolean>()
  expectTypeOf(byId.size).toEqualTypeOf<number>()
  debounceKeyed(save, 100, {
    key: (id, text, ...tags) => {
      expectTypeOf(id).toEqualTypeOf<number>()
      expectTypeOf(text).toEqualTypeOf<string | undefined>()
      expectTypeOf(tags).toEqualTypeOf<boolean[]>()
    },
  })
  // @ts-expect-error the id is a number
  debounceKeyed(save, 100, { key: (id: string) => id })
  // @ts-expect-error there is no key
  debounceKeyed(save, 100, {})
})

it('a keyed debounce is assignable to a debounce', () => {
  const byId = debounceKeyed(save, 100, {
    key: (id) => id,
    ...nothing,
    maxKeys: undefined,
    signal: undefined,
  })
  expectTypeOf(byId).toExtend<Debounced<typeof save>>()
  byId.configure({ wait: 5, leading: true })
  // @ts-expect-error the key stays
  byId.configure({ key: () => 1 })
  document.addEventListener(
    'keydown',
    debounceKeyed((event) => expectTypeOf(event).toEqualTypeOf<KeyboardEvent>(), 100, {
      key: ({ key }) => key,
    }),
  )
})

const search = async (signal: AbortSignal, text: string, page?: number): Promise<string[]> =>
  Promise.resolve(signal.aborted ? [] : [text, String(page)])

it('keeps the arguments of a task without the signal, and returns the outcome', async () => {
  const debounced = debounceAsync(search, 100)
  expectTypeOf(debounced).toEqualTypeOf<DebouncedAsync<[text: string, page?: number], string[]>>()
  const outcome = await debounced('a')
  expectTypeOf(outcome).toEqualTypeOf<Outcome<string[]>>()
  expectTypeOf(outcome.status).toEqualTypeOf<'done' | 'superseded' | 'cancelled'>()
  if (outcome.status === 'done') expectTypeOf(outcome.value).toEqualTypeOf<string[]>()
  // @ts-expect-error there may be no value
  use(outcome.value)
  const sync = debounceAsync((signal, n: number) => (signal.aborted ? 0 : n), 100)
  expectTypeOf(sync).returns.toEqualTypeOf<Promise<Outcome<number>>>()
  const none = debounceAsync((signal) => expectTypeOf(signal).toEqualTypeOf<AbortSignal>(), 100)
  expectTypeOf(none).parameters.toEqualTypeOf<[]>()
})

it('types the methods and options of an asynchronous debounce', () => {
  const debounced = debounceAsync(search, 100, {
    ...nothing,
    overlap: undefined,
    leading: undefined,
    trailing: undefined,
    signal: undefined,
  })
  expectTypeOf(debounced).toExtend<Pending>()
  expectTypeOf(debounced.cancel).toEqualTypeOf<() => void>()
  expectTypeOf(debounced.flush).toEqualTypeOf<() => Promise<Outcome<string[]>> | undefined>()
  expectTypeOf(debounced.dispose).toEqualTypeOf<() => Promise<void>>()
  debounced.configure({ wait: 5, trailing: false })
  debounceAsync(search, 100, { overlap: 'queue', maxWait: 500, leading: true })
  // @ts-expect-error there is no such overlap
  debounceAsync(search, 100, { overlap: 'parallel' })
  // @ts-expect-error errors go to the callers
  debounceAsync(search, 100, { onError: use })
  // @ts-expect-error the first argument is a signal
  debounceAsync((text: string) => text, 100)
})
