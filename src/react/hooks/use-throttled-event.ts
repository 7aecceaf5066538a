import { useCallback } from 'react'
import { checkType } from '../../core/shared/check.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { useConnection, type TargetSource } from '../use-connection.ts'
import { useFrameCallback } from '../use-frame-callback.ts'
import { useCommitEffect, type LeavingOptions } from '../use-lifecycle.ts'
import { useThrottledCallback } from './use-debounced-callback.ts'

/** The event types for which a target has an `on…` handler: 'scroll' of an element, 'change' of a media query. */
type EventName<Target> = keyof Target extends infer Key
  ? Key extends `on${infer Name}`
    ? Name
    : never
  : never

type EventOf<Target, Type extends string> = Target extends {
  [Key in `on${Type}`]: ((event: infer Received extends Event) => unknown) | null
}
  ? Received
  : Event

/** A method, as in React's `EventHandler`: so a handler of a custom event may declare that it takes a `CustomEvent`. */
type HandlerOf<Received extends Event> = { handle(event: Received): void }['handle']

export interface ThrottledHandlerOptions extends LeavingOptions {
  /** Handle the first event or size at once. Ignored with `wait: 'frame'`. @default true */
  leading?: boolean | undefined
}

export interface ThrottledEventOptions extends ThrottledHandlerOptions {
  /** Listen in the capture phase. @default false */
  capture?: boolean | undefined
}

/**
 * Handles events of `type` at most once every `wait` ms, or once a frame, and always the last one. The listener is passive,
 * because a handler that runs later cannot call `preventDefault`. The handler of the last commit is called.
 *
 * @param target an event target (window, document, an element …), a ref to one, or a function that returns one. The
 *   function is called after each commit, never on a server.
 * @param wait in ms, at least 0, or 'frame': in the next frame, or after 100 ms if none comes. @default 'frame'
 * @param options see `ThrottledEventOptions`.
 * @throws TypeError for a `handler` that is not a function, TypeError or RangeError for any other `wait`.
 */
export function useThrottledEvent<Target extends EventTarget, Type extends EventName<Target> | (string & {})>(
  target: TargetSource<Target>,
  type: Type,
  handler: HandlerOf<EventOf<Target, Type>>,
  wait: number | 'frame' = 'frame',
  { leading, capture = false, ...leaving }: ThrottledEventOptions = {},
): void {
  checkType('function', 'handler', handler)
  const isFrame = wait === 'frame'
  adviseOnTiming('useThrottledEvent', isFrame ? 0 : wait, { leading }, leaving)
  const timed = useThrottledCallback(handler, isFrame ? 0 : wait, { leading, ...leaving })
  const framed = useFrameCallback(handler, leaving)
  // A pending event of the other mode is older than any new event.
  useCommitEffect(() => {
    ;(isFrame ? timed : framed).flush()
  }, [isFrame, timed, framed])
  const listener = (isFrame ? framed.handle : timed) as unknown as EventListener

  const connect = useCallback(
    // The window of React Native has no listeners.
    (target: Partial<EventTarget>) => {
      target.addEventListener?.(type, listener, { passive: true, capture })
      return () => target.removeEventListener?.(type, listener, capture)
    },
    [type, listener, capture],
  )
  useConnection(target, connect)
}
