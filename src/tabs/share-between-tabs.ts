import type { Call } from '../fetch/kernel/call.ts'
import type { Policy, PolicyHooks } from '../fetch/policy.ts'
import { FORMAT, isMessage, MOST, type TabMessage } from './tab-message.ts'

export interface ShareBetweenTabsOptions {
  /** Only tabs that use the same name share. @default 'lull' */
  name?: string | undefined
  /** Keeps cooldowns and limits named by the server over a reload. null: they are not kept. @default localStorage, in a page */
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
/** A tab that does not take its turn for this long is skipped. */
const TURN_MS = 40
/** Each turn that a tab misses divides its calls by this. A tab without calls gets no turn. */
const MISSED_TURN = 8
/** The longest wait for responses to requests of other tabs. */
const SILENT_MS = 250
/** Once all tabs have sent so many requests after a cooldown, the shared window ends, like that of a gate. */
const MOST_SENDS = 128
/** Tolerance for rounding of summed instants. */
const ROUNDING_MS = 1

/** A request of another tab, with the members that policies with `countsOthers` read. */
type OtherCall = Call & { tab: number }

type Page = Partial<Pick<typeof globalThis, 'addEventListener' | 'removeEventListener'>>

/**
 * A policy that shares cooldowns and a server's limits between the tabs of an origin. A cooldown holds in all tabs. Cooldowns
 * and limits named by the server survive a reload. Each tab counts the requests of the others as its own, the tabs take
 * turns, and all wait for the lowest rate that one has learned: so together they keep to the pace of one tab. It must be the last
 * of the policies.
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
    const flying = new Set<OtherCall>()
    let channel: BroadcastChannel | undefined
    let stopBeat: (() => void) | undefined
    let beatAt = -Infinity
    /** The number of the last request. Requests of other tabs get numbers in between. */
    let sequence = 0
    /** Requests that all tabs have sent since the cooldown began, doubled with each one that a full window has delayed. */
    let sends = 0
    /** When the cooldown of this tab ends, on the bucket's clock. */
    let closedUntil = Infinity
    /** When a request could be sent if there were no other tabs. */
    let freeAt = Infinity
    let isChecking: boolean | undefined
    /** Whether the shared window was full when the next call last asked. */
    let isFull: boolean | undefined
    /** When the cooldown that `reset` has forgotten would end, and when that was called, by the wall clock. */
    let forgottenAt = 0
    let resetAt = 0

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
      if (wall < mine.at) {
        resetAt = 0
        post()
      }
      // It was set back since the other tab's message.
      const ahead = Math.max(at - wall, 0)
      const opensAt = message.opensAt - ahead
      const readAt = Math.min(message.readAt, at) - ahead
      const response = readAt > mine.readAt && new Response(null, { headers: fields })
      // A tab that has sent nothing since then only repeats what was forgotten.
      const knownAt = message.sentAt < resetAt ? forgottenAt : 0
      const isLater = opensAt > Math.max(mine.opensAt, knownAt, wall) + ROUNDING_MS
      const before = tabs.get(id)
      // A response of another tab is to this request or to a later one.
      const [oldest = createCall(now)] = flying
      const isLive = LAPSE_MS > Math.abs(at - wall)
      // A tab's live messages are newer than its stored one.
      if (isLive && (!isStored || (!before && message.calls)) && MOST > Math.max(flying.size, tabs.size)) {
        // A stored message counts as one request in flight until the tab reports otherwise.
        if (isStored) message.inFlight = 1
        tabs.set(id, message)
        // During a cooldown its requests do not count: the tab sent them before it heard of the cooldown.
        for (let i = before?.inFlight ?? 0; i < message.inFlight && wall >= mine.opensAt; i++) {
          const call = createCall(now, id)
          flying.add(call)
          sends++
          freeAt = Infinity
          each('sent', call, now)
        }
        settle(now, message)
        // Introduces this tab to it, or says that by the rate of this tab the next request is later. Only after a request: many tabs
        // would reply to each other's replies.
        const isLower = pacedAt() > Math.max(message.pacedAt, wall) + ROUNDING_MS
        if (!before || (isLower && message.sentAt > before.sentAt)) post()
      }
      if (isLater) {
        if (isLive && !response) {
          each('closed', now + opensAt - wall, oldest)
          each('ended', oldest, { kind: 'throttled' }, now)
        }
        // Recorded first: the gate may close for less, and then the storage is read again.
        bucket.close((mine.opensAt = opensAt) - wall, 'shared')
      }
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

    /** Returns when the rate that this tab has learned allows the next request. Nothing is learned before the first cooldown. */
    function pacedAt(): number {
      const now = bucket.now()
      let waitMs = 0
      for (const { countsOthers, closed, readyAt } of bucket.policies())
        if (mine.opensAt && countsOthers && closed && readyAt)
          waitMs = Math.max(waitMs, readyAt(now, createCall(now)) - now)
      return clock.wall() + Math.min(waitMs, bucket.options.maxGateMs)
    }

    const createCall = (sentAt: number, tab = 0): OtherCall =>
      ({ sequence: (sequence += 2 ** -20), sentAt, tab }) as OtherCall

    /** Ends a tab's requests but the newest, as many as it reports in flight, and those of tabs that are gone. */
    function settle(now: number, { id, inFlight, passed }: TabMessage): void {
      for (const tab of tabs.values()) if (LAPSE_MS <= Math.abs(tab.at - clock.wall())) tabs.delete(tab.id)
      for (const call of [...flying].reverse())
        if ((call.tab === id && inFlight-- < 1) || now - call.sentAt >= LAPSE_MS) {
          flying.delete(call)
          each('ended', call, { kind: call.tab === id && passed-- > 0 ? 'passed' : 'aborted' }, now)
        }
    }

    /** Calls a hook of the policies with `countsOthers`. */
    function each<Name extends 'sent' | 'read' | 'ended' | 'closed'>(
      hook: Name,
      ...args: Parameters<NonNullable<PolicyHooks[Name]>>
    ): void {
      for (const hooks of bucket.policies())
        if (hooks.countsOthers) (hooks[hook] as ((...given: typeof args) => void) | undefined)?.(...args)
    }

    /** Reading the global throws where storage is forbidden. Outside of a page Node would warn that it is experimental. */
    const storage = (): ShareBetweenTabsOptions['storage'] =>
      given === undefined && (globalThis as Partial<typeof globalThis>).document ? localStorage : given

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
      settle(beatAt, mine)
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
          void Promise.resolve().then(beat)
          return Infinity
        }
        // The shared window: each response lets one more request be in flight. While none comes, it doubles with each request.
        isFull = tabs.size > 0 && sends < MOST_SENDS && 2 * (bucket.inFlight() + flying.size) > sends
        // Tabs take turns: the one that sent least recently is next.
        let ahead = 0
        // The lowest rate that a tab has learned is that of all tabs.
        let waitMs = 0
        for (const tab of tabs.values()) {
          if (tab.calls > tab.inFlight && tab.sentAt < mine.sentAt) ahead++
          waitMs = Math.max(waitMs, Math.min(tab.pacedAt, tab.at + bucket.options.maxGateMs) - clock.wall())
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
        // A tab that misses turns is not waited for until its next message.
        for (const tab of tabs.values())
          if (tab.sentAt < mine.sentAt) tab.calls = Math.floor(tab.calls / MISSED_TURN)
        mine.sentAt = clock.wall() + mine.id
        if (isFull) sends *= 2
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
        post()
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
        forgottenAt = Math.max(forgottenAt, mine.opensAt)
        resetAt = clock.wall()
        mine.opensAt = mine.readAt = 0
        attempt('storage', () => storage()?.removeItem(item))
        post()
      },
      dispose() {
        stopBeat?.()
        close()
        page.removeEventListener?.('pagehide', close)
        page.removeEventListener?.('pageshow', open)
      },
    }
  }
