import { useDebouncer, useThrottler } from '@tanstack/react-pacer'
import { useDebounceFn, useThrottleFn } from 'ahooks'
import lodash from 'lodash'
import { useDebouncedCallback, useThrottledCallback } from 'lull'
import { useState } from 'react'
import { useDebounce, useThrottleFn as useThrottledResult } from 'react-use'
import { useDebouncedCallback as useTheirs, useThrottledCallback as useTheirThrottle } from 'use-debounce'
import { useDebounceCallback } from 'usehooks-ts'

export type Callback = (this: unknown, ...args: unknown[]) => unknown

export type Timing = { leading?: boolean; trailing?: boolean; maxWait?: number }

export interface Held {
  call: Callback
  cancel?: () => void
  flush?: () => unknown
  isPending?: () => boolean
}

export interface Library {
  /** Its hook that debounces a function; without hooks, its debounce function, called on mount. */
  useDebounced: (fn: Callback, wait: number, timing: Timing) => Held
  useThrottled?: (fn: Callback, wait: number) => Held
  /** Has no React hooks of its own. */
  isWithoutHooks?: true
  /** Returns no debounced function, but runs on a change of dependencies. */
  isOnChange?: true
}

type Members = Omit<Held, 'call'>

const heldBy = (call: Callback & Members, members: Members = call): Held => ({ ...members, call })

/** Keeps the arguments in state; a change of state is the call. */
function useArgs(): [args: unknown[] | undefined, call: Callback] {
  const [args, setArgs] = useState<unknown[]>()
  return [args, (...next) => setArgs(next)]
}

/** Uses each library as its documentation shows, with inline callbacks and options. */
export const libraries: Record<string, Library> = {
  lull: {
    useDebounced: (fn, wait, timing) => heldBy(useDebouncedCallback(fn, wait, timing)),
    useThrottled: (fn, wait) => heldBy(useThrottledCallback(fn, wait)),
  },
  lodash: {
    useDebounced: (fn, wait, timing) => heldBy(useState(() => lodash.debounce(fn, wait, timing))[0]),
    useThrottled: (fn, wait) => heldBy(useState(() => lodash.throttle(fn, wait))[0]),
    isWithoutHooks: true,
  },
  'use-debounce': {
    useDebounced: (fn, wait, timing) => heldBy(useTheirs(fn, wait, timing)),
    useThrottled: (fn, wait) => heldBy(useTheirThrottle(fn, wait)),
  },
  '@tanstack/react-pacer': {
    useDebounced(fn, wait, timing) {
      const { maybeExecute, cancel, flush, store } = useDebouncer(fn, { wait, ...timing })
      return { call: maybeExecute, cancel, flush, isPending: () => store.state.isPending }
    },
    useThrottled: (fn, wait) => ({ call: useThrottler(fn, { wait }).maybeExecute }),
  },
  'usehooks-ts': {
    useDebounced: (fn, wait, timing) => heldBy(useDebounceCallback(fn, wait, timing)),
  },
  ahooks: {
    useDebounced(fn, wait, timing) {
      const { run, ...members } = useDebounceFn(fn, { wait, ...timing })
      return heldBy(run, members)
    },
    useThrottled(fn, wait) {
      const { run, ...members } = useThrottleFn(fn, { wait })
      return heldBy(run, members)
    },
  },
  'react-use': {
    useDebounced(fn, wait) {
      const [args, call] = useArgs()
      // It also runs once after the mount, without a call.
      const [isReady, cancel] = useDebounce(() => args && fn(...args), wait, [args])
      return { call, cancel, isPending: () => isReady() === false }
    },
    useThrottled(fn, wait) {
      const [args, call] = useArgs()
      useThrottledResult((latest?: unknown[]) => latest && fn(...latest), wait, [args])
      return { call }
    },
    isOnChange: true,
  },
}
