import type { Call, Outcome } from '../fetch/kernel/call.ts'
import type { Policy, PolicyHooks } from '../fetch/policy.ts'
import type { PaceSnapshot } from '../fetch/snapshot.ts'
import { FORMAT, isMessage, type TabMessage } from './tab-message.ts'

export interface ShareBetweenTabsOptions {
  /** Only tabs with the same name share. @default 'lull' */
  name?: string | undefined
  /** Keeps pauses and named limits over a reload; null: nothing does. @default localStorage */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null | undefined
}

/** Another tab that uses the key. */
interface Tab {
  isWaiting: boolean
  /** As in its messages. */
  sentAt: number
  heardAt: number
  rate: number
  /** Its requests in flight. */
  readonly flying: Call[]
}

/** The interval of the messages of a tab with calls. */
const BEAT_MS = 1000
/** After so long a silent tab is forgotten, and a request of another tab no longer counts as in flight. */
const LAPSE_MS = 3000
/** A tab that does not take its turn is skipped after this. */
const TURN_MS = 25
/** The shared window after a pause ends when so many requests have passed. */
const RAMP = 64
/** In that window a tab waits no longer for the responses of other tabs. */
const SILENT_MS = 250
const MOST_TABS = 32
/** Sums of instants are not exact. */
const ROUNDING_MS = 1

type Page = Partial<Pick<typeof globalThis, 'addEventListener' | 'removeEventListener' | 'reportError'>>

/**
 * A policy by which the tabs of an origin share what a server has said. A pause closes the gate in all tabs and outlives a
 * reload, as does a named limit. Each tab counts the requests of the others as its own, and they send in turn, so that together
 * they keep to the pace of one tab. It must be the last of the policies.
 *
 * A message of another tab closes a gate for `maxGateMs` at most, and never opens one; a malformed one is reported by the event
 * `ignored`. Where BroadcastChannel or storage is missing or throws, each tab works by itself.
 */
export const shareBetweenTabs =
  ({ name = 'lull', storage: given }: ShareBetweenTabsOptions = {}): Policy =>
  (bucket): PolicyHooks => {
    const { clock } = bucket
    const id = Math.random()
    const item = `${name}:${FORMAT}:${bucket.key}`
    const page: Page = globalThis
    const tabs = new Map<number, Tab>()
    let channel: BroadcastChannel | undefined
    let stopBeat: (() => void) | undefined
    let beatAt = -Infinity
    /** Calls of this tab that have not settled. */
    let calls = 0
    /** The number of the last request. Those of other tabs get numbers in between. */
    let sequence = 0
    /** When the gate of all tabs opens. */
    let opensAt = -Infinity
    /** Requests of all tabs that have passed since it closed. */
    let passes = 0
    /** The newest fields that name a limit, and when they came, in ms since 1970. */
    let fields: TabMessage[10] = []
    let readAt = 0
    let sentAt = id
    /** When the last message or response came. */
    let newsAt = -Infinity
    /** The instant from which a request could be sent if no other tab were there. */
    let freeAt = Infinity
    /** When a request was sent last, by any tab. */
    let lastAt = -Infinity
    let isAsking = false
    // Since the last message
    let passed = 0
    let isRefused = false
    let isNews = false
    let isNoted = false

    // ── Messages of this tab ──

    /** Sends one message for all that happens in this task. */
    function note(): void {
      if (isNoted) return
      isNoted = true
      queueMicrotask(() => {
        isNoted = false
        say()
      })
    }

    function say(isHere = true): void {
      const now = bucket.now()
      const wall = clock.wall()
      const message: TabMessage = [
        id,
        wall,
        isHere ? calls : 0,
        isHere ? bucket.inFlight() : 0,
        passed,
        +isRefused,
        ownRate(),
        sentAt,
        Math.max(opensAt - now + wall, 0),
        readAt,
        fields,
      ]
      if (isNews || !isHere)
        attempt('storage', () => {
          if (isHere || opensAt > now || readAt) storage()?.setItem(item, JSON.stringify(message))
          else storage()?.removeItem(item)
        })
      passed = 0
      isRefused = isNews = false
      attempt('channel', () => channel?.postMessage(message))
    }

    // ── Messages of other tabs ──

    function hear(message: unknown, isStored: boolean): void {
      if (!isMessage(message)) throw message
      const [by, at, itsCalls, flies, passing, refused, itsRate, itsSentAt, opens, readOn, read] = message
      if (by === id) return
      const now = bucket.now()
      const wall = clock.wall()
      const until = now + Math.min(opens - wall, bucket.options.maxGateMs)
      const response = readOn > readAt && new Response(null, { headers: read })
      let tab = tabs.get(by)
      // The stored message of a tab that sends messages is older than those.
      if (!(isStored && (tab || !itsCalls)) && Math.abs(wall - at) < LAPSE_MS) {
        newsAt = now + at - wall
        if (!tab) {
          tab = { flying: [] as Call[] } as Tab
          // It does not know this tab yet.
          note()
        }
        Object.assign(tab, { isWaiting: itsCalls > flies, sentAt: itsSentAt, heardAt: now, rate: itsRate })
        if (tabs.size < MOST_TABS) tabs.set(by, tab)
        const { flying } = tab
        // What it stored has been counted, or nobody was there. One request is in flight, as long as it does not say otherwise.
        if (isStored) flying.push(begin(now))
        else {
          while (flying.length < flies + passing) flying.push(begin(now))
          if (refused) each('closed', until, flying[0] ?? begin(now))
          passes += passing
          end(flying.splice(0, passing), 'passed')
          end(flying.splice(0, flying.length - flies), 'aborted')
        }
      }
      if (response) {
        readAt = readOn
        fields = read
        const age = Math.max(wall - readOn, 0)
        each('read', response, wall - age)
        // As that of a refused request: it counts as none, and the gate is closed below.
        end([begin(now)], 'throttled', response, now - age)
      }
      if (until > now && until > opensAt + ROUNDING_MS) bucket.close(until - now, 'shared')
      bucket.changed()
    }

    function begin(now: number): Call {
      // Only the members that policies with `countsOthers` read.
      const call = { sequence: (sequence += 2 ** -20), sentAt: now } as Call
      freeAt = Infinity
      lastAt = now
      // A closed gate: it was sent before that tab knew.
      if (now >= opensAt) each('sent', call, now)
      return call
    }

    function end(ended: Call[], kind: Outcome['kind'], response?: Response, now = bucket.now()): void {
      for (const call of ended) each('ended', call, { kind, response }, now)
    }

    /** Calls a hook of the policies that count others. */
    function each<Name extends 'sent' | 'read' | 'ended' | 'closed'>(
      hook: Name,
      ...args: Parameters<NonNullable<PolicyHooks[Name]>>
    ): void {
      for (const hooks of bucket.policies())
        if (hooks.countsOthers) (hooks[hook] as ((...given: typeof args) => void) | undefined)?.(...args)
    }

    // ── The platform ──

    /** Reading the global throws where storage is forbidden. */
    const storage = (): ShareBetweenTabsOptions['storage'] =>
      given === undefined ? globalThis.localStorage : given

    function attempt(from: 'channel' | 'storage', act: () => void): void {
      try {
        act()
      } catch (value) {
        try {
          bucket.options.onEvent?.({ type: 'ignored', key: bucket.key, at: clock.now(), from, value })
        } catch (error) {
          ;(page.reportError ?? console.error)(error)
        }
      }
    }

    /** Opened and closed with the page: an open channel may exclude a page from the back/forward cache. */
    function open(): void {
      if (channel) return
      attempt('channel', () => {
        channel = new BroadcastChannel(item)
        channel.onmessage = channel.onmessageerror = ({ data }) => attempt('channel', () => hear(data, false))
        // An open channel would keep Node running.
        ;(channel as { unref?: () => void }).unref?.()
      })
    }

    function close(): void {
      say(false)
      channel?.close()
      channel = undefined
    }

    function beat(): void {
      beatAt = bucket.now()
      for (const [other, { heardAt, flying }] of tabs) {
        if (beatAt - heardAt >= LAPSE_MS) tabs.delete(other)
        // A frozen tab does not report its responses, though it may report them as in flight.
        for (const call of flying)
          if (beatAt - call.sentAt >= LAPSE_MS) {
            end([call], 'aborted')
            call.sentAt = Infinity
          }
      }
      attempt('storage', () => {
        const text = storage()?.getItem(item)
        if (text) hear(JSON.parse(text), true)
      })
      isNews = true
      say()
      stopBeat?.()
      stopBeat = calls > 0 ? clock.after(BEAT_MS, beat) : undefined
      bucket.changed()
    }

    open()
    page.addEventListener?.('pagehide', close)
    page.addEventListener?.('pageshow', open)

    return {
      admit() {
        calls++
        if (stopBeat) note()
        else beat()
      },
      readyAt(now, call) {
        if (now > beatAt + 2 * BEAT_MS) {
          // The page was frozen: messages have not arrived yet, but the last one is stored.
          beatAt = now
          queueMicrotask(beat)
          return Infinity
        }
        let flying = bucket.inFlight()
        let ahead = 0
        const own = ownRate()
        let rate = own
        for (const tab of tabs.values()) {
          flying += tab.flying.length
          if (!own) rate = Math.max(rate, tab.rate)
          // In turn: the tab that has not sent for the longest time is next.
          if (tab.isWaiting && tab.sentAt < sentAt) ahead++
        }
        const at = own || !rate ? now : Math.max(now, lastAt + 1000 / rate)
        if (isAsking) return at
        const isRamp = passes < RAMP
        if (tabs.size > 0 && isRamp && flying >= 2 ** Math.floor(Math.log2(passes + 1)))
          return Math.max(now, newsAt + SILENT_MS)
        if (ahead === 0 || !(isRamp || rate)) return at
        isAsking = true
        const ready = bucket.readyAt(call)
        isAsking = false
        freeAt = ready > now ? ready : Math.min(freeAt, now)
        return freeAt + ahead * TURN_MS
      },
      sent(call, now) {
        ;({ sequence } = call)
        sentAt = clock.wall() + id
        freeAt = Infinity
        lastAt = now
        note()
      },
      read({ headers }) {
        const found = [...headers].filter(([field]) => /rate-?limit/.test(field))
        if (found[0]) {
          fields = found
          readAt = clock.wall()
          isNews = true
        }
        return undefined
      },
      ended({ isBypass }, { kind }, now) {
        newsAt = now
        if (!isBypass && (kind === 'passed' || kind === 'failed')) {
          passes++
          passed++
        }
        note()
      },
      closed(until, call) {
        passes = 0
        isRefused ||= !!call
        isNews = true
        opensAt = Math.max(opensAt, until)
        note()
      },
      left() {
        // Calls before `configure` gave this policy were not admitted.
        calls = Math.max(calls - 1, 0)
        if (calls === 0) {
          stopBeat?.()
          stopBeat = undefined
          isNews = true
        }
        note()
      },
      reset() {
        opensAt = -Infinity
        readAt = 0
        attempt('storage', () => storage()?.removeItem(item))
      },
      dispose() {
        stopBeat?.()
        close()
        page.removeEventListener?.('pagehide', close)
        page.removeEventListener?.('pageshow', open)
      },
    }

    /** What this tab has learnt; 0: nothing. */
    function ownRate(): number {
      for (const hooks of bucket.policies()) {
        const { pace } = (hooks.snapshot?.() ?? {}) as { pace?: PaceSnapshot }
        if (pace) return pace.ratePerSecond
      }
      return 0
    }
  }
