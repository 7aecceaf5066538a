import type { DebounceChanges } from '../core/debounce/debounce.ts'
import { createListeners } from '../core/shared/store.ts'

/** The part of a hook's debounced function that conditions and triggers use. */
export interface Attached {
  configure: (timing: DebounceChanges) => void
  flush: () => unknown
}

/** Flushes a debounced function when an event happens. For the option `flushOn`. */
export interface Trigger {
  /** Attaches to `debounced` with its current `timing`. Returns a function that detaches. */
  attach: (debounced: Attached, timing: DebounceChanges) => () => void
}

/** Holds back runs while it is on. For the option `holdWhile`. */
export interface Condition extends Trigger {
  isOn: () => boolean
  /** Calls `listener` whenever `isOn` may have changed. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

/** At most two triggers. Hooks compare them one by one, so an array made in each render changes nothing. */
export type Triggers = readonly [first?: Trigger | undefined, second?: Trigger | undefined]

/** Sets the timing and replaces the current attachments. */
export type Attach = (timing: DebounceChanges, ...attachments: (Trigger | undefined)[]) => void

export function createAttach(debounced: Attached): Attach {
  let stops: ((() => void) | undefined)[] = []
  return (timing, ...attachments) => {
    const last = stops
    debounced.configure(timing)
    stops = attachments.map((attachment) => attachment?.attach(debounced, timing))
    // Detach the old ones last: a condition may drop its state when its last listener leaves.
    for (const stop of last) stop?.()
  }
}

/**
 * Returns a condition for `holdWhile`. Call this once, outside of components.
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
      apply()
      return unsubscribe
    },
  }
}

type Target = Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>

/** React Native has these globals, but no listeners. */
const page: Target & { document?: Target; window?: Target } = globalThis

const composition = /* @__PURE__ */ createListeners()
let field: EventTarget | null = null
let removals: MutationObserver | undefined

function setField(next: EventTarget | null): void {
  if (next === field) return
  field = next
  removals?.disconnect()
  if (next) {
    // A field that is removed during a composition fires no event.
    removals = new MutationObserver(() => {
      if (field instanceof Node && !field.isConnected) setField(null)
    })
    removals.observe(document, { childList: true, subtree: true })
  }
  composition.notify()
}

const TYPES = ['compositionstart', 'compositionupdate', 'compositionend', 'focusin', 'focusout']

function follow({ type, target }: Event): void {
  const isBegun = /start|update/.test(type) && !/Android/.test(navigator.userAgent)
  // Not every browser ends the composition when the focus moves.
  setField(isBegun ? target : null)
}

/**
 * A condition for `holdWhile` that is on while the user composes text with an input method (IME) in any field of the page, so
 * that no search starts for half a word. Where the `input` event of the final text follows `compositionend`, it is off by then.
 *
 * On Android it is never on: keyboards there compose every word of every language, and a search would wait for a space.
 */
export const composing: Condition = /* @__PURE__ */ createCondition({
  isOn: () => !!field,
  subscribe(listener) {
    // In the capture phase, so that other handlers of the same event see the change.
    for (const type of TYPES) page.addEventListener?.(type, follow, true)
    const unsubscribe = composition.subscribe(listener)
    return () => {
      unsubscribe()
      if (composition.listeners.size > 0) return
      for (const type of TYPES) page.removeEventListener?.(type, follow, true)
      setField(null)
    }
  },
})

/** Returns a trigger for an event of the page. All attachments share one listener; outside of a page there is none. */
function createTrigger(
  target: () => Target | undefined,
  type: string,
  isMeant: () => boolean = () => true,
): Trigger {
  const { subscribe, notify, listeners } = createListeners()
  // An error stops no other flush: the page may not get another chance.
  const flushAll = (): unknown => isMeant() && notify()

  return {
    attach(debounced) {
      const unsubscribe = subscribe(() => void debounced.flush())
      target()?.addEventListener?.(type, flushAll)
      return () => {
        unsubscribe()
        if (listeners.size === 0) target()?.removeEventListener?.(type, flushAll)
      }
    },
  }
}

/** For `flushOn`: the page is hidden, for another tab or the home screen. On a phone this may be the last event. */
export const pageHidden: Trigger = /* @__PURE__ */ createTrigger(
  () => page.document,
  'visibilitychange',
  () => document.visibilityState === 'hidden',
)

/** For `flushOn`: the user leaves or closes the page. */
export const pageHide: Trigger = /* @__PURE__ */ createTrigger(() => page.window, 'pagehide')
