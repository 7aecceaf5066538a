import {
  useBatch,
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useLimiter,
  useRateLimitedFetch,
  useRateLimitStatus,
  useRateMeter,
  useThrottle,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
  type Debounced,
} from 'lull'
import {
  createQueue,
  createRateMeter,
  debounce,
  type Limiter,
  type Outcome,
  type QueueSnapshot,
} from 'lull/core'
import { createRateLimitedFetch, type FetchSnapshot, type RateLimitedFetch } from 'lull/fetch'
import { startTransition, useEffect, useRef, type ChangeEvent, type ReactNode } from 'react'
import { expectTypeOf, it } from 'vitest'

it('useDebouncedCallback and useThrottledCallback infer the event from where the callback is used', () => {
  const Field = (): ReactNode => (
    <input
      onChange={useDebouncedCallback((event) => {
        expectTypeOf(event).toEqualTypeOf<ChangeEvent<HTMLInputElement, HTMLInputElement>>()
      }, 100)}
    />
  )
  expectTypeOf(Field).returns.toEqualTypeOf<ReactNode>()
  function useListener(): void {
    const onScroll: (event: Event) => void = useThrottledCallback((event) => {
      expectTypeOf(event).toEqualTypeOf<Event>()
    }, 100)
    useEffect(() => addEventListener('scroll', onScroll), [onScroll])
  }
  expectTypeOf(useListener).returns.toBeVoid()
})

it('useDebouncedCallback and useThrottledCallback keep the type of the function, `this` and type parameters', () => {
  const find = (text: string, page = 1, ...tags: symbol[]): string => `${text} ${page} ${tags.length}`
  const useFind = () => [useDebouncedCallback(find, 100), useThrottledCallback(find, 100)] as const
  expectTypeOf(useFind).returns.toExtend<readonly Debounced<typeof find>[]>()

  const useMethod = () =>
    useDebouncedCallback(function (this: { id: string }, times: number) {
      return this.id.repeat(times)
    }, 100)
  expectTypeOf(useMethod).returns.thisParameter.toEqualTypeOf<{ id: string }>()
  expectTypeOf(useMethod).returns.returns.toEqualTypeOf<string | undefined>()

  function useForwarded<Args extends unknown[]>(fn: (...args: Args) => number) {
    const debounced = useDebouncedCallback(fn, 100)
    return (...args: Args): number | undefined => debounced(...args)
  }
  expectTypeOf(useForwarded<[string, number?]>).returns.parameters.toEqualTypeOf<[string, number?]>()
})

it('useDebouncedCallback accepts undefined members of options, and no unknown ones', () => {
  const nothing = { leading: undefined, trailing: undefined, maxWait: undefined, onUnmount: undefined }
  useDebouncedCallback(() => undefined, 100, nothing)
  // @ts-expect-error There is no such policy.
  useDebouncedCallback(() => undefined, 100, { onUnmount: 'run' })
  // @ts-expect-error A wait is a number.
  useDebouncedCallback(() => undefined, '100')
})

it('useDebouncedState has the type of the initial value, also a function, or the given type', () => {
  expectTypeOf(useDebouncedState('a', 100)[0]).toEqualTypeOf<string>()
  const [value, set, debounced] = useDebouncedState<string | null>(null, 100)
  expectTypeOf(value).toEqualTypeOf<string | null>()
  expectTypeOf(set).toBeCallableWith('text', { immediate: true })
  expectTypeOf(debounced).toEqualTypeOf<Debounced<(value: string | null) => void>>()
  // @ts-expect-error A number is not among the values.
  set(1)
  const [format, setFormat] = useDebouncedState((n: number) => n.toFixed(), 100)
  expectTypeOf(format).toEqualTypeOf<(n: number) => string>()
  setFormat((n: number) => `${n} %`)
  // @ts-expect-error A function is stored as the value, not called as an updater.
  setFormat((before: (n: number) => string) => before)
})

it('useDebounce and useThrottle return the type of the value, and pass two values to `equals`', () => {
  expectTypeOf(useDebounce<string | null>).returns.toEqualTypeOf<string | null>()
  expectTypeOf(useThrottle<{ x: number }>).returns.toEqualTypeOf<{ x: number }>()
  expectTypeOf(useDebounce<() => number>).returns.toEqualTypeOf<() => number>()
  useDebounce({ id: 1 }, 100, { equals: (a, b) => a.id === b.id, commit: startTransition })
  // @ts-expect-error The last value is always shown.
  useDebounce('text', 100, { trailing: false })
})

it('useDebouncedAsync takes the arguments after the signal, and returns the outcome', () => {
  const search = useDebouncedAsync(async (signal, text: string, page?: number) => {
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
    return Promise.resolve([`${text} ${page ?? 1}`])
  }, 100)
  expectTypeOf(search.run).parameters.toEqualTypeOf<[text: string, page?: number | undefined]>()
  expectTypeOf(search.run).returns.toEqualTypeOf<Promise<Outcome<string[]>>>()
  expectTypeOf(search.data).toEqualTypeOf<string[] | undefined>()
  expectTypeOf(search.error).toEqualTypeOf<unknown>()
  expectTypeOf(search.status).toEqualTypeOf<'idle' | 'pending' | 'success' | 'error'>()
  // @ts-expect-error There is no such policy.
  useDebouncedAsync(() => 'data', 100, { overlap: 'parallel' })
})

it('useThrottledEvent and useThrottledResize infer the event of an object, a ref, and a function that returns one', () => {
  const box = useRef<HTMLDivElement>(null)
  useThrottledEvent(box, 'pointermove', (event) => expectTypeOf(event).toEqualTypeOf<PointerEvent>(), 50)
  useThrottledEvent(window, 'scroll', (event) => expectTypeOf(event).toEqualTypeOf<Event>(), 'frame')
  const findDocument = (): Document => document
  useThrottledEvent(findDocument, 'keydown', (event) => expectTypeOf(event).toEqualTypeOf<KeyboardEvent>())
  const query = (): MediaQueryList => matchMedia('(width > 60em)')
  useThrottledEvent(query, 'change', (event) => expectTypeOf(event).toEqualTypeOf<MediaQueryListEvent>())
  useThrottledEvent(box, 'my-event', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
  useThrottledEvent(box, 'my-event', (event: CustomEvent<number>) => event.detail)
  // @ts-expect-error The event is not a string.
  useThrottledEvent(box, 'my-event', (event: string) => event)
  const onResize = (entry: ResizeObserverEntry): unknown => entry
  useThrottledResize(box, onResize, 100, { box: 'border-box' })
  // @ts-expect-error A wait is a number of ms, or 'frame'.
  useThrottledEvent(box, 'scroll', () => undefined, 'fast')
  // @ts-expect-error A string is no target.
  useThrottledResize('#box', () => undefined)
})

it('useBatch, useLimiter, useRateMeter and useIsPending have the types of their arguments', () => {
  const { add } = useBatch((ids: number[]) => ids.map(String), { maxSize: 10, key: (id) => id % 10 })
  expectTypeOf(add).toEqualTypeOf<(item: number) => Promise<string>>()
  expectTypeOf(useLimiter({} as Limiter, ({ denied }) => denied)).toEqualTypeOf<number>()
  expectTypeOf(useLimiter(createQueue())).toEqualTypeOf<QueueSnapshot>()
  expectTypeOf(useLimiter(createRateLimitedFetch())).toEqualTypeOf<FetchSnapshot>()
  expectTypeOf(useRateMeter(createRateMeter())).toEqualTypeOf<number>()
  expectTypeOf(useIsPending).toBeCallableWith(debounce(() => undefined, 100))
  // @ts-expect-error A rate meter has no snapshot.
  useLimiter(createRateMeter())
  // @ts-expect-error A plain function is never pending.
  useIsPending(() => undefined)
})

it('useRateLimitedFetch takes an instance, options or nothing, and returns a fetch', () => {
  useRateLimitedFetch()
  useRateLimitedFetch(createRateLimitedFetch())
  useRateLimitedFetch({ ratePerSecond: 5, burst: undefined })
  // @ts-expect-error A rate is a number.
  useRateLimitedFetch({ ratePerSecond: '5' })
  expectTypeOf(useRateLimitedFetch).returns.toEqualTypeOf<RateLimitedFetch>()
  expectTypeOf(useRateLimitedFetch).returns.toExtend<typeof fetch>()
})

it('useRateLimitStatus returns the snapshot, or the selected part', () => {
  expectTypeOf(useRateLimitStatus()).toEqualTypeOf<FetchSnapshot>()
  expectTypeOf(useRateLimitStatus(undefined, ({ queued }) => queued)).toEqualTypeOf<number>()
  // @ts-expect-error There is no such member.
  useRateLimitStatus(undefined, ({ waiting }) => waiting as unknown)
})
