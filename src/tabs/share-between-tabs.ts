import { safely } from '../core/shared/report.ts'
import type { Call } from '../fetch/kernel/call.ts'
import type { BucketContext, Policy, PolicyHooks } from '../fetch/policy.ts'
import type { PaceSnapshot, QuotaSnapshot } from '../fetch/snapshot.ts'
import { FORMAT, isMessage, type TabMessage } from './tab-message.ts'

export interface ShareBetweenTabsOptions {
  /** Only tabs with the same name share. @default 'lull' */
  name?: string | undefined
  /** Keeps pauses and named limits over a reload; null: nothing does. @default localStorage */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null | undefined
}

/** Another tab that uses the key. */
interface Tab {
  waits: boolean
  /** When it last sent a request, in ms since 1970. */
  sentAt: number
  seenAt: number
  ratePerSecond: number
  /** Its requests in flight. */
  readonly flying: Call[]
}

/** The interval of the messages of a tab with queued calls. */
const BEAT_MS = 1000
/** A tab that has been silent for so long is frozen or closed. */
const LAPSE_MS = 3000
/** A tab that does not take its turn is skipped after this, or after the interval of the pace if that is shorter. */
const TURN_MS = 25
/** The shared window after a pause ends when so many requests have passed. */
const RAMP = 64
/** In that window a tab waits no longer for the responses of other tabs. */
const SILENT_MS = 250
/** The longest time by which requests of other tabs delay ours at a pace. */
const MOST_DEBT_MS = 5000
/** Requests of a named limit that a pace does not use: if none is left the gate closes. */
const RESERVE = 2
/** Requests that may be sent at once when the pace was not used. */
const SLACK = 2
const MOST_TABS = 32
/** Sums of instants are not exact. */
const ROUNDING_MS = 1
/** A request of another tab without a response for so long no longer counts as in flight. */
const UNHEARD_MS = 4000

type Page = Partial<Pick<typeof globalThis, 'addEventListener' | 'removeEventListener'>>

/**
 * A policy by which the tabs of an origin share what a server has said. A pause closes the gate in all tabs and outlives a
 * reload, as does a named limit. The tabs send in turn, at the pace of one tab. It must be the last of the policies.
 *
 * A message of another tab can only delay, by a gate for `maxGateMs` at most; a malformed one is reported by the event `ignored`.
 * Where BroadcastChannel or storage is missing or throws, each tab paces by itself.
 */
export const shareBetweenTabs =
  ({ name = 'lull', storage }: ShareBetweenTabsOptions = {}): Policy =>
  (bucket) =>
    shareBucket(bucket, `${name}:${FORMAT}:${bucket.key}`, storage)

function shareBucket(
  bucket: BucketContext,
  item: string,
  given: ShareBetweenTabsOptions['storage'],
): PolicyHooks {
  const { clock, others } = bucket
  const id = Math.random().toString(36)
  const tabs = new Map<string, Tab>()
  const page: Page = globalThis
  let channel: BroadcastChannel | undefined
  let stopBeat: (() => void) | undefined
  let beatAt = -Infinity
  let storedAt = -Infinity
  /** Calls that have not settled. */
  let calls = 0

  // The state of all tabs
  let opensAt = -Infinity
  let left = 0
  let leftUntil = -Infinity
  let nextAt = -Infinity

  // Since the gate closed last
  let closedAt = -Infinity
  let passes = 0

  /** In ms since 1970. */
  let sentAt = 0
  let heardAt = -Infinity
  /** Until then a new tab waits for the first response to an older one. */
  let joinsAt = -Infinity
  /** The instant from which a request could be sent if no other tab were there. */
  let freeAt = Infinity
  /** The number of the last request; those of other tabs get numbers in between. */
  let sequence = 0
  let isAsking = false

  // Since the last message
  let passed = 0
  let gone = 0
  let isRefused = false
  let isNews = false
  let didWait = false
  let inFlightThen = 0
  let isNoted = false

  const toWall = (at: number): number => Math.max(at - bucket.now() + clock.wall(), 0)
  /** Bounded as the wait of a header is. */
  const toOwn = (wall: number, mostMs: number): number => bucket.now() + Math.min(wall - clock.wall(), mostMs)

  /** This member of the snapshots of this tab's policies. */
  const shown = (name: 'pace' | 'quota'): readonly never[] =>
    bucket
      .policies()
      .flatMap(
        ({ snapshot }) => ((snapshot?.() as Record<string, unknown> | undefined)?.[name] ?? []) as never[],
      )

  const ownPace = (): PaceSnapshot | undefined => slowest<PaceSnapshot>(shown('pace'))
  const present = (): Tab[] => [...tabs.values()].filter(({ seenAt }) => bucket.now() - seenAt < LAPSE_MS)
  const othersPace = (): Tab | undefined => slowest(present().filter((tab) => tab.ratePerSecond > 0))
  const isWaiting = (): boolean => bucket.size() > others.size

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

  function say(isBeat = false, isHere = true): void {
    const now = bucket.now()
    const waits = isHere && isWaiting()
    const inFlight = isHere ? bucket.inFlight() - others.inFlight : 0
    const hasChanged = waits !== didWait || inFlight !== inFlightThen || passed + gone > 0
    if (isHere && !isNews && !hasChanged && !(isBeat && waits)) return
    const message: TabMessage = [
      id,
      isHere ? clock.wall() : 0,
      +waits,
      sentAt,
      inFlight,
      passed,
      gone,
      +isRefused,
      ownPace()?.ratePerSecond ?? 0,
      toWall(nextAt),
      toWall(opensAt),
      Math.max(left, 0),
      toWall(leftUntil),
    ]
    if (isNews || !isHere || now - storedAt >= BEAT_MS) {
      storedAt = now
      const isKept = isHere || opensAt > now || leftUntil > now
      attempt('storage', () => {
        if (isKept) storage()?.setItem(item, JSON.stringify(message))
        else storage()?.removeItem(item)
      })
    }
    passed = gone = 0
    isRefused = isNews = false
    didWait = waits
    inFlightThen = inFlight
    attempt('channel', () => channel?.postMessage(message))
  }

  // ── Messages of other tabs ──

  /** Reads the message that was stored while this tab did not listen. */
  function recall(): void {
    attempt('storage', () => {
      const text = storage()?.getItem(item)
      if (text) hear(JSON.parse(text), 'storage')
    })
  }

  function hear(message: unknown, from: 'channel' | 'storage'): void {
    if (!isMessage(message)) return ignore(from, message)
    const [
      by,
      at,
      waits,
      sent,
      inFlight,
      passing,
      going,
      refused,
      ratePerSecond,
      next,
      until,
      rest,
      restUntil,
    ] = message
    if (by === id) return
    const now = bucket.now()
    const { maxGateMs } = bucket.options
    const isStored = from === 'storage'
    // The stored message of a tab that sends messages is older than those.
    if (Math.abs(clock.wall() - at) >= LAPSE_MS) tabs.delete(by)
    else if (!isStored || !tabs.has(by)) {
      heardAt = now
      if (!tabs.has(by)) {
        // It does not know this tab yet.
        isNews = true
        note()
      }
      const tab: Tab = Object.assign(tabs.get(by) ?? { flying: [] as Call[] }, {
        waits: waits > 0,
        sentAt: sent,
        seenAt: now,
        ratePerSecond,
      })
      tabs.set(by, tab)
      if (tabs.size > MOST_TABS) tabs.delete(tabs.keys().next().value!)
      const { flying } = tab
      while (flying.length < inFlight + passing + going) flying.push(count(now))
      if (refused) each('closed', opensAt, flying[0] ?? count(now))
      for (const call of flying.splice(0, passing)) {
        passes++
        each('ended', call, { kind: 'passed' }, now)
      }
      flying.splice(0, flying.length - inFlight)
      if (passing + going > 0) joinsAt = now
      if (isStored && passes === 0) joinsAt = toOwn(at + SILENT_MS, SILENT_MS)
      if (inFlight + passing + going > 0) nextAt = toOwn(next, MOST_DEBT_MS)
    }
    if (restUntil > clock.wall()) {
      left = isStored && leftUntil > now ? Math.min(left, rest) : rest
      leftUntil = toOwn(restUntil, maxGateMs)
    }
    recount()
    // A new tab knows only what is stored: a limit that is used up closes its gate.
    const opens = toOwn(Math.max(until, isStored && rest < 1 ? restUntil : 0), maxGateMs)
    if (opens > now && opens > opensAt + ROUNDING_MS) {
      opensAt = opens
      bucket.close(opens - now, 'shared')
    }
    bucket.changed()
  }

  /** Counts a request of another tab. */
  function count(now: number): Call {
    // Sent before that tab knew of the closed gate.
    const isLate = now < opensAt
    // Only the members that policies with `countsOthers` read.
    const call = { sequence: (sequence += 2 ** -20), sentAt: isLate ? closedAt : now } as Call
    if (!isLate) each('sent', call, now)
    take()
    return call
  }

  /** Calls a hook of the policies that count others. */
  function each<Name extends 'sent' | 'ended' | 'closed'>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ): void {
    for (const hooks of bucket.policies())
      if (hooks.countsOthers) (hooks[name] as ((...given: typeof args) => void) | undefined)?.(...args)
  }

  function recount(): void {
    others.size = others.inFlight = 0
    for (const { waits, flying } of present()) {
      others.size += +waits
      // A frozen tab does not report its responses.
      others.inFlight += flying.filter(({ sentAt }) => bucket.now() - sentAt < UNHEARD_MS).length
    }
  }

  /** A request uses one of what is left, and ends a turn. */
  function take(): void {
    left--
    freeAt = Infinity
  }

  // ── The platform ──

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
    safely(() => bucket.options.onEvent?.({ type: 'ignored', key: bucket.key, at: clock.now(), from, value }))
  }

  /** Opened and closed with the page: an open channel may exclude a page from the back/forward cache. */
  function open(): void {
    if (typeof BroadcastChannel === 'undefined' || channel) return
    attempt('channel', () => {
      channel = new BroadcastChannel(item)
      channel.onmessage = channel.onmessageerror = ({ data }) => hear(data, 'channel')
      // An open channel would keep Node running.
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
    const there = present()
    for (const [other, tab] of tabs) if (!there.includes(tab)) tabs.delete(other)
    recall()
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
    readyAt(now, call) {
      if (isAsking) return now
      if (now > beatAt + 2 * BEAT_MS) {
        // The page was frozen: messages have not arrived yet, but the last one is stored.
        beatAt = now
        queueMicrotask(beat)
        return Infinity
      }
      let at = Math.max(now, opensAt, joinsAt)
      if (left < 1) at = Math.max(at, leftUntil)
      if (tabs.size === 0) return at
      const own = ownPace()
      const pace = own ?? othersPace()
      // A pace that this tab learns may try a higher rate than it shows.
      if (pace && own?.from !== 'refusals') at = Math.max(at, nextAt)
      const isRamp = passes < RAMP
      if (isRamp && bucket.inFlight() >= 2 ** Math.floor(Math.log2(passes + 1)))
        at = Math.max(at, heardAt + SILENT_MS)
      if (!pace && !isRamp) return at
      // In turn: the tab that has not sent for the longest time is next.
      let ahead = 0
      for (const [other, tab] of tabs)
        if (tab.waits && (tab.sentAt < sentAt || (tab.sentAt === sentAt && other < id))) ahead++
      if (ahead === 0) return at
      isAsking = true
      const ready = Math.max(bucket.readyAt(call), at)
      isAsking = false
      freeAt = ready > now ? ready : Math.min(freeAt, now)
      return freeAt + ahead * Math.min(TURN_MS, 1000 / (pace?.ratePerSecond ?? 1))
    },
    sent(call, now) {
      ;({ sequence } = call)
      sentAt = clock.wall()
      const pace = ownPace() ?? othersPace()
      const intervalMs = pace ? 1000 / pace.ratePerSecond : 0
      nextAt = Math.max(nextAt, now - SLACK * intervalMs) + intervalMs
      take()
      note()
    },
    ended({ isBypass }, { kind }, now) {
      if (isBypass) return
      heardAt = now
      if (kind === 'passed' || kind === 'failed') {
        passes++
        passed++
      } else gone++
      // The scarcest limit in the response includes all that was sent before it.
      const [quota] = [...(shown('quota') as readonly QuotaSnapshot[])].sort(
        (a, b) => a.available - b.available,
      )
      if (quota) {
        left = quota.available
        leftUntil = quota.until + now - clock.now()
        const pace = ownPace()
        if (pace?.from === 'fields') nextAt = now + ((RESERVE + 1 - left) * 1000) / pace.ratePerSecond
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

type Rate = { readonly ratePerSecond: number }

const slowest = <Shape extends Rate>(rates: readonly Shape[]): Shape | undefined =>
  [...rates].sort((a, b) => a.ratePerSecond - b.ratePerSecond)[0]
