import type { Clock } from 'lull/core'
import { shareBetweenTabs, type ShareBetweenTabsOptions } from 'lull/tabs'
import type { Policy } from 'lull/fetch'
import { onTestFinished, vi } from 'vitest'

type Storage = NonNullable<ShareBetweenTabsOptions['storage']>

/** A tab as far as the policy sees it. */
export interface FakeTab {
  /** A policy whose channel is of this tab. */
  share: (options?: ShareBetweenTabsOptions) => Policy
  /** Nothing reaches it until it is thawed; then what was said meanwhile does. */
  freeze: () => void
  thaw: () => void
  /** Nothing is heard of it any more, and it hears nothing. */
  crash: () => void
  /** An event of the page: `pagehide`, `pageshow`. */
  emit: (type: string) => void
  /** What it listens to. */
  heard: () => string[]
}

export interface FakeBrowser {
  open: () => FakeTab
  /** What is stored, by the name of the item. */
  items: Map<string, string>
  storage: Storage
  /** What was posted, by the channel's name. */
  posted: [name: string, data: unknown][]
  /** As another tab does. */
  say: (name: string, data: unknown) => void
  /** Channels that are open. */
  openChannels: () => number
}

/** How long a message takes. */
export const LATENCY_MS = 1

/** A browser whose tabs live in this process: each has a channel and page events of its own, all the same storage. */
export function createFakeBrowser(clock: Pick<Clock, 'after'>): FakeBrowser {
  const channels = new Set<FakeChannel>()
  const posted: [string, unknown][] = []
  const items = new Map<string, string>()
  let current: TabState | undefined

  interface TabState {
    isFrozen: boolean
    isGone: boolean
    late: (() => void)[]
    listeners: Map<string, Set<() => void>>
  }

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
    posted.push([name, data])
    for (const channel of channels) {
      if (channel === from || channel.name !== name) continue
      const hear = (): void => {
        if (channels.has(channel)) channel.onmessage?.({ data })
      }
      clock.after(LATENCY_MS, () => {
        if (channel.tab?.isGone) return
        if (channel.tab?.isFrozen) channel.tab.late.push(hear)
        else hear()
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
  onTestFinished(() => void vi.unstubAllGlobals())

  const storage: Storage = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }

  return {
    items,
    posted,
    storage,
    say: (name, data) => deliver(name, structuredClone(data)),
    openChannels: () => channels.size,
    open() {
      const tab: TabState = { isFrozen: false, isGone: false, late: [], listeners: new Map() }
      const inTab = <Result>(act: () => Result): Result => {
        current = tab
        try {
          return act()
        } finally {
          current = undefined
        }
      }
      return {
        share(options) {
          const policy = shareBetweenTabs({ storage, ...options })
          return (bucket) =>
            inTab(() => {
              const hooks = policy(bucket)
              return { ...hooks, dispose: () => inTab(() => hooks.dispose?.()) }
            })
        },
        freeze: () => void (tab.isFrozen = true),
        thaw() {
          tab.isFrozen = false
          for (const hear of tab.late.splice(0)) hear()
        },
        crash: () => void (tab.isGone = true),
        emit: (type) => inTab(() => [...(tab.listeners.get(type) ?? [])].forEach((listener) => listener())),
        heard: () => [...tab.listeners].flatMap(([type, all]) => (all.size > 0 ? [type] : [])),
      }
    },
  }
}
