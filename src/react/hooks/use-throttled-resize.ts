import { useCallback, useInsertionEffect, useState } from 'react'
import { checkType } from '../../core/shared/check.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { useConnection, type TargetSource } from '../use-connection.ts'
import { useFrameCallback } from '../use-frame-callback.ts'
import { useThrottledCallback } from './use-debounced-callback.ts'
import { useCommitEffect } from '../use-lifecycle.ts'
import type { ThrottledHandlerOptions } from './use-throttled-event.ts'

export interface ThrottledResizeOptions extends ThrottledHandlerOptions {
  /** Which box of the element to observe. @default 'content-box' */
  box?: ResizeObserverBoxOptions | undefined
}

type Handler = (entry: ResizeObserverEntry) => void

function createRelay(handler: Handler): { pass: Handler; to: (handler: Handler) => void } {
  return {
    pass: (entry) => handler(entry),
    to(next) {
      handler = next
    },
  }
}

/**
 * Reports the size of an element, first its current size and then changes, at most once every `wait` ms or once a frame, and
 * always the last one. The handler never runs inside the callback of the `ResizeObserver`, so it may change sizes itself.
 *
 * @param target an element, a ref to one, or a function that returns one. The function is called after each commit.
 * @param wait in ms, at least 0, or 'frame'. @default 'frame'
 * @param options see `ThrottledResizeOptions`.
 * @throws TypeError for a `handler` that is not a function, TypeError or RangeError for any other `wait`.
 */
export function useThrottledResize(
  target: TargetSource<Element>,
  handler: Handler,
  wait: number | 'frame' = 'frame',
  { leading, box = 'content-box', ...leaving }: ThrottledResizeOptions = {},
): void {
  checkType('function', 'handler', handler)
  const isFrame = wait === 'frame'
  adviseOnTiming('useThrottledResize', isFrame ? 0 : wait, { leading }, leaving)
  const [relay] = useState(() => createRelay(handler))
  // Before the other hook: if both are flushed, a size pending here passes through that one.
  const { handle } = useFrameCallback(relay.pass, leaving)
  const timed = useThrottledCallback(handler, isFrame ? 0 : wait, { leading, ...leaving })
  useInsertionEffect(() => relay.to(isFrame ? handler : timed))
  // A size pending there is older than any new one.
  useCommitEffect(() => {
    if (isFrame) timed.flush()
  }, [isFrame, timed])

  const connect = useCallback(
    (element: Element) => {
      const { ownerDocument, isConnected } = element
      // Firefox reports a change in a popup only to an observer of the popup.
      const Observer =
        (ownerDocument !== document && ownerDocument.defaultView?.ResizeObserver) || ResizeObserver
      const observer = new Observer((entries) => {
        // A removed element has size 0 until the effect after the commit disconnects it.
        if (element.isConnected || !isConnected) handle(entries.at(-1)!)
      })
      observer.observe(element, { box })
      return () => observer.disconnect()
    },
    [handle, box],
  )
  useConnection(target, connect)
}
