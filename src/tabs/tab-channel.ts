import { FORMAT, isMessage, type TabMessage } from './tab-message.ts'

/** A bucket of this tab. */
export interface Member {
  readonly key: string
  hear: (message: TabMessage) => void
  /** The page is being left: it may be frozen, and may never come back. */
  leave: () => void
  /** The page is back. */
  comeBack: () => void
  ignore: (from: 'channel' | 'storage', value: unknown) => void
}

export interface TabChannel {
  add: (member: Member) => void
  remove: (member: Member) => void
  /** Says it to all other buckets of the key, in this tab and in others. */
  post: (message: TabMessage, from: Member) => void
}

/**
 * The channel between tabs. It is open while there are members and the page is not left: an open one may keep a page out of the
 * back/forward cache, and a message takes it out. Without BroadcastChannel only the buckets of this tab hear each other.
 */
export function createTabChannel(name: string): TabChannel {
  const members = new Set<Member>()
  let channel: BroadcastChannel | undefined
  let isListening = false

  function guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      ignore(error)
    }
  }

  /** One event for each message, and not for each bucket. */
  function ignore(value: unknown): void {
    const [first] = members
    first?.ignore('channel', value)
  }

  function deliver(message: TabMessage, from?: Member): void {
    for (const member of [...members]) if (member !== from && member.key === message.key) member.hear(message)
  }

  function listen({ data }: MessageEvent): void {
    if (isMessage(data)) deliver(data)
    else ignore(data)
  }

  function open(): void {
    if (channel || members.size === 0 || typeof BroadcastChannel === 'undefined') return
    guard(() => {
      channel = new BroadcastChannel(`${name}:${FORMAT}`)
      channel.onmessage = channel.onmessageerror = listen
      // Node would wait for it.
      ;(channel as { unref?: () => void }).unref?.()
    })
  }

  function close(): void {
    channel?.close()
    channel = undefined
  }

  function onHide(): void {
    for (const member of members) member.leave()
    close()
  }

  function onShow(): void {
    open()
    for (const member of members) member.comeBack()
  }

  /** Listens to the page as long as there are members. */
  function attend(): void {
    if (isListening === members.size > 0) return
    isListening = !isListening
    const method = isListening ? 'addEventListener' : 'removeEventListener'
    const page = globalThis as Partial<Pick<typeof globalThis, typeof method>>
    page[method]?.('pagehide', onHide)
    page[method]?.('pageshow', onShow)
    if (!isListening) close()
  }

  return {
    add(member) {
      members.add(member)
      attend()
      open()
    },
    remove(member) {
      members.delete(member)
      attend()
    },
    post(message, from) {
      deliver(message, from)
      guard(() => channel?.postMessage(message))
    },
  }
}
