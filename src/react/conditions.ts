import { createListeners } from '../core/shared/store.ts'
import type { Condition } from './attach.ts'

/** Makes a condition for `holdWhile` of what `isOn` returns and `subscribe` announces. Make it once, outside of components. */
export function createCondition({ isOn, subscribe }: Pick<Condition, 'isOn' | 'subscribe'>): Condition {
  return {
    isOn,
    subscribe,
    attach(held, timing) {
      const { leading, trailing } = timing
      const kept = { wait: Infinity, leading: false, trailing: leading || trailing }
      const apply = (): void => held.configure(isOn() ? kept : timing)
      const unsubscribe = subscribe(apply)
      if (isOn()) apply()
      return unsubscribe
    },
  }
}

const { subscribe, notify } = /* @__PURE__ */ createListeners()
let watchers = 0
let field: EventTarget | null = null
let removals: MutationObserver | undefined

function set(next: EventTarget | null): void {
  const isChange = !next !== !field
  field = next
  if (!isChange) return
  removals?.disconnect()
  removals = undefined
  if (next) {
    // No event comes from a field that is removed while text is composed in it.
    removals = new MutationObserver(() => {
      if (field instanceof Node && !field.isConnected) set(null)
    })
    removals.observe(document, { childList: true, subtree: true })
  }
  notify()
}

const begin = (event: Event): void => set(event.target)
// Not every browser ends the composition when focus goes elsewhere.
const end = (): void => set(null)

const handlers = {
  compositionstart: begin,
  compositionupdate: begin,
  compositionend: end,
  focusin: end,
  focusout: end,
}

/**
 * On while text is being composed with an input method, in any field of the page: for `holdWhile`, so that no
 * search is made for half a word. It is off before the event that brings the final text, in browsers that send that
 * one last; in the others that event came before.
 *
 * Keyboards on a telephone may compose every word: a run then waits for the end of the word.
 */
export const composing: Condition = /* @__PURE__ */ createCondition({
  isOn: () => !!field,
  subscribe(listener) {
    const unsubscribe = subscribe(listener)
    // First of all listeners, so that a handler of the same event finds it changed.
    if (watchers++ === 0)
      for (const [type, handler] of Object.entries(handlers)) addEventListener(type, handler, true)
    return () => {
      unsubscribe()
      if (--watchers > 0) return
      for (const [type, handler] of Object.entries(handlers)) removeEventListener(type, handler, true)
      set(null)
    }
  },
})
