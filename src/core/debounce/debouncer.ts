import { Alarm } from '../time/alarm.ts'
import { checkFunction } from '../shared/check.ts'
import { systemClock } from '../time/clock.ts'
import type { DebounceChanges, DebounceOptions } from './debounce-types.ts'
import { createListeners, type Listeners } from '../shared/listeners.ts'
import { checkFrom } from '../limit/rules/check-number.ts'

interface Settings extends Pick<DebounceOptions, 'signal' | 'onError'> {
  leading: boolean
  trailing: boolean
  maxWait: number
}

/** What most debouncers have in common: then it is one object for all of them. */
const COMMON: Settings = { leading: false, trailing: true, maxWait: Infinity }

/**
 * What `debounce` decides by. The alarm is set while the window of a burst is open.
 *
 * A class, and its instants are numbers from the start, which V8 then overwrites in place: a call in a burst
 * allocates no more than its arguments.
 */
export class Debouncer<This, Args extends unknown[], Result> extends Alarm {
  readonly #fn: (this: This, ...args: Args) => Result
  #wait: number
  #settings: Settings = COMMON
  #lastCall = -Infinity
  #lastRun = -Infinity
  // A burst's window closes `wait` after the last call, but at the deadline at the latest.
  #deadline = -Infinity
  // Held only for a run that is due when the window closes: that is "pending".
  #held: Args | undefined
  #self: This | undefined
  #result: Result | undefined
  #listeners: Listeners | undefined

  constructor(fn: (this: This, ...args: Args) => Result, wait: number, options?: DebounceOptions) {
    super(options?.clock ?? systemClock)
    this.#fn = fn
    this.#wait = wait
    if (options) this.begin(options)
    else checkFrom(0, 'wait', wait)
  }

  call(self: This, args: Args): Result | undefined {
    const { signal, leading, trailing } = this.#settings
    if (signal?.aborted || !(leading || trailing)) return this.#result
    const wait = this.#wait
    const limit = this.limit
    const now = this.clock.now()
    // In the middle of a burst that is all there is to do, and what follows comes to the same.
    if (this.#held && now - this.#lastCall < wait && now - this.#lastRun < limit) {
      this.#lastCall = now
      this.#held = args
      this.#self = self
      return this.#result
    }
    const isSet = this.isSet()
    const isOpen = isSet || now < this.closesAt()
    const isOverdue = now - this.#lastCall >= wait || now - this.#lastRun >= limit
    this.#lastCall = now
    if (isOverdue || !isOpen) {
      const starts = isOverdue && (limit < Infinity ? !leading || now - this.#lastRun >= wait : !isOpen)
      if (starts) this.#deadline = (this.#lastRun = now) + limit
      else if (!isOpen) this.#deadline = Math.max(this.#lastRun + limit, isOverdue ? now : now + wait)
      // At a wait of 0 the window is the rest of this task, which only a timer can tell.
      if (!wait) this.set(now)
      if (starts && (leading || isSet)) return this.run(self, args, now)
    }
    if (trailing || this.#held) {
      if (!isSet) this.set(this.closesAt())
      this.hold(args, self)
    }
    return this.#result
  }

  configure(changes: DebounceChanges): void {
    const old = this.#settings
    const {
      wait = this.#wait,
      maxWait = old.maxWait,
      leading = old.leading,
      trailing = old.trailing,
    } = changes
    checkFrom(0, 'wait', wait)
    checkFrom(0, 'maxWait', maxWait)
    const { limit } = this
    // A wait without end makes one burst of all calls: its start is no reason to run the last of them at once.
    const since = this.#wait === Infinity ? this.#lastCall + wait : -Infinity
    this.#wait = wait
    this.#settings = { ...old, leading, trailing, maxWait }
    if (limit !== this.limit) this.#deadline = Math.max(this.#lastRun + this.limit, since)
    if (this.isSet()) this.set(this.closesAt())
  }

  flush(): Result | undefined {
    this.clear()
    if (!this.#held || this.#settings.signal?.aborted) return this.#result
    const now = this.clock.now()
    this.#deadline = now + this.limit
    return this.run(this.#self as This, this.#held, now)
  }

  cancel(): void {
    this.clear()
    this.#lastCall = this.#lastRun = -Infinity
    this.hold()
  }

  isPending(): boolean {
    return !!this.#held
  }

  subscribe(listener: () => void): () => void {
    return (this.#listeners ??= createListeners()).subscribe(listener)
  }

  [Symbol.dispose](): void {
    this.cancel()
    this.#settings = { ...this.#settings, leading: false, trailing: false }
  }

  /** What the signal calls when it aborts. */
  handleEvent(): void {
    this.cancel()
  }

  override onDue(at: number): void {
    if (!this.#held) return
    const closesAt = this.closesAt()
    // Calls since the alarm was set have pushed the end of the window back.
    if (closesAt > at) return this.set(closesAt)
    this.#deadline = -Infinity
    try {
      this.run(this.#self as This, this.#held, this.clock.now())
    } catch (error) {
      const { onError } = this.#settings
      if (!onError) throw error
      onError(error)
    }
  }

  private begin({ signal, onError, leading, trailing, maxWait }: DebounceOptions): void {
    if (onError) checkFunction('onError', onError)
    if (signal ?? onError) this.#settings = { ...COMMON, signal, onError }
    this.configure({ leading, trailing, maxWait })
  }

  /** The longest that a call waits. */
  private get limit(): number {
    return Math.max(this.#wait, this.#settings.maxWait)
  }

  private closesAt(): number {
    return Math.min(this.#lastCall + this.#wait, this.#deadline)
  }

  private hold(args?: Args, self?: This): void {
    const isChange = !this.#held !== !args
    this.#held = args
    this.#self = self
    if (!isChange) return
    this.#settings.signal?.[args ? 'addEventListener' : 'removeEventListener']('abort', this)
    this.#listeners?.notify()
  }

  private run(self: This, args: Args, now: number): Result {
    this.#lastRun = now
    this.hold()
    return (this.#result = this.#fn.apply(self, args))
  }
}
