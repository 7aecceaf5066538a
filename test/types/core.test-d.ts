import {
  allOf,
  batch,
  createAdaptiveLimiter,
  createCircuitBreaker,
  createConcurrencyLimiter,
  createKeyedLimiter,
  createLimiter,
  createWaitingLimiter,
  debounce,
  debounceAsync,
  debounceKeyed,
  fixedWindow,
  throttle,
  throttleFrame,
  tokenBucket,
  type Batch,
  type BatchFlush,
  type BatchOptions,
  type DebounceAsyncOptions,
  type Debounced,
  type DebouncedAsync,
  type DebouncedByKey,
  type DebounceKeyedOptions,
  type DebounceOptions,
  type Limiter,
  type Outcome,
  type Pending,
  type ThrottleFrameOptions,
  type ThrottleOptions,
  type WaitingLimiter,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expectTypeOf, it } from 'vitest'

// Only checked by tsc, not run.

const use = (value: unknown): unknown => value

type Unset<Options> = { [Name in keyof Options]-?: undefined }

/** Options that are all given as undefined. */
declare const unset: {
  debounce: Unset<DebounceOptions>
  throttle: Unset<ThrottleOptions>
  frame: Unset<ThrottleFrameOptions>
  keyed: Unset<DebounceKeyedOptions<Parameters<typeof save>, number>>
  async: Unset<DebounceAsyncOptions>
  batch: Unset<BatchOptions<string>>
}

it('accepts a clock whose frames are undefined', () => {
  const { frame, ...clock } = createManualClock()
  throttleFrame(use, { clock: { ...clock, frame: clock.pending > 0 ? frame : undefined } })
})

const save = (id: number, text?: string, ...tags: boolean[]): { saved: boolean } => ({
  saved: !!(id && text && tags),
})

it('keeps arguments, optional ones and rest, and the result', () => {
  const byId = debounceKeyed(save, 100, { key: (id) => id })
  for (const held of [debounce(save, 100), throttle(save, 100), throttleFrame(save), byId]) {
    expectTypeOf(held).parameters.toEqualTypeOf<Parameters<typeof save>>()
    expectTypeOf(held).returns.toEqualTypeOf<{ saved: boolean } | undefined>()
    expectTypeOf(held.flush).returns.toEqualTypeOf<{ saved: boolean } | undefined>()
  }
})

it('keeps this', () => {
  interface Field {
    text: string
  }
  function show(this: Field, count: number): string {
    return this.text.repeat(count)
  }
  const byCount = debounceKeyed(show, 100, { key: (count) => count })
  for (const held of [debounce(show, 100), throttle(show, 100), throttleFrame(show), byCount]) {
    expectTypeOf(held).thisParameter.toEqualTypeOf<Field>()
    // @ts-expect-error there is no field
    held(1)
  }
})

it('accepts asynchronous and generic functions', () => {
  const load = debounce(async (id: string) => Promise.resolve(id.length), 100)
  expectTypeOf(load).returns.toEqualTypeOf<Promise<number> | undefined>()
  const of = <T>(value: T): [T] => [value]
  for (const pair of [debounce(of, 100), debounceKeyed(of, 100, { key: () => 'one' })]) {
    pair(1)
    pair('a')
  }
})

it('infers arguments from the context of the function', () => {
  const input = document.createElement('input')
  input.addEventListener(
    'change',
    debounce((event) => expectTypeOf(event).toEqualTypeOf<Event>(), 100),
  )
  input.addEventListener(
    'keydown',
    throttle((event) => expectTypeOf(event).toEqualTypeOf<KeyboardEvent>(), 100),
  )
  input.addEventListener(
    'scroll',
    throttleFrame((event) => expectTypeOf(event).toEqualTypeOf<Event>()),
  )
  const onMouse = debounce((event: MouseEvent) => event.clientX, 100)
  input.addEventListener('mousemove', onMouse)
  // @ts-expect-error it listens to the mouse
  input.addEventListener('keydown', onMouse)

  // These handlers have two types, with `this` of the window and of any target.
  window.onresize = throttle((event) => expectTypeOf(event).toEqualTypeOf<UIEvent>(), 100)
  window.onscroll = throttleFrame(() => use(1))
  window.onmessage = debounceKeyed((event) => use(event), 100, { key: (event) => event.origin })

  new ResizeObserver(throttle((entries: ResizeObserverEntry[]) => entries.length, 100)).disconnect()
  setTimeout(debounce(save, 100).flush)
})

it('Debounced<F> is the type that debounce and throttle return for any F', () => {
  const debounced = debounce(save, 100)
  expectTypeOf<Debounced<typeof save>>().toEqualTypeOf(debounced)
  expectTypeOf<Debounced<typeof save>>().toEqualTypeOf(throttle(save, 100))
  const later: Debounced<(text: string) => void> = debounce((text) => {
    expectTypeOf(text).toEqualTypeOf<string>()
  }, 100)
  later('a')
  // @ts-expect-error a text is no function
  expectTypeOf<Debounced<string>>().toBeObject()

  function wrap<Args extends unknown[]>(fn: (...args: Args) => void): Debounced<typeof fn> {
    return debounce(fn, 100)
  }
  expectTypeOf(wrap((text: string) => use(text))).parameters.toEqualTypeOf<[text: string]>()
})

it('accepts a read-only rest, the last of several overloads, and the constraints of a generic function', () => {
  const join = (separator: string, ...parts: readonly string[]): string => parts.join(separator)
  for (const joined of [debounce(join, 100), throttle(join, 100), throttleFrame(join)]) {
    expectTypeOf(joined).parameters.toEqualTypeOf<[separator: string, ...parts: readonly string[]]>()
    joined('-', 'a', 'b')
  }

  function find(id: number): string
  function find(name: string, isExact: boolean): number
  function find(key: number | string, isExact?: boolean): string | number {
    return isExact ? 0 : String(key)
  }
  const found = debounce(find, 100)
  expectTypeOf(found).parameters.toEqualTypeOf<[name: string, isExact: boolean]>()
  expectTypeOf(found).returns.toEqualTypeOf<number | undefined>()

  const longest = debounce(
    <T extends { length: number }>(a: T, b: T): T => (a.length > b.length ? a : b),
    100,
  )
  // @ts-expect-error a number has no length
  longest('a', 1)
  expectTypeOf(longest).returns.toEqualTypeOf<{ length: number } | undefined>()
})

it('types the methods', () => {
  const held = debounce(save, 100)
  held.configure({ wait: 5, leading: true, trailing: false, maxWait: 10 })
  held.configure({ wait: undefined, leading: undefined, trailing: undefined, maxWait: undefined })
  // @ts-expect-error a string is no number
  held.configure({ wait: '5' })
  // @ts-expect-error the clock stays
  held.configure({ clock: createManualClock() })
  using block = held
  block.cancel()
  // A frame has no timing.
  expectTypeOf(throttleFrame(save)).not.toHaveProperty('configure')
})

it('accepts undefined members of options, and no unknown ones', () => {
  debounce(save, 100, unset.debounce)
  throttle(save, 100, unset.throttle)
  throttleFrame(save, unset.frame)
  debounce(save, 100, { onError: (error) => expectTypeOf(error).toBeUnknown() })
  // @ts-expect-error a wait is needed
  debounce(save)
  // @ts-expect-error null is not undefined
  debounce(save, 100, { maxWait: null })
  // @ts-expect-error there is no such option
  debounce(save, 100, { delay: 5 })
  // @ts-expect-error a throttle has no maxWait but its wait
  throttle(save, 100, { maxWait: 100 })
  // @ts-expect-error a frame has no edges
  throttleFrame(save, { leading: true })
  // @ts-expect-error a clock has wall and after too
  debounce(save, 100, { clock: { now: () => 0 } })
})

it('makes an adaptive limiter only of a rule with a configurable rate', () => {
  // @ts-expect-error a window has a limit and a length
  createAdaptiveLimiter(fixedWindow({ limit: 10, windowMs: 1000 }))
})

it('makes a limiter of a rule that is one of several kinds', () => {
  const windows = fixedWindow({ limit: 10, windowMs: 1000 })
  const rule = Math.random() < 0.5 ? windows : tokenBucket({ ratePerSecond: 10, burst: 10 })
  expectTypeOf(createLimiter(rule)).toEqualTypeOf<Limiter>()
  expectTypeOf(createWaitingLimiter(rule)).toEqualTypeOf<WaitingLimiter>()
  createKeyedLimiter(rule).allow('a')
  // @ts-expect-error a window has no burst
  createLimiter(windows).configure({ burst: 5 })
})

it('types what allOf returns as a waiting limiter', () => {
  const waiting = createWaitingLimiter(fixedWindow({ limit: 10, windowMs: 1000 }))
  expectTypeOf(allOf(waiting)).toEqualTypeOf<WaitingLimiter>()
})

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
  batch(loadUsers, unset.batch)
  batch(loadUsers, { wait: 5, maxWait: Infinity, maxSize: 100, clock: createManualClock() })
  // @ts-expect-error there is no such option
  batch(loadUsers, { delay: 5 })
})

it('allows a generic function to pass a flush on', () => {
  const logged = <Item, Result>(flush: BatchFlush<Item, Result>) => batch(flush, { wait: 5 })
  using block = logged(loadUsers)
  expectTypeOf(block).toEqualTypeOf<Batch<string, User>>()
})

it('infers the key', () => {
  const byId = debounceKeyed(save, 100, { key: (id) => `id ${id}` })
  expectTypeOf(byId).toEqualTypeOf<DebouncedByKey<typeof save, string>>()
  expectTypeOf(byId.flush).toEqualTypeOf<(key?: string) => { saved: boolean } | undefined>()
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
  const byId = debounceKeyed(save, 100, { ...unset.keyed, key: (id) => id })
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
  const debounced = debounceAsync(search, 100, unset.async)
  expectTypeOf(debounced).toExtend<Pending>()
  expectTypeOf(debounced.flush).toEqualTypeOf<() => Promise<Outcome<string[]>> | undefined>()
  debounced.configure({ wait: 5, trailing: false })
  debounceAsync(search, 100, { overlap: 'queue', maxWait: 500, leading: true })
  // @ts-expect-error there is no such overlap
  debounceAsync(search, 100, { overlap: 'parallel' })
  // @ts-expect-error errors go to the callers
  debounceAsync(search, 100, { onError: use })
  // @ts-expect-error the first argument is a signal
  debounceAsync((text: string) => text, 100)
})

it('gives a task of `run` the signal that it was called with', () => {
  const { signal } = new AbortController()
  const maybe = signal as AbortSignal | undefined
  const load = async (stop: AbortSignal): Promise<string> => Promise.resolve(String(stop.aborted))
  const { run } = createConcurrencyLimiter({ limit: 4 })
  expectTypeOf(run(load, { signal })).toEqualTypeOf<Promise<string>>()
  void run((stop) => expectTypeOf(stop).toEqualTypeOf<AbortSignal>(), { signal, timeoutMs: 9 })
  void run((stop) => expectTypeOf(stop).toEqualTypeOf<AbortSignal | undefined>(), { signal: maybe })
  expectTypeOf(run(() => 1)).toEqualTypeOf<Promise<number>>()
  // @ts-expect-error there is no signal
  void run(load)
  const breaker = createCircuitBreaker()
  expectTypeOf(breaker.run(load, { signal })).toEqualTypeOf<Promise<string>>()
  void breaker.run((stop) => expectTypeOf(stop).toEqualTypeOf<AbortSignal | undefined>(), { signal: maybe })
  // @ts-expect-error there is no signal
  void breaker.run(load)
})
