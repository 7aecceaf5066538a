import { adviseOnChoices } from '../../core/shared/develop.ts'
import { onWake } from '../../core/time/on-wake.ts'
import type { Call } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'

export interface PageLifecycleOptions {
  /** Whether calls are sent while the page is hidden. @default 'send' */
  hidden?: 'send' | 'pause' | undefined
  /** After a network error while offline: 'fail' retries as usual; 'wait' waits to be online, which is no retry. @default 'fail' */
  offline?: 'fail' | 'wait' | undefined
}

const page = globalThis as Partial<Pick<typeof globalThis, 'document' | 'navigator'>>

/**
 * A policy that watches the page: when it returns from sleep or the back/forward cache, waiting calls continue at once, without
 * waiting for late timers. Outside of a page it does nothing. It listens only while calls wait.
 *
 * @throws RangeError, in development, for any other value of an option.
 */
export function pageLifecycle({ hidden = 'send', offline = 'fail' }: PageLifecycleOptions = {}): Policy {
  adviseOnChoices({
    'pageLifecycle hidden': [hidden, 'send', 'pause'],
    'pageLifecycle offline': [offline, 'fail', 'wait'],
  })

  return (bucket) => {
    /** Calls that wait, and whether they wait for the network. */
    const waiting = new Map<Call, boolean | undefined>()
    let stopListening: (() => unknown) | undefined

    // `onLine` is reliable only when it is false. In a worker no event may follow.
    const isOffline = (): boolean => !!page.document && page.navigator?.onLine === false

    function wakeStranded(): void {
      for (const [call, isStranded] of waiting) if (isStranded) call.wake()
    }

    function onSign(): void {
      if (!isOffline()) wakeStranded()
      bucket.changed()
    }

    function waits(call: Call, isStranded?: boolean): void {
      waiting.set(call, isStranded)
      stopListening ??= onWake(onSign)
    }

    function leave(call: Call): void {
      waiting.delete(call)
      if (waiting.size === 0) stopListening = void stopListening?.()
    }

    return {
      admit(call) {
        if (call.isBypass) return
        waits(call)
        call.keepsBody = offline === 'wait'
      },
      sent: leave,
      left: leave,
      delay(call, { kind }) {
        const isStranded = offline === 'wait' && kind === 'lost' && isOffline()
        waits(call, isStranded)
        return isStranded ? Infinity : undefined
      },
      readyAt(now, call) {
        if (hidden !== 'pause' || page.document?.visibilityState !== 'hidden') return now
        // `admit` has not seen calls that are older than this policy.
        waits(call)
        return Infinity
      },
      dispose() {
        wakeStranded()
        stopListening?.()
      },
    }
  }
}
