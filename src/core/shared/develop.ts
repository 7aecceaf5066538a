// Advice for development. In a production build these functions are empty, and bundlers remove their calls.
import type { CallOptions, KernelOptions } from '../../fetch/options.ts'
import type * as hooks from '../../react/index.ts'
import type * as core from '../index.ts'

// Replaced by bundlers. Node has it, and a browser without a bundler does not, so this uses `try`.
declare const process: { env: { NODE_ENV?: string } }

/** The options of a rate-limited fetch that have no default. */
type Optional = {
  [Name in keyof KernelOptions]-?: undefined extends KernelOptions[Name] ? Name : never
}[keyof KernelOptions]

let optionsOf: Record<string, object> | undefined

/** The names of all of `Options`; the compiler checks that none is missing. */
const names = <Options>(all: Record<keyof Options, 1>): Record<keyof Options, 1> => all

/** A function, so that bundlers remove it with its calls. */
function knownOptions(): Record<string, object> {
  const throttle = names<core.ThrottleOptions>({ leading: 1, trailing: 1, signal: 1, onError: 1, clock: 1 })
  const timing = names<core.DebounceTiming>({ leading: 1, trailing: 1, maxWait: 1 })
  const debounce = names<core.DebounceOptions>({ ...throttle, ...timing })
  const limiter = names<core.LimiterOptions>({ clock: 1, onEvent: 1 })
  const window = names<core.WindowOptions>({ limit: 1, windowMs: 1 })
  const bucket = names<core.GcraOptions>({ ratePerSecond: 1, burst: 1 })
  const queue = { concurrency: 1, capacity: 1, limiter: 1, overflow: 1, ageingMs: 1 } as const
  const leaving = { onUnmount: 1, flushOn: 1 } as const
  const throttled = names<hooks.ThrottledCallbackOptions>({
    leading: 1,
    trailing: 1,
    holdWhile: 1,
    ...leaving,
  })
  const debounced = names<hooks.DebouncedCallbackOptions>({ ...throttled, maxWait: 1 })
  const event = { leading: 1, ...leaving } as const
  const call = { maxWaitMs: 1, totalTimeoutMs: 1, maxRetries: 1, queueTimeoutMs: 1 } as const
  const value = { equals: 1, commit: 1 } as const
  const shown = { ...value, holdWhile: 1, flushOn: 1 } as const

  return {
    debounce,
    throttle,
    throttleFrame: names<core.ThrottleFrameOptions>({ signal: 1, clock: 1 }),
    debounceAsync: names<core.DebounceAsyncOptions>({ ...timing, signal: 1, clock: 1, overlap: 1 }),
    debounceKeyed: names<core.DebounceKeyedOptions<never, never>>({ ...debounce, key: 1, maxKeys: 1 }),
    batch: names<core.BatchOptions<never>>({ wait: 1, maxWait: 1, maxSize: 1, key: 1, clock: 1 }),
    sometimes: names<core.SometimesOptions>({ first: 1, every: 1, intervalMs: 1, clock: 1 }),
    createLimiter: limiter,
    createWaitingLimiter: limiter,
    createKeyedLimiter: names<core.KeyedLimiterOptions>({ maxKeys: 1, idleMs: 1, clock: 1, onEvent: 1 }),
    createQueue: names<core.QueueOptions>({ ...queue, clock: 1 }),
    createRateMeter: names<core.RateMeterOptions>({ halfLifeMs: 1, from: 1, clock: 1 }),
    tokenBucket: names<core.TokenBucketOptions>({ ...bucket, initial: 1 }),
    gcra: bucket,
    leakyBucket: names<core.LeakyBucketOptions>({ ratePerSecond: 1, capacity: 1 }),
    fixedWindow: window,
    slidingWindowLog: window,
    slidingWindowCounter: window,
    // `useThrottle` passes `trailing` on.
    useDebounce: names<Omit<hooks.DebouncedStateOptions<never>, 'onUnmount'>>({ ...shown, ...timing }),
    useThrottle: names<hooks.ThrottleValueOptions<never>>({ ...shown, leading: 1, trailing: 1 }),
    useDebouncedCallback: debounced,
    useThrottledCallback: throttled,
    useThrottledEvent: names<hooks.ThrottledEventOptions>({ ...event, capture: 1 }),
    useThrottledResize: names<hooks.ThrottledResizeOptions>({ ...event, box: 1 }),
    useDebouncedState: names<hooks.DebouncedStateOptions<never>>({ ...debounced, ...value }),
    useDebouncedAsync: names<hooks.DebouncedAsyncOptions>({ ...debounced, overlap: 1, commit: 1 }),
    useBatch: names<hooks.UseBatchOptions<never>>({ wait: 1, maxWait: 1, maxSize: 1, key: 1, ...leaving }),
    useRateMeter: names<hooks.RateMeterViewOptions>({ intervalMs: 1 }),
    'init.rateLimit': names<CallOptions>({ ...call, priority: 1, promotion: 1 }),
  }
}

/** Past warnings, and the problems of this task: a function passes its options on to another, which finds the same problem. */
const warned = /* @__PURE__ */ new Set<string>()
const inTask = /* @__PURE__ */ new Set<string>()

/** Warns about each problem of `caller` once. */
function warn(caller: string, problem: string): void {
  const warning = `lull: ${caller} ${problem}`
  if (inTask.size === 0) void Promise.resolve().then(() => inTask.clear())
  if (!warned.has(warning) && !inTask.has(problem)) console.warn(warning)
  warned.add(warning)
  inTask.add(problem)
}

/** Throws errors of this file again, but not those from reading `process.env.NODE_ENV`, which Deno may forbid. */
function unlessNoProcess(error: unknown): void {
  const { process } = globalThis as { process?: { env?: object } }
  const isOurs = error instanceof TypeError || error instanceof RangeError
  if (isOurs && (!process || process.env)) throw error
}

/** The end of a message about a value of another type. */
function got(value: unknown): string {
  if (typeof value === 'function') return 'got a function'
  if (Array.isArray(value)) return `got [${value.map(String).join()}]`
  const isObject = typeof value === 'object'
  return `${value == null ? '' : `not ${isObject ? 'an' : 'a'} ${typeof value}, `}got ${String(value)}`
}

/** Whether `value` is a condition or a trigger of a hook, or undefined. */
const isAttachable = (value: { attach?: unknown } | null | undefined): boolean =>
  value === undefined || typeof value?.attach === 'function'

/** Throws unless `options` is an object with values of the right types. Warns about names that `caller` does not have. */
export function adviseOnOptions(caller: string, options: unknown): void {
  try {
    if (process.env.NODE_ENV !== 'production') {
      if (typeof options !== 'object' || !options)
        throw new TypeError(`${caller}: expected options, ${got(options)}`)
      const known = (optionsOf ??= knownOptions())[caller]!
      for (const [name, value] of Object.entries(options) as [string, unknown][]) {
        if (name === '0') warn(caller, 'takes options, not an array of dependencies')
        else if (!(name in known)) warn(caller, `has no option '${name}'`)
        else if (value === undefined) continue
        else if (
          ['onEvent', 'onError', 'equals', 'commit', 'key'].includes(name) &&
          typeof value !== 'function'
        )
          throw new TypeError(`${caller}: ${name} must be a function, ${got(value)}`)
        else if (name === 'onUnmount' && value !== 'cancel' && value !== 'flush')
          throw new RangeError(`${caller}: onUnmount must be 'cancel' or 'flush', got ${value as string}`)
        else if (name === 'holdWhile' && !isAttachable(value))
          throw new TypeError(`${caller}: holdWhile must be a condition, such as composing, ${got(value)}`)
        else if (
          name === 'flushOn' &&
          !(Array.isArray(value) && value.length < 3 && value.every(isAttachable))
        )
          throw new TypeError(
            `${caller}: flushOn must be one or two triggers, such as [pageHidden, pageHide], ${got(value)}`,
          )
      }
    }
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws a `TypeError` for a `wait` that is not a number. Warns about options that do nothing. */
export function adviseOnTiming(caller: string, wait: unknown, timing: object, others?: object): void {
  try {
    if (process.env.NODE_ENV !== 'production') {
      if (typeof wait !== 'number')
        throw new TypeError(`${caller}: wait must be a number of ms, ${got(wait)}`)
      const options: { wait?: number; leading?: boolean; trailing?: boolean } = { ...timing, ...others }
      delete options.wait
      // Underscore's `debounce` takes `true`.
      adviseOnOptions(caller, typeof timing === 'object' ? options : timing)
      const { leading = false, trailing = true } = options
      if (!leading && !trailing) warn(caller, 'never runs with leading and trailing both false')
    }
  } catch (error) {
    unlessNoProcess(error)
  }
}

/**
 * Throws a `TypeError` unless `rule` is a rule, or `isOther` says that it is something else that is valid. Warns about options that
 * `caller` does not have.
 */
export function adviseOnRule(caller: string, rule: unknown, options?: object, isOther?: boolean): void {
  try {
    if (process.env.NODE_ENV !== 'production') {
      if (!isOther && typeof (rule as { start?: unknown } | undefined)?.start !== 'function')
        throw new TypeError(
          `${caller}: expected a rule, such as tokenBucket({ ratePerSecond: 5, burst: 10 }), ${got(rule)}`,
        )
      if (options) adviseOnOptions(caller, options)
    }
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws a `Wrong` that names the type of `value`, unless that is `type`. */
export function adviseOnType(type: string, expected: string, value: unknown, Wrong: ErrorConstructor): void {
  try {
    // In Node each read of `env` is slow: it comes second.
    if (typeof value !== type && process.env.NODE_ENV !== 'production')
      throw new Wrong(`Expected ${expected}, ${got(value)}`)
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws a `TypeError` that names the type of `value`, the argument or option called `name`, unless that is `type`. */
export function adviseOnValue(type: string, name: string, value: unknown): void {
  try {
    if (typeof value !== type && process.env.NODE_ENV !== 'production')
      adviseOnType(type, `a ${type} ${name}`, value, TypeError)
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws unless each policy returned an object, which none does that is not called, as `learnPace` without `()`. */
export function adviseOnHooks(all: readonly unknown[]): void {
  try {
    if (process.env.NODE_ENV !== 'production')
      for (const hooks of all)
        if (typeof hooks !== 'object' || !hooks)
          throw new TypeError(`Expected a policy, such as learnPace(), to return an object, ${got(hooks)}`)
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws for an option that a rate-limited fetch does not have, and for a value of another type than its default. */
export function adviseOnFetchOptions(options: object, defaults: KernelOptions): void {
  try {
    if (process.env.NODE_ENV !== 'production') {
      adviseOnType('object', 'options of a rate-limited fetch', options, TypeError)
      const optional: Record<Optional, 1> = {
        fetch: 1,
        key: 1,
        isThrottled: 1,
        shouldRetry: 1,
        backoff: 1,
        onEvent: 1,
      }
      for (const [name, value] of Object.entries(options) as [keyof KernelOptions, unknown][]) {
        if (!(name in defaults || name in optional))
          throw new TypeError(
            /^(ratePerSecond|burst|rule|pace)$/.test(name)
              ? `composeRateLimitedFetch has no option '${name}': use createRateLimitedFetch`
              : `A rate-limited fetch has no option '${name}'`,
          )
        if (value === undefined) continue
        if (name === 'overflow')
          adviseOnChoices({ overflow: [value, 'reject-new', 'drop-oldest', 'drop-lowest'] })
        // Options without a default are functions, and so are policies.
        const usual: unknown = defaults[name] ?? defaults.random
        const isArray = Array.isArray(usual)
        const type = typeof (isArray ? (usual[0] ?? defaults.random) : usual)
        const isAlike = isArray
          ? Array.isArray(value) && value.every((one) => typeof one === type)
          : typeof usual === 'number' ||
            (typeof usual === 'function' ? typeof value === 'function' : value !== null)
        if (!isAlike)
          throw new TypeError(
            `Expected ${name} to be ${isArray ? `an array of ${type}s` : `a ${type}`}, ${got(value)}`,
          )
        if (name === 'methods' && (value as string[]).some((method) => /[a-z]/.test(method)))
          throw new RangeError(`Expected methods in upper case, got ${(value as string[]).join()}`)
      }
    }
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws a `TypeError` unless `value` has the method `method`, as the results of `makers` have, or `isOther`. */
export function adviseOnMade(
  name: string,
  value: unknown,
  method: string,
  makers: string,
  isOther?: boolean,
): void {
  try {
    if (
      process.env.NODE_ENV !== 'production' &&
      !isOther &&
      typeof (value as Record<string, unknown> | null)?.[method] !== 'function'
    )
      throw new TypeError(`${name} must be made by ${makers}, ${got(value)}`)
  } catch (error) {
    unlessNoProcess(error)
  }
}

/**
 * Throws a `RangeError` that names the first option whose value is none of its choices.
 *
 * @param method an object with this method is a valid choice, too.
 */
export function adviseOnChoices(
  options: Record<string, [value: unknown, ...choices: string[]]>,
  method = '',
): void {
  try {
    if (process.env.NODE_ENV !== 'production')
      for (const [name, [value, ...choices]] of Object.entries(options))
        if (
          !choices.includes(value as string) &&
          typeof (value as Record<string, unknown> | null)?.[method] !== 'function'
        )
          throw new RangeError(`Expected ${name} to be ${choices.join(' or ')}, got ${String(value)}`)
  } catch (error) {
    unlessNoProcess(error)
  }
}
