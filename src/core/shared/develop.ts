// Advice for development. In a production build these functions are empty, and bundlers remove their calls.

// Replaced by bundlers. Node has it, and a browser without a bundler does not: hence `try`.
declare const process: { env: { NODE_ENV?: string } }

const known = /* @__PURE__ */ new Set<string>()

/** Warns of `problem` once, for the first caller. A hook comes before the function that it calls. */
function warn(caller: string, problem: string): void {
  if (!known.has(problem)) console.warn(`lull: ${caller} ${problem}`)
  known.add(problem)
}

/** The options of `debounce`, and those that hooks and other functions add. */
const timingOption =
  /^(leading|trailing|wait|maxWait|signal|onError|clock|holdWhile|flushOn|equals|commit|onUnmount|overlap|key|maxKeys)$/

function unlessNoProcess(error: unknown): void {
  if (!(error instanceof ReferenceError)) throw error
}

/** Throws a `TypeError` for a `wait` that is a string, and warns of options that do nothing. */
export function adviseOnTiming(caller: string, wait: unknown, timing: object, others?: object): void {
  try {
    if (process.env.NODE_ENV !== 'production') {
      if (typeof wait === 'string')
        throw new TypeError(`${caller}: wait must be a number of ms, not a string, got ${wait}`)
      const options: { leading?: boolean; trailing?: boolean } = { ...timing, ...others }
      for (const name of Object.keys(options))
        if (!timingOption.test(name)) warn(caller, `has no option '${name}'`)
      const { leading = false, trailing = true } = options
      if (!leading && !trailing) warn(caller, 'never runs with leading and trailing both false')
    }
  } catch (error) {
    unlessNoProcess(error)
  }
}

/** Throws a `TypeError` for a `rule` that is none. */
export function adviseOnRule(rule: unknown): void {
  try {
    if (process.env.NODE_ENV !== 'production')
      if (typeof (rule as { start?: unknown } | undefined)?.start !== 'function')
        throw new TypeError('Expected a rule, such as tokenBucket({ ratePerSecond: 5, burst: 10 })')
  } catch (error) {
    unlessNoProcess(error)
  }
}
