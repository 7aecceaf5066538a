import type { Clock } from 'lull/core'
import { shareBetweenTabs, type ShareBetweenTabsOptions } from 'lull/tabs'
import type { Policy } from 'lull/fetch'
import type { ManualClock } from 'lull/testing'
import { vi } from 'vitest'

type Storage = NonNullable<ShareBetweenTabsOptions['storage']>

/** The delivery time of a message. */
export const LATENCY_MS = 1

/** A message whose data the receiver cannot read. */
export const UNREADABLE = 'unreadable'

/** From now on time goes on between two readings of `now`, as on a real clock. */
export function letTimeGoOn(clock: ManualClock): ManualClock {
  const { now } = clock
  let readings = 0
  return Object.assign(clock, { now: () => now() + ++readings / 1e4 })
}

/** A browser with tabs in this process: each has its own channel and page events; all share the storage. */
export function createFakeBrowser(clock: Pick<Clock, 'after'>) {
  const channels = new Set<FakeChannel>()
  /** Posted messages with the channel name. */
  const posted: [name: string, data: { id?: number }][] = []
  const items = new Map<string, string>()
  const createTab = () => ({ isFrozen: false, isGone: false, listeners: new Map<string, Set<() => void>>() })
  let current: ReturnType<typeof createTab> | undefined

  class FakeChannel {
    onmessage: ((event: { data: unknown }) => void) | null = null
    onmessageerror: ((event: { data: unknown }) => void) | null = null
    readonly tab = current
    readonly name: string
    constructor(name: string) {
      this.name = name
      channels.add(this)
    }
    postMessage(data: unknown): void {
      if (!channels.has(this)) throw new DOMException('closed', 'InvalidStateError')
      if (this.tab?.isGone) return
      deliver(this.name, structuredClone(data), this)
    }
    close(): void {
      channels.delete(this)
    }
  }

  function deliver(name: string, data: unknown, from?: FakeChannel): void {
    posted.push([name, data as { id?: number }])
    for (const channel of channels) {
      if (channel === from || channel.name !== name) continue
      clock.after(LATENCY_MS, () => {
        if (!channels.has(channel) || channel.tab?.isGone || channel.tab?.isFrozen) return
        if (data === UNREADABLE) channel.onmessageerror?.({ data: null })
        else channel.onmessage?.({ data })
      })
    }
  }

  vi.stubGlobal('BroadcastChannel', FakeChannel)
  const listenersOf = (type: string): Set<() => void> => {
    const listeners = current?.listeners ?? new Map<string, Set<() => void>>()
    const all = listeners.get(type) ?? new Set()
    listeners.set(type, all)
    return all
  }
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => listenersOf(type).add(listener))
  vi.stubGlobal('removeEventListener', (type: string, listener: () => void) =>
    listenersOf(type).delete(listener),
  )

  const storage: Storage = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }

  return {
    items,
    posted,
    storage,
    postFromOther: (name: string, data: unknown) => deliver(name, structuredClone(data)),
    openChannels: () => channels.size,
    open() {
      const tab = createTab()
      const inTab = <Result>(act: () => Result): Result => {
        current = tab
        try {
          return act()
        } finally {
          current = undefined
        }
      }
      return {
        /** A policy whose channel belongs to this tab. */
        share(options?: ShareBetweenTabsOptions): Policy {
          const policy = shareBetweenTabs({ storage, ...options })
          return (bucket) =>
            inTab(() => {
              const hooks = policy(bucket)
              return { ...hooks, dispose: () => inTab(() => hooks.dispose?.()) }
            })
        },
        /** Stops receiving. */
        freeze: () => void (tab.isFrozen = true),
        /** Stops sending and receiving for good. */
        crash: () => void (tab.isGone = true),
        /** Emits an event of the page: `pagehide`, `pageshow`. */
        emit: (type: string) =>
          inTab(() => [...(tab.listeners.get(type) ?? [])].forEach((listener) => listener())),
        listenedTypes: () => [...tab.listeners].flatMap(([type, all]) => (all.size > 0 ? [type] : [])),
      }
    },
  }
}

export type FakeBrowser = ReturnType<typeof createFakeBrowser>
