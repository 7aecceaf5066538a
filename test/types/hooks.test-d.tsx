import {
  useBatch,
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useLimiter,
  useRateMeter,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
  type DebouncedFunction,
} from 'lull'
import { createQueue, createRateMeter, type Limiter, type Outcome, type QueueSnapshot } from 'lull/core'
import { startTransition, useEffect, useRef, type ChangeEvent, type ReactNode } from 'react'
import { describe, expectTypeOf, it } from 'vitest'

describe('useDebouncedCallback and useThrottledCallback', () => {
  it('know the event of the place that an inline callback is written in', () => {
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

  it('return the public type of the function that they are given', () => {
    const find = (text: string, page = 1): string => `${text} ${page}`
    const useFind = () => [useDebouncedCallback(find, 100), useThrottledCallback(find, 100)] as const
    expectTypeOf(useFind).returns.toExtend<readonly DebouncedFunction<typeof find>[]>()
    const useSaved = () => useDebouncedState('text', 100)[2]
    expectTypeOf(useSaved).returns.toEqualTypeOf<DebouncedFunction<(text: string) => void>>()
  })

  it('keep `this`, and type parameters that depend on each other', () => {
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
})

describe('useDebouncedState', () => {
  it('has the type of the initial value, or the one that is named', () => {
    expectTypeOf(useDebouncedState('a', 100)[0]).toEqualTypeOf<string>()
    const [value, set, debounced] = useDebouncedState<string | null>(null, 100)
    expectTypeOf(value).toEqualTypeOf<string | null>()
    expectTypeOf(set).toBeCallableWith('text', { immediate: true })
    expectTypeOf(useIsPending).toBeCallableWith(debounced)
    // @ts-expect-error No number is among the values.
    expectTypeOf(set).toBeCallableWith(1)
  })

  it('keeps a function as the value that it is', () => {
    const [format, setFormat] = useDebouncedState((n: number) => n.toFixed(), 100)
    expectTypeOf(format).toEqualTypeOf<(n: number) => string>()
    expectTypeOf(setFormat).toBeCallableWith((n: number) => `${n} %`)
    // @ts-expect-error It is no updater, which would be given the value before.
    expectTypeOf(setFormat).toBeCallableWith((before: (n: number) => string) => before)
  })
})

describe('useDebounce', () => {
  it('takes a way to commit, and no other options', () => {
    expectTypeOf(useDebounce<string>).toBeCallableWith('text', 100, { commit: startTransition })
    // @ts-expect-error A value that rests is always shown.
    expectTypeOf(useDebounce<string>).toBeCallableWith('text', 100, { trailing: false })
  })
})

describe('useDebouncedAsync', () => {
  it('takes the arguments after the signal, and answers what became of the call', () => {
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
})

describe('useThrottledEvent and useThrottledResize', () => {
  it('know the event of an object, a ref, and a function that finds one', () => {
    const box = useRef<HTMLDivElement>(null)
    useThrottledEvent(box, 'pointermove', (event) => expectTypeOf(event).toEqualTypeOf<PointerEvent>(), 50)
    useThrottledEvent(window, 'scroll', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
    useThrottledEvent(
      () => document,
      'keydown',
      (event) => expectTypeOf(event).toEqualTypeOf<KeyboardEvent>(),
      'frame',
    )
    useThrottledEvent(
      () => matchMedia('(width > 60em)'),
      'change',
      (event) => expectTypeOf(event).toEqualTypeOf<MediaQueryListEvent>(),
    )
    useThrottledEvent(box, 'my-event', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
    useThrottledResize(box, (entry) => expectTypeOf(entry).toEqualTypeOf<ResizeObserverEntry>(), 100, {
      box: 'border-box',
    })
    // @ts-expect-error A wait is a number of ms, or 'frame'.
    useThrottledEvent(box, 'scroll', () => undefined, 'fast')
    // @ts-expect-error A string is no target.
    useThrottledResize('#box', () => undefined)
  })
})

describe('useBatch, useLimiter and useRateMeter', () => {
  it('have the types of what they are given', () => {
    const { add } = useBatch((ids: number[]) => ids.map(String), { maxSize: 10, key: (id) => id % 10 })
    expectTypeOf(add).toEqualTypeOf<(item: number) => Promise<string>>()
    expectTypeOf(useLimiter({} as Limiter, ({ denied }) => denied)).toEqualTypeOf<number>()
    expectTypeOf(useLimiter(createQueue())).toEqualTypeOf<QueueSnapshot>()
    expectTypeOf(useRateMeter(createRateMeter())).toEqualTypeOf<number>()
    // @ts-expect-error What has no snapshot cannot be shown.
    useLimiter(createRateMeter())
  })
})
