import {
  useBatch,
  useDebouncedAsync,
  useDebouncedCallback,
  useThrottledCallback,
  useThrottledEvent,
  type LeavingOptions,
} from 'lull'
import { useCallback } from 'react'

export type Call = (text: string) => void

/** A hook that holds calls back for `wait` ms, and then gives `save` the last text. */
export type HoldingHook = (save: Call, wait: number, options?: LeavingOptions) => Call

/** Sends text to a `useThrottledEvent`. */
const textEvents = new EventTarget()

/** All hooks of the package that hold back what is to run, behind one signature. */
export const holdingHooks: [name: string, useHeld: HoldingHook][] = [
  ['useDebouncedCallback', (save, wait, options) => useDebouncedCallback(save, wait, options)],
  [
    'useThrottledCallback',
    (save, wait, options) => useThrottledCallback(save, wait, { leading: false, ...options }),
  ],
  [
    'useDebouncedAsync',
    (save, wait, options) => {
      const { run } = useDebouncedAsync((_, text: string) => save(text), wait, options)
      return useCallback((text) => void run(text), [run])
    },
  ],
  [
    'useDebouncedAsync with a queue',
    (save, wait, options) => {
      const { run } = useDebouncedAsync((_, text: string) => save(text), wait, {
        overlap: 'queue',
        ...options,
      })
      return useCallback((text) => void run(text), [run])
    },
  ],
  [
    'useBatch',
    (save, wait, options) => {
      const send = (texts: string[]): void => {
        save(texts.at(-1)!)
      }
      const { add } = useBatch(send, { wait, ...options })
      return useCallback((text) => void add(text), [add])
    },
  ],
  [
    'useThrottledEvent',
    (save, wait, options) => {
      const handle = (event: Event): void => save((event as CustomEvent<string>).detail)
      useThrottledEvent(textEvents, 'text', handle, wait, { leading: false, ...options })
      return dispatchText
    },
  ],
]

function dispatchText(text: string): void {
  textEvents.dispatchEvent(new CustomEvent('text', { detail: text }))
}
