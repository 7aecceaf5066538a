import type { DebounceChanges } from '../core/debounce/debounce.ts'
import { safely } from '../core/shared/report.ts'
import { createListeners } from '../core/shared/store.ts'

/** A hook's debounced function, as conditions and triggers use it. */
export interface Attached {
  configure: (timing: DebounceChanges) => void
  flush: () => unknown
}

/** Runs what is pending when something happens: for `flushOn`. */
export interface Trigger {
  /** Attaches to `debounced` with its current `timing`; the returned function detaches. */
  attach: (debounced: Attached, timing: DebounceChanges) => () => void
}

/** While it is on, nothing runs: for `holdWhile`. */
export interface Condition extends Trigger {
  isOn: () => boolean
  /** Calls `listener` whenever `isOn` may have changed. The function returned ends that. */
  subscribe: (listener: () => void) => () => void
}

/** At most two triggers, so that an array made in each render changes nothing. */
export type Triggers = readonly [first?: Trigger | undefined, second?: Trigger | undefined]

/** Sets the timing, and attaches these in place of those attached before. */
export type Attach = (timing: DebounceChanges, ...attachments: (Trigger | undefined)[]) => void

export function createAttach(debounced: Attached): Attach {
  let stops: ((() => void) | undefined)[] = []
  return (timing, ...attachments) => {
    const last = stops
    debounced.configure(timing)
    stops = attachments.map((attachment) => attachment?.attach(debounced, timing))
    // Detach last: a condition may drop its state when its last listener leaves.
    for (const stop of last) stop?.()
  }
}

/**
 * Makes a condition for `holdWhile`; `subscribe` announces that `isOn` may return something else. Make it once, outside of components.
 *
 * @param source `isOn` and `subscribe` of a `Condition`.
 */
export function createCondition({ isOn, subscribe }: Pick<Condition, 'isOn' | 'subscribe'>): Condition {
  return {
    isOn,
    subscribe,
    attach(debounced, timing) {
      const { leading, trailing } = timing
      const kept = { wait: Infinity, leading: false, trailing: leading || trailing }
      const apply = (): void => debounced.configure(isOn() ? kept : timing)
      const unsubscribe = subscribe(apply)
      if (isOn()) apply()
      return unsubscribe
    },
  }
}

const composition = /* @__PURE__ */ createListeners()
let watchers = 0
let field: EventTarget | null = null
let removals: MutationObserver | undefined

function setField(next: EventTarget | null): void {
  const isChange = !next !== !field
  field = next
  if (!isChange) return
  removals?.disconnect()
  removals = undefined
  if (next) {
    // No event comes from a field that is removed while text is composed in it.
    removals = new MutationObserver(() => {
      if (field instanceof Node && !field.isConnected) setField(null)
    })
    removals.observe(document, { childList: true, subtree: true })
  }
  composition.notify()
}

const begin = (event: Event): void => setField(event.target)
// Not every browser ends the composition when focus goes elsewhere.
const end = (): void => setField(null)

const handlers = {
  compositionstart: begin,
  compositionupdate: begin,
  compositionend: end,
  focusin: end,
  focusout: end,
}

/**
 * A condition for `holdWhile` that is on while the user composes text with an input method (IME), in any field of the page, so that
 * no search starts for half a word. It is off before the event that brings the final text, if that event comes last.
 *
 * Keyboards on a phone may compose every word; a run then waits for the end of the word.
 */
export const composing: Condition = /* @__PURE__ */ createCondition({
  isOn: () => !!field,
  subscribe(listener) {
    const unsubscribe = composition.subscribe(listener)
    // In the capture phase, so that other handlers of the same event see the change.
    if (watchers++ === 0)
      for (const [type, handler] of Object.entries(handlers)) addEventListener(type, handler, true)
    return () => {
      unsubscribe()
      if (--watchers > 0) return
      for (const [type, handler] of Object.entries(handlers)) removeEventListener(type, handler, true)
      setField(null)
    }
  },
})

/** A trigger of an event of the page. It has one listener, however many are attached, and none outside of a page. */
function createTrigger(
  target: () => EventTarget | undefined,
  type: string,
  isMeant: () => boolean = () => true,
): Trigger {
  const flushes = new Set<() => unknown>()

  function flushAll(): void {
    // An error must not stop the other listeners: little time is left.
    if (isMeant()) for (const flush of [...flushes]) safely(flush)
  }

  return {
    attach(debounced) {
      const flush = (): unknown => debounced.flush()
      if (flushes.size === 0) target()?.addEventListener(type, flushAll)
      flushes.add(flush)
      return () => {
        flushes.delete(flush)
        if (flushes.size === 0) target()?.removeEventListener(type, flushAll)
      }
    },
  }
}

/** For `flushOn`: the page is hidden, by another tab or the home screen. On a phone this may be the last event. */
export const pageHidden: Trigger = /* @__PURE__ */ createTrigger(
  () => globalThis.document,
  'visibilitychange',
  () => document.visibilityState === 'hidden',
)

/** For `flushOn`: the user leaves the page, or closes it. */
export const pageHide: Trigger = /* @__PURE__ */ createTrigger(() => globalThis.window, 'pagehide')
