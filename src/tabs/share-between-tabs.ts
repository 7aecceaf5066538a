import type { Call } from '../fetch/call.ts'
import type { Policy, PolicyHooks } from '../fetch/policy.ts'
import type { PaceSnapshot, QuotaSnapshot } from '../fetch/snapshot.ts'
import { FORMAT, isMessage, type TabMessage } from './tab-message.ts'

export interface ShareBetweenTabsOptions {
  /** Only tabs with the same name share. @default 'lull' */
  name?: string | undefined
  /** Where pauses and named limits outlive a reload; null: nowhere. @default localStorage */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null | undefined
}

/** Another tab that uses the key. */
interface Tab {
  waits: number
  seenAt: number
  /** Its requests in flight. */
  flying: Call[]
}

/** A tab with calls says so this often. */
const BEAT_MS = 1000
/** A tab that has been silent for so long is frozen or gone. */
const LAPSE_MS = 3000
/** Tabs with calls in the queue send in turn, each for this long. */
const TURN_MS = 12
/** Nothing is sent at the end of a turn: the next tab could not know of it. */
const LATENCY_MS = 2
/** Requests that pass after a pause until no window is shared any more. */
const RAMP = 64
/** In that window nobody waits for longer for a response to another tab. */
const SILENT_MS = 250
/** Requests of a named limit that are spared: if none is left the gate closes. */
const RESERVE = 2
/** Requests that go out at once where a named rate has not been used. */
const SLACK = 2
/** The longest that requests of others delay ours at a named rate. */
const MOST_DEBT_MS = 5000
const MOST_TABS = 32
/** Sums of instants are not exact. */
const ROUNDING_MS = 1

type Page = Partial<Pick<typeof globalThis, 'addEventListener' | 'removeEventListener'>>

/**
 * A policy by which the tabs of an origin share what a server has said. A closed gate closes in all of them and outlives a
 * reload, as does a named limit; their requests go out in turn, at the pace of one tab. It comes last among the policies.
 *
 * What another tab says can only delay, and its gate by `maxGateMs` at most; what is not in the format goes into the event
 * `ignored`. Where BroadcastChannel or storage is missing or throws, each tab works by itself.
 */
export const shareBetweenTabs =
  ({ name = 'lull', storage: given }: ShareBetweenTabsOptions = {}): Policy =>
  (bucket) => {
    const { clock, others } = bucket
    const item = `${name}:${FORMAT}:${bucket.key}`
    const id = Math.random().toString(36)
    const page: Page = globalThis
    const tabs = new Map<string, Tab>()
    let channel: BroadcastChannel | undefined
    let stopBeat: (() => void) | undefined
    let beatAt = -Infinity
    let storedAt = -Infinity
    /** Calls that have come and are not over. */
    let calls = 0

    // What holds for all tabs
    let opensAt = -Infinity
    let left = 0
    let leftUntil = -Infinity
    /** When the next request is due at the rate that the server names; 0 if it does not. */
    let nextAt = -Infinity
    let intervalMs = 0
    /** Of the last request; those of others are numbered in between. */
    let sequence = 0
    let closedAt = -Infinity
    /** Requests that passed since then. */
    let passes = 0
    let heardAt = -Infinity
    /** Until then it waits for the first response to a tab that has begun before. */
    let joinsAt = -Infinity

    // Since the last message
    let sent = 0
    let passed = 0
    let isRefused = false
    let isNews = false
    let isNoted = false
    let said = ''

    const toWall = (at: number): number => Math.max(at - bucket.now() + clock.wall(), 0)
    /** Bounded as what a header says. */
    const toOwn = (wall: number, mostMs: number): number => bucket.now() + Math.min(wall - clock.wall(), mostMs)

    /** Reading the global throws where storage is forbidden. */
    const storage = (): ShareBetweenTabsOptions['storage'] =>
      given === undefined ? globalThis.localStorage : given

    function attempt(from: 'channel' | 'storage', act: () => void): void {
      try {
        act()
      } catch (error) {
        ignore(from, error)
      }
    }

    function ignore(from: 'channel' | 'storage', value: unknown): void {
      bucket.options.onEvent?.({ type: 'ignored', key: bucket.key, at: clock.now(), from, value })
    }

    /** What the policies of this tab show under that name. */
    const shown = (name: 'pace' | 'quota'): readonly unknown[] =>
      bucket
        .policies()
        .flatMap(({ snapshot }) => (snapshot?.() as Record<string, unknown> | undefined)?.[name] ?? [])

    // ── What this tab says ──

    /** Says once what happens in this task. */
    function note(): void {
      if (isNoted) return
      isNoted = true
      queueMicrotask(() => {
        isNoted = false
        say()
      })
    }

    function say(isBeat = false, isHere = true): void {
      const now = bucket.now()
      const inFlight = bucket.inFlight() - others.inFlight
      const waits = +(calls > inFlight)
      const state = `${waits} ${inFlight}`
      if (isHere && !isNews && sent === 0 && state === said && !(isBeat && waits)) return
      said = state
      const message: TabMessage = [
        id,
        isHere ? clock.wall() : 0,
        waits,
        inFlight,
        sent,
        passed,
        +isRefused,
        toWall(opensAt),
        Math.max(left, 0),
        toWall(leftUntil),
        toWall(nextAt),
        intervalMs,
      ]
      if (isNews || !isHere || now - storedAt >= BEAT_MS) {
        storedAt = now
        attempt('storage', () => {
          if (isHere || opensAt > now || leftUntil > now) storage()?.setItem(item, JSON.stringify(message))
          else storage()?.removeItem(item)
        })
      }
      sent = passed = 0
      isRefused = isNews = false
      attempt('channel', () => channel?.postMessage(message))
    }

    // ── What others say ──

    function hear(message: unknown, from: 'channel' | 'storage'): void {
      if (!isMessage(message)) return ignore(from, message)
      const [by, at, waits, inFlight, sending, passing, refused, until, rest, restUntil, next, interval] = message
      if (by === id) return
      const now = bucket.now()
      const { maxGateMs } = bucket.options
      const isStored = from === 'storage'
      // Of a tab that is heard, what is stored is older.
      if (Math.abs(clock.wall() - at) >= LAPSE_MS) tabs.delete(by)
      else if (!isStored || !tabs.has(by)) {
        if (!tabs.has(by)) {
          // It does not know of this tab yet.
          isNews = true
          note()
        }
        heardAt = now
        if (passing > 0 || refused) joinsAt = now
        if (isStored && passes === 0) joinsAt = toOwn(at + SILENT_MS, SILENT_MS)
        const flying = tabs.get(by)?.flying ?? []
        tabs.set(by, { waits, seenAt: now, flying })
        if (tabs.size > MOST_TABS) tabs.delete(tabs.keys().next().value!)
        for (let count = 0; count < sending; count++) {
          take(now)
          // No more of a call than these policies look at.
          const call = { sequence: (sequence += 2 ** -20), sentAt: now < opensAt ? closedAt : now } as Call
          flying.push(call)
          if (now >= opensAt) each('sent', call, now)
        }
        if (refused && flying[0]) each('closed', opensAt, flying[0])
        for (const call of flying.splice(0, passing)) {
          passes++
          each('ended', call, { kind: 'failed' }, now)
        }
        flying.splice(0, flying.length - inFlight)
        if (interval > 0) {
          intervalMs = Math.min(interval, MOST_DEBT_MS)
          nextAt = toOwn(next, MOST_DEBT_MS)
        }
      }
      if (restUntil > clock.wall()) {
        left = isStored && leftUntil > now ? Math.min(left, rest) : rest
        leftUntil = toOwn(restUntil, maxGateMs)
      }
      recount()
      // What is stored is all that this tab knows: nobody waits for long for what is used up.
      const opens = toOwn(Math.max(until, isStored && rest < 1 ? restUntil : 0), maxGateMs)
      if (opens > now && opens > opensAt + ROUNDING_MS) {
        opensAt = opens
        bucket.close(opens - now, 'shared')
      }
      bucket.changed()
    }

    /** Calls a hook of the policies that count requests of other tabs. */
    function each<Name extends 'sent' | 'ended' | 'closed'>(
      name: Name,
      ...args: Parameters<NonNullable<PolicyHooks[Name]>>
    ): void {
      for (const hooks of bucket.policies())
        if (hooks.countsOthers) (hooks[name] as ((...given: typeof args) => void) | undefined)?.(...args)
    }

    /** A request takes one of what is left. */
    function take(now: number): void {
      left--
      nextAt = Math.max(nextAt, now - SLACK * intervalMs) + intervalMs
    }

    function recount(): void {
      others.size = others.inFlight = 0
      for (const [other, { waits, flying, seenAt }] of tabs)
        if (bucket.now() - seenAt >= LAPSE_MS) tabs.delete(other)
        else {
          others.size += waits
          others.inFlight += flying.length
        }
    }

    // ── The platform ──

    /** An open channel may keep a page out of the back/forward cache, and a message takes it out. */
    function open(): void {
      if (typeof BroadcastChannel === 'undefined' || channel) return
      attempt('channel', () => {
        channel = new BroadcastChannel(item)
        channel.onmessage = channel.onmessageerror = ({ data }) => hear(data, 'channel')
        // Node would wait for it.
        ;(channel as { unref?: () => void }).unref?.()
      })
      if (calls > 0) beat()
    }

    function close(): void {
      say(false, false)
      channel?.close()
      channel = undefined
    }

    function beat(): void {
      beatAt = bucket.now()
      // What was said while this tab did not listen.
      attempt('storage', () => {
        const text = storage()?.getItem(item)
        if (text) hear(JSON.parse(text), 'storage')
      })
      recount()
      say(true)
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
        if (bucket.now() >= beatAt + BEAT_MS) beat()
        stopBeat ??= clock.after(BEAT_MS, beat)
        note()
      },
      readyAt(now) {
        if (now > beatAt + 2 * BEAT_MS) {
          // The page was frozen: what was said meanwhile has not come yet, but is stored.
          beatAt = now
          queueMicrotask(beat)
          return Infinity
        }
        let at = Math.max(now, opensAt, joinsAt, tabs.size > 0 ? nextAt : 0)
        if (left < 1) at = Math.max(at, leftUntil)
        const isRamp = passes < RAMP
        if (tabs.size === 0 || !(isRamp || shown('pace').length > 0)) return at
        if (isRamp && bucket.inFlight() >= 2 ** Math.floor(Math.log2(passes + 1)))
          at = Math.max(at, heardAt + SILENT_MS)
        // In turn.
        const rivals = [...tabs].filter(([, { waits }]) => waits > 0)
        const turns = rivals.length + 1
        const own = rivals.filter(([other]) => other < id).length
        const wall = toWall(at)
        const inTurn = wall % TURN_MS
        let ahead = (own - (Math.floor(wall / TURN_MS) % turns) + turns) % turns
        if (ahead === 0 && inTurn > TURN_MS - LATENCY_MS && turns > 1) ahead = turns
        return ahead > 0 ? at + ahead * TURN_MS - inTurn : at
      },
      sent(call, now) {
        ;({ sequence } = call)
        sent++
        take(now)
        note()
      },
      ended({ isBypass }, { kind }, now) {
        if (isBypass) return
        heardAt = now
        if (kind === 'passed' || kind === 'failed') {
          passes++
          passed++
        }
        // The scarcest of what the response names counts for all that was sent before it.
        const [quota] = ([...shown('quota')] as QuotaSnapshot[]).sort((a, b) => a.available - b.available)
        if (quota) {
          left = quota.available
          leftUntil = quota.until + now - clock.now()
          const [pace] = shown('pace') as PaceSnapshot[]
          intervalMs = pace?.from === 'fields' ? 1000 / pace.ratePerSecond : 0
          nextAt = now + (RESERVE + 1 - left) * intervalMs
        }
        note()
      },
      closed(until, call) {
        closedAt = bucket.now()
        passes = 0
        if (call) isRefused = isNews = true
        if (until > opensAt + ROUNDING_MS) {
          opensAt = until
          isNews = true
        }
        note()
      },
      left() {
        if (--calls === 0) {
          stopBeat?.()
          stopBeat = undefined
        }
        note()
      },
      reset() {
        opensAt = leftUntil = nextAt = -Infinity
        attempt('storage', () => storage()?.removeItem(item))
      },
      dispose() {
        stopBeat?.()
        close()
        page.removeEventListener?.('pagehide', close)
        page.removeEventListener?.('pageshow', open)
      },
    }
  }
