import {
  allOf,
  createWaitingLimiter,
  type WaitingLimiter,
  createAdaptiveLimiter,
  fixedWindow,
  debounce,
  debounceKeyed,
  throttle,
  throttleFrame,
  type Debounced,
  type RateLimitErrorCode,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expectTypeOf, it } from 'vitest'

// Only checked by tsc, not run.

const use = (value: unknown): unknown => value

it('accepts a clock whose frames are undefined', () => {
  const { frame, ...clock } = createManualClock()
  throttleFrame(use, { clock: { ...clock, frame: clock.pending > 0 ? frame : undefined } })
})

const save = (id: number, text?: string, ...tags: boolean[]): { saved: boolean } => ({
  saved: !!(id && text && tags),
})

it('keeps arguments, optional ones and rest, and the result', () => {
  for (const held of [debounce(save, 100), throttle(save, 100), throttleFrame(save)]) {
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
  for (const held of [debounce(show, 100), throttle(show, 100), throttleFrame(show)]) {
    expectTypeOf(held).thisParameter.toEqualTypeOf<Field>()
    // @ts-expect-error there is no field
    held(1)
  }
})

it('accepts asynchronous and generic functions', () => {
  const load = debounce(async (id: string) => Promise.resolve(id.length), 100)
  expectTypeOf(load).returns.toEqualTypeOf<Promise<number> | undefined>()
  const pair = debounce(<T>(value: T): [T] => [value], 100)
  pair(1)
  pair('a')
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
  expectTypeOf(held.cancel).toEqualTypeOf<() => void>()
  expectTypeOf(held.isPending).toEqualTypeOf<() => boolean>()
  expectTypeOf(held.subscribe).toEqualTypeOf<(listener: () => void) => () => void>()
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
  const nothing = { signal: undefined, clock: undefined }
  const timing = { leading: undefined, trailing: undefined, onError: undefined }
  debounce(save, 100, { ...nothing, ...timing, maxWait: undefined })
  throttle(save, 100, { ...nothing, ...timing })
  throttleFrame(save, nothing)
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

it('types the codes of an error', () => {
  expectTypeOf<RateLimitErrorCode>().toExtend<string>()
  // @ts-expect-error there is no such code
  use('too-slow' satisfies RateLimitErrorCode)
})

it('makes an adaptive limiter only of a rule with a configurable rate', () => {
  // @ts-expect-error a window has a limit and a length
  createAdaptiveLimiter(fixedWindow({ limit: 10, windowMs: 1000 }))
})

it('types what allOf returns as a waiting limiter', () => {
  const waiting = createWaitingLimiter(fixedWindow({ limit: 10, windowMs: 1000 }))
  expectTypeOf(allOf(waiting)).toEqualTypeOf<WaitingLimiter>()
})
