import * as lull from 'lull'
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react'
import { beforeEach } from 'vitest'
import { stubResizeObserver, type FakeLayout } from '../support/fake-resize-observer.ts'

export type Call = (text: string) => void
export type Options = lull.LeavingOptions & lull.TimingOptions

/** A hook that delays calls by `wait` ms, and then passes the last text to `save`. */
type HoldingHook = (save: Call, wait: number, options?: Options) => Call

export interface Subject {
  name: string
  useHeld: HoldingHook
  /** Renders a value instead of delaying a call: a component shown again follows its current value. */
  isValue: boolean
  /** Runs in the next frame, for any wait. */
  isFrame: boolean
  /** Accepts `holdWhile`. */
  isConditional: boolean
  policies: readonly ('cancel' | 'flush')[]
}

/** Runs `save` for each value that a hook returns. */
function useSaved(shown: string, save: Call): void {
  const last = useRef({ save, shown: '' })
  useInsertionEffect(() => {
    last.current.save = save
  })
  useEffect(() => {
    // Effects run again when a component is shown again.
    if (shown !== last.current.shown) last.current.save((last.current.shown = shown))
  }, [shown])
}

type ValueHook = (text: string, wait: number, options?: lull.TimingOptions) => string

const ofValue = (useValue: ValueHook): HoldingHook =>
  function useTyped(save, wait, { onUnmount: _onUnmount, ...options } = {}) {
    const [text, setText] = useState('')
    useSaved(useValue(text, wait, options), save)
    return setText
  }

const ofTask = (overlap: 'abort' | 'queue'): HoldingHook =>
  function useTask(save, wait, options) {
    const { run } = lull.useDebouncedAsync((_, text: string) => save(text), wait, { ...options, overlap })
    return useCallback((text) => void run(text).catch(() => undefined), [run])
  }

const textEvents = new EventTarget()

const dispatchText: Call = (text) => void textEvents.dispatchEvent(new CustomEvent('text', { detail: text }))

const ofEvent = (waitOf: (wait: number) => number | 'frame'): HoldingHook =>
  function useEvent(save, wait, options) {
    const handle = (event: Event): void => save((event as CustomEvent<string>).detail)
    lull.useThrottledEvent(textEvents, 'text', handle, waitOf(wait), { leading: false, ...options })
    return dispatchText
  }

let layout: FakeLayout
const texts: string[] = []
const resizeTo: Call = (text) => layout.resize(document.body, texts.push(text) - 1)

/** Stubs sizes for the whole file: `useThrottledResize` needs them, and jsdom has none. */
export function stubSizes(): void {
  beforeEach(() => void (layout = stubResizeObserver()))
}

const callback = {
  isValue: false,
  isFrame: false,
  isConditional: true,
  policies: ['cancel', 'flush'],
} as const
const value = { ...callback, isValue: true, policies: ['cancel'] } as const
const frame = { ...callback, isFrame: true, isConditional: false } as const

/** All hooks of the package that delay calls or values, with one signature. */
export const subjects: Subject[] = [
  { ...callback, name: 'useDebouncedCallback', useHeld: lull.useDebouncedCallback },
  {
    ...callback,
    name: 'useThrottledCallback',
    useHeld: (save, wait, { maxWait: _maxWait, ...options } = {}) =>
      lull.useThrottledCallback(save, wait, { leading: false, ...options }),
  },
  { ...callback, name: 'useDebouncedAsync', useHeld: ofTask('abort') },
  { ...callback, name: 'useDebouncedAsync with a queue', useHeld: ofTask('queue') },
  {
    ...callback,
    name: 'useBatch',
    isConditional: false,
    useHeld(save, wait, { leading: _leading, ...options } = {}) {
      const { add } = lull.useBatch((texts: string[]) => save(texts.at(-1)!), { wait, ...options })
      return useCallback((text) => void add(text).catch(() => undefined), [add])
    },
  },
  { ...callback, name: 'useThrottledEvent', isConditional: false, useHeld: ofEvent((wait) => wait) },
  { ...frame, name: 'useThrottledEvent in frames', useHeld: ofEvent(() => 'frame') },
  {
    ...frame,
    name: 'useThrottledResize in frames',
    useHeld(save, _, options) {
      const handle = ({ contentRect }: ResizeObserverEntry): void => save(texts[contentRect.width]!)
      lull.useThrottledResize(() => document.body, handle, 'frame', options)
      return resizeTo
    },
  },
  { ...value, name: 'useDebounce', useHeld: ofValue(lull.useDebounce) },
  {
    ...value,
    name: 'useThrottle',
    useHeld: ofValue((text, wait, { maxWait: _maxWait, ...options } = {}) =>
      lull.useThrottle(text, wait, { leading: false, ...options }),
    ),
  },
  {
    ...value,
    name: 'useDebouncedState',
    useHeld(save, wait, options) {
      const [text, set] = lull.useDebouncedState('', wait, options)
      useSaved(text, save)
      return set
    },
  },
]

export const WAIT = 100

/** The delay until a call made now runs. */
export const dueIn = ({ isFrame }: Subject): number => (isFrame ? 16 : WAIT)

/** Each subject with each of its policies. */
export const policied = subjects.flatMap((subject) =>
  subject.policies.map((onUnmount) => ({ ...subject, subject, onUnmount })),
)
