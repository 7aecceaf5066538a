import type { DebounceChanges } from '../core/debounce/debounce.ts'

/** What a hook keeps back, as conditions and triggers see it. */
export interface Attached {
  configure: (timing: DebounceChanges) => void
  flush: () => unknown
}

interface Attachment {
  /** Acts on `held`, whose timing is `timing`. Returns what ends that. */
  attach: (held: Attached, timing: DebounceChanges) => () => void
}

/** Happens now and then, and makes a pending run: for `flushOn`. */
export type Trigger = Attachment

/** Holds for a while, and keeps back what is pending meanwhile: for `holdWhile`. */
export interface Condition extends Attachment {
  isOn: () => boolean
  /** Calls `listener` whenever `isOn` may have changed; the function returned stops that. */
  subscribe: (listener: () => void) => () => void
}

/** At most two, so that a literal made anew in each render changes nothing. */
export type Triggers = readonly [first?: Trigger | undefined, second?: Trigger | undefined]

/** Makes a function that configures `held` and attaches what it is given, in place of what it attached last. */
export function createAttach(
  held: Attached,
): (timing: DebounceChanges, ...attachments: (Attachment | undefined)[]) => void {
  let stops: ((() => void) | undefined)[] = []
  return (timing, ...attachments) => {
    const last = stops
    held.configure(timing)
    stops = attachments.map((attachment) => attachment?.attach(held, timing))
    // Not before: a condition may forget what nobody listens to.
    for (const stop of last) stop?.()
  }
}
