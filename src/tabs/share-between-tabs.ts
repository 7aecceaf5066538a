import type { Call } from '../fetch/kernel/call.ts'
import type { Policy, PolicyHooks } from '../fetch/policy.ts'
import type { BucketSnapshot } from '../fetch/snapshot.ts'
import { FORMAT, isMessage, type TabMessage } from './tab-message.ts'

export interface ShareBetweenTabsOptions {
  /** Only tabs that use the same name share. @default 'lull' */
  name?: string | undefined
  /** Keeps cooldowns and limits named by the server over a reload. null: they are not kept. @default localStorage */
  storage?:
    | {
        // The part of `Storage` that is used. The types of workers have no `Storage`.
        getItem: (name: string) => string | null
        setItem: (name: string, value: string) => void
        removeItem: (name: string) => void
      }
    | null
    | undefined
}

/** How often a tab with calls sends a message. */
const BEAT_MS = 1000
/** A tab is dropped after this long without a message. */
const LAPSE_MS = 3000
/** Messages are ignored while there are this many tabs, or requests in flight of them. */
const MOST = 1000
/** A tab that does not take its turn for this long is skipped. */
const TURN_MS = 40
/** The longest wait for responses to requests of other tabs. */
const SILENT_MS = 250
/** A later instant of another tab counts only beyond this: tabs count a request at different instants. */
const LAG_MS = 12
/** Tolerance for rounding of summed instants. */
const ROUNDING_MS = 1

type Page = Partial<Pick<typeof globalThis, 'addEventListener' | 'removeEventListener'>>

/**
 * A policy that shares cooldowns and a server's limits between the tabs of an origin. A cooldown holds in all tabs. Cooldowns
 * and limits named by the server survive a reload. Each tab counts the requests of the others as its own, the tabs take
 * turns, and a tab waits for the rate that another has learned if that is clearly lower. It must be the last of the policies.
 *
 * A message of another tab closes a gate for at most `maxGateMs`, and never opens one. A malformed one is reported by the event
 * `ignored`. Where BroadcastChannel is missing or throws, tabs share through storage alone; where storage is too, each works by itself.
 */
export const shareBetweenTabs =
  ({ name = 'lull', storage: given }: ShareBetweenTabsOptions = {}): Policy =>
  (bucket): PolicyHooks => {
    const { clock } = bucket
    const item = `${name}:${FORMAT}:${bucket.key}`
    const page: Page = globalThis
    /** The message of this tab. It is posted at each change, and stored when it has news. */
    const mine: TabMessage = {
      id: Math.random(),
      at: 0,
      calls: 0,
      inFlight: 0,
      passed: 0,
      sentAt: 0,
      opensAt: 0,
      readAt: 0,
      pacedAt: 0,
      fields: [],
    }
    /** The calls of this tab. */
    const calls = new Set<Call>()
    /** The last message of each other tab, by id. */
    const tabs = new Map<number, TabMessage>()
    /** Requests of other tabs in flight, in the order of sending. */
    const flying: Call[] = []
    let channel: BroadcastChannel | undefined
    let stopBeat: (() => void) | undefined
    let beatAt = -Infinity
    /** The number of the last request. Requests of other tabs get numbers in between. */
    let sequence = 0
    /** Requests that all tabs have sent since the cooldown began. */
    let sends = 0
    /** When the cooldown of this tab ends, on the bucket's clock. */
    let closedUntil = Infinity
    /** When a request could be sent if there were no other tabs. */
    let freeAt = Infinity
    let isChecking: boolean | undefined

    /**
     * @param isNews stores the message, too. One without news could replace what another tab has stored.
     * @param here 0 if the page ends: it leaves no calls that the next page or another tab would wait for.
     */
    function post(isNews?: boolean, here = 1): void {
      // Another tab may have stored a cooldown whose message has not come.
      if (isNews) attempt('storage', load)
      mine.at = clock.wall()
      // The wall clock may have been set back.
      mine.opensAt = Math.min(mine.opensAt, closedUntil - bucket.now() + mine.at)
      mine.readAt = Math.min(mine.readAt, mine.at)
      mine.pacedAt = pacedAt()
      mine.calls = here * calls.size
      mine.inFlight = here * bucket.inFlight()
      if (isNews)
        attempt('storage', () => {
          if (mine.calls || mine.readAt || mine.opensAt > mine.at)
            storage()?.setItem(item, JSON.stringify(mine))
          else storage()?.removeItem(item)
        })
      attempt('channel', () => channel?.postMessage(mine))
      mine.passed = 0
    }

    /** @param message not checked yet. */
    function receive(message: TabMessage, isStored: boolean): void {
      // Reported by `attempt`.
      if (!isMessage(message, mine)) throw message as unknown
      const { id, at, fields } = message
      if (id === mine.id) return
      const now = bucket.now()
      const wall = clock.wall()
      // The wall clock was set back since this tab's last message. `post` corrects its instants.
      if (wall < mine.at) post()
      // It was set back since the other tab's message.
      const ahead = Math.max(at - wall, 0)
      const opensAt = message.opensAt - ahead
      const readAt = Math.min(message.readAt, at) - ahead
      const response = readAt > mine.readAt && new Response(null, { headers: fields })
      const isLater = opensAt > Math.max(mine.opensAt, wall) + ROUNDING_MS
      const before = tabs.get(id)
      // A response of another tab is to this request or to a later one.
      const oldest = flying[0] ?? createCall(now)
      // A tab's live messages are newer than its stored one.
      if (
        (!isStored || (!before && message.calls)) &&
        LAPSE_MS > Math.abs(at - wall) &&
        MOST > Math.max(flying.length, tabs.size)
      ) {
        // A stored message counts as one request in flight until the tab reports otherwise.
        if (isStored) message.inFlight = 1
        tabs.set(id, message)
        for (let i = before?.inFlight ?? 0; i < message.inFlight + message.passed; i++) {
          // During a cooldown the request does not count: the tab sent it before it heard of the cooldown.
          if (wall < mine.opensAt) break
          const call = createCall(now)
          flying.push(call)
          sends++
          freeAt = Infinity
          each('sent', call, now)
        }
        if (isLater && !response) each('closed', now + opensAt - wall, oldest)
        settle(now, message.passed)
        // Introduces this tab to it, or says when the next request is due, if it has learned no rate.
        const isPaced = !message.pacedAt && pacedAt() > wall + LAG_MS
        if (!before || (isPaced && message.sentAt > before.sentAt)) post()
      }
      // Recorded first: the gate may close for less, and then the storage is read again.
      if (isLater) bucket.close((mine.opensAt = opensAt) - wall, 'shared')
      // Any instant in the past says that there was a cooldown.
      else mine.opensAt ||= Math.min(message.opensAt, 1)
      if (response) {
        mine.readAt = readAt
        mine.fields = fields
        each('read', response, readAt)
        // Treated as a refusal: it adds no pass, and the gate is closed above.
        each('ended', oldest, { kind: 'throttled', response }, now - wall + readAt)
      }
    }

    /** Returns when the rate that this tab has learned from refusals allows the next request; 0 without such a rate. */
    function pacedAt(): number {
      const now = bucket.now()
      for (const { readyAt, snapshot } of bucket.policies())
        if (readyAt && (snapshot?.() as BucketSnapshot | undefined)?.pace?.from === 'refusals')
          return clock.wall() + Math.min(readyAt(now, createCall(now)) - now, bucket.options.maxGateMs)
      return 0
    }

    /** A request of another tab, with the members that policies with `countsOthers` read. */
    const createCall = (sentAt: number): Call => ({ sequence: (sequence += 2 ** -20), sentAt }) as Call

    /** Ends the oldest requests of other tabs until as many are in flight as those tabs report. */
    function settle(now: number, passed: number): void {
      let inFlight = 0
      for (const tab of tabs.values())
        if (LAPSE_MS > Math.abs(tab.at - clock.wall())) inFlight += tab.inFlight
        else tabs.delete(tab.id)
      while (flying[0] && (flying.length > inFlight || now - flying[0].sentAt >= LAPSE_MS))
        each('ended', flying.shift()!, { kind: passed-- > 0 ? 'passed' : 'aborted' }, now)
    }

    /** Calls a hook of the policies with `countsOthers`. */
    function each<Name extends 'sent' | 'read' | 'ended' | 'closed'>(
      hook: Name,
      ...args: Parameters<NonNullable<PolicyHooks[Name]>>
    ): void {
      for (const hooks of bucket.policies())
        if (hooks.countsOthers) (hooks[hook] as ((...given: typeof args) => void) | undefined)?.(...args)
    }

    /** Reading the global throws where storage is forbidden. */
    const storage = (): ShareBetweenTabsOptions['storage'] =>
      given === undefined ? globalThis.localStorage : given

    function attempt(from: 'channel' | 'storage', act: () => void): void {
      try {
        act()
      } catch (value) {
        bucket.emit('ignored', undefined, { from, value })
      }
    }

    /** Opened and closed with the page: an open channel may exclude a page from the back/forward cache. */
    function open(): void {
      attempt('channel', () => {
        channel ??= new BroadcastChannel(item)
        channel.onmessage = channel.onmessageerror = ({ data }) => {
          attempt('channel', () => receive(data as TabMessage, false))
          bucket.changed()
        }
        // Lets Node exit with an open channel.
        ;(channel as { unref?: () => void }).unref?.()
      })
    }

    function close(): void {
      beatAt = -Infinity
      post(true, 0)
      channel?.close()
      channel = undefined
    }

    function load(): void {
      const text = storage()?.getItem(item)
      if (text) receive(JSON.parse(text) as TabMessage, true)
    }

    function beat(): void {
      beatAt = bucket.now()
      settle(beatAt, 0)
      post(true)
      stopBeat?.()
      // The last call may have left since it was due.
      if (calls.size) stopBeat = clock.after(BEAT_MS, beat)
      bucket.changed()
    }

    open()
    page.addEventListener?.('pagehide', close)
    page.addEventListener?.('pageshow', open)

    return {
      admit(call) {
        if (calls.add(call).size < 2) beat()
      },
      readyAt(now, call) {
        if (now > beatAt + 2 * BEAT_MS) {
          // The page was frozen, or its channel closed: messages are missing, but the last one is stored.
          queueMicrotask(beat)
          return Infinity
        }
        // The shared window: each response lets one more request be in flight.
        const isFull = tabs.size && 2 * (bucket.inFlight() + flying.length) > sends
        // Tabs take turns: the one that sent least recently is next.
        let ahead = 0
        // The tab waits for the rate that another has learned if that is clearly lower.
        let waitMs = 0
        for (const tab of tabs.values()) {
          if (tab.calls > tab.inFlight && tab.sentAt < mine.sentAt) ahead++
          const at = Math.min(tab.pacedAt, tab.at + bucket.options.maxGateMs)
          waitMs = Math.max(waitMs, at - clock.wall() - LAG_MS)
        }
        if (isChecking || !(isFull || (ahead && (mine.readAt || mine.opensAt)))) return now + waitMs
        isChecking = true
        const ready = bucket.readyAt(call)
        isChecking = false
        // Time may have gone on since `now`.
        freeAt = ready > bucket.now() ? ready : Math.min(freeAt, now)
        return freeAt + (isFull ? SILENT_MS : Math.min(ahead * TURN_MS, BEAT_MS))
      },
      sent(call) {
        ;({ sequence } = call)
        mine.sentAt = clock.wall() + mine.id
        sends++
        freeAt = Infinity
        post()
      },
      read({ headers }) {
        const found = [...headers].filter(([field]) => /rate-?limit/.test(field))
        if (found[0]) {
          mine.fields = found
          mine.readAt = clock.wall()
        }
        return undefined
      },
      ended(_, { kind }) {
        if (/passed|failed/.test(kind)) mine.passed++
        // News if the response named a limit.
        post(mine.readAt >= mine.at)
      },
      closed(until) {
        sends = 0
        closedUntil = until
        mine.opensAt = Math.max(mine.opensAt, until - bucket.now() + clock.wall())
        post(true)
      },
      left(call) {
        // A call that came before this policy, or that an earlier one refused, was not admitted.
        calls.delete(call)
        if (!calls.size) stopBeat?.()
        post(!calls.size)
      },
      reset() {
        mine.opensAt = mine.readAt = 0
        attempt('storage', () => storage()?.removeItem(item))
        post(true)
      },
      dispose() {
        stopBeat?.()
        close()
        page.removeEventListener?.('pagehide', close)
        page.removeEventListener?.('pageshow', open)
      },
    }
  }
