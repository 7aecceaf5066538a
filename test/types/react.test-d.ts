import {
  useDebounce,
  useDebouncedCallback,
  useIsPending,
  useRateLimitedFetch,
  useRateLimitStatus,
  useThrottle,
} from 'lull'
import { debounce } from 'lull/core'
import { createRateLimitedFetch, type FetchSnapshot, type RateLimitedFetch } from 'lull/fetch'
import { describe, expectTypeOf, it } from 'vitest'

describe('useDebouncedCallback', () => {
  it('keeps arguments, optional ones and rest, and the return type', () => {
    type Args = [text: string, times?: number, ...tags: symbol[]]
    type Later = ReturnType<typeof useDebouncedCallback<unknown, Args, number>>
    expectTypeOf<Parameters<Later>>().toEqualTypeOf<Args>()
    expectTypeOf<ReturnType<Later>>().toEqualTypeOf<number | undefined>()
    expectTypeOf<ReturnType<Later['flush']>>().toEqualTypeOf<number | undefined>()
  })

  it('takes options whose members are undefined, and no others', () => {
    const undefinedMembers = {
      leading: undefined,
      trailing: undefined,
      maxWait: undefined,
      onUnmount: undefined,
    }
    expectTypeOf(useDebouncedCallback<unknown, [], void>).toBeCallableWith(
      () => undefined,
      100,
      undefinedMembers,
    )
    expectTypeOf(useDebouncedCallback<unknown, [], void>).toBeCallableWith(() => undefined, 100, {
      // @ts-expect-error There is no such policy.
      onUnmount: 'run',
    })
    // @ts-expect-error A wait is a number.
    expectTypeOf(useDebouncedCallback<unknown, [], void>).toBeCallableWith(() => undefined, '100')
  })
})

describe('useDebounce and useThrottle', () => {
  it('answer the type of the value', () => {
    expectTypeOf(useDebounce<string | null>).returns.toEqualTypeOf<string | null>()
    expectTypeOf(useThrottle<{ x: number }>).returns.toEqualTypeOf<{ x: number }>()
    expectTypeOf(useDebounce<() => number>).returns.toEqualTypeOf<() => number>()
  })

  it('give equals two values of that type', () => {
    expectTypeOf(useDebounce<{ id: number }>).toBeCallableWith({ id: 1 }, 100, {
      equals: (a, b) => a.id === b.id,
    })
  })
})

describe('useIsPending', () => {
  it('takes whatever is held, and nothing else', () => {
    expectTypeOf(useIsPending).toBeCallableWith(debounce(() => undefined, 100))
    // @ts-expect-error A plain function is never pending.
    expectTypeOf(useIsPending).toBeCallableWith(() => undefined)
  })
})

describe('useRateLimitedFetch', () => {
  it('takes an instance, options or nothing, and answers a fetch', () => {
    expectTypeOf(useRateLimitedFetch).toBeCallableWith()
    expectTypeOf(useRateLimitedFetch).toBeCallableWith(createRateLimitedFetch())
    expectTypeOf(useRateLimitedFetch).toBeCallableWith({ ratePerSecond: 5, burst: undefined })
    // @ts-expect-error A rate is a number.
    expectTypeOf(useRateLimitedFetch).toBeCallableWith({ ratePerSecond: '5' })
    expectTypeOf(useRateLimitedFetch).returns.toEqualTypeOf<RateLimitedFetch>()
    expectTypeOf(useRateLimitedFetch).returns.toExtend<typeof fetch>()
  })
})

describe('useRateLimitStatus', () => {
  it('answers the snapshot, or what is selected of it', () => {
    const whole = (): ReturnType<typeof useRateLimitStatus<never>> =>
      useRateLimitStatus(undefined, () => null as never)
    expectTypeOf(whole).returns.toBeNever()
    const selected = (): number => useRateLimitStatus(undefined, ({ queued }) => queued)
    expectTypeOf(selected).returns.toEqualTypeOf<number>()
    const snapshot = (): FetchSnapshot => useRateLimitStatus()
    expectTypeOf(snapshot).returns.toEqualTypeOf<FetchSnapshot>()
    // @ts-expect-error There is no such member.
    const bad = (): unknown => useRateLimitStatus(undefined, ({ waiting }) => waiting as unknown)
    expectTypeOf(bad).returns.toBeUnknown()
  })
})
