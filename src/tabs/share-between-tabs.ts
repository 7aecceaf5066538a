import { report } from '../core/shared/report.ts'
import type { Call, Outcome } from '../fetch/call.ts'
import type { BucketContext, Policy, PolicyHooks } from '../fetch/policy.ts'
import type { BucketSnapshot, PaceSnapshot } from '../fetch/snapshot.ts'
import { createTabChannel, type Member, type TabChannel } from './tab-channel.ts'
import type { Entry, Held, TabMessage } from './tab-message.ts'
import { updateEntry, type TabStorage } from './tab-storage.ts'

export interface ShareBetweenTabsOptions {
  /** Only those of the same name share. @default 'lull' */
  name?: string | undefined
  /** Where pauses and named limits survive a reload; null: nowhere. @default localStorage */
  storage?: TabStorage | null | undefined
}

/** Another tab that uses the key. */
interface Tab {
  waits: boolean
  seenAt: number
  sentAt: number
  ratePerSecond: number
  /** Stand for its requests in flight. */
  readonly flying: Call[]
}

type Rate = { readonly ratePerSecond: number; readonly from?: PaceSnapshot['from'] }

/** A tab that waits says so this often. */
const BEAT_MS = 1000
/** One that is silent for so long, as it is frozen or gone, no longer counts. */
const LAPSE_MS = 3000
/** A tab that does not take its turn is passed over after this, or after the time of one request at the rate if that is less. */
const TURN_MS = 25
/** More requests of others are not counted than delay the next of ours by this. */
const MOST_DEBT_MS = 5000
/** Sums of instants are not exact. */
const ROUNDING_MS = 1
/** Requests that are not used up. */
const RESERVE = 2
/** More tabs are not counted. */
const MOST_TABS = 32
/** A tab that begins, or a pause that is over: until so many requests have passed, one more may be in flight than have. */
const RAMP = 64
/** But nobody waits for longer than that for a response to another tab. */
const SILENT_MS = 250

/**
 * A policy by which the tabs of an origin share what a server has said: a closed gate closes in all of them and outlives a
 * reload; a limit that the server has named holds for all together; and their requests go out in turn, at the pace at which
 * one tab would send. It comes last among the policies.
 *
 * What another tab says can only delay, by `maxGateMs` at most; what is none of the format goes into the event `ignored`.
 * Where BroadcastChannel or storage is missing or throws, each tab paces by itself.
 */
export function shareBetweenTabs({ name = 'lull', storage }: ShareBetweenTabsOptions = {}): Policy {
  const channel = createTabChannel(name)
  return (bucket) => shareBucket(bucket, channel, { name, storage })
}

function shareBucket(
  bucket: BucketContext,
  channel: TabChannel,
  place: { name: string; storage: TabStorage | null | undefined },
): PolicyHooks {
  const { key, clock } = bucket
  const id = Math.random().toString(36)
  const tabs = new Map<string, Tab>()
  /** The instant at which the gate opens, and until when so many requests are left of a limit that the server has named. */
  let opensAt = -Infinity
  const limits = new Map<string, { left: number; until: number }>()

  /** Calls that have come and are not over. */
  let calls = 0
  /** Requests that have passed since the last pause, of all tabs. */
  let passes = 0
  let heardAt = -Infinity
  let closedAt = -Infinity
  /** It has joined others of whose requests none has ended yet. */
  let joinsAt = -Infinity
  /** When it last sent, in ms since 1970. */
  let sentAt = 0
  /** The number of the last request; those of others are numbered in between. */
  let sequence = 0
  /** The instant of the next request at the pace of all tabs. */
  let nextAt = -Infinity
  /** The instant from which the next request could be sent if no other tab were there. */
  let freeAt = Infinity
  let isAsking = false

  /** What has happened since the last message. */
  let sent = 0
  let ended: Outcome['kind'][] = []
  let isRefused = false
  let isNews = false
  let isUnheard = false
  let didWait = false
  let isNoted = false

  let beatAt = -Infinity
  let stopBeat: (() => void) | undefined

  // What this tab says

  /** Says once what happens in this task. */
  function note(): void {
    if (isNoted) return
    isNoted = true
    void Promise.resolve().then(() => {
      isNoted = false
      say(isWaiting())
    })
  }

  const isWaiting = (): boolean => bucket.size() > bucket.others.size

  function say(waits: boolean, isBeat = false): void {
    if (isNews) store()
    if (isNews || isRefused || isUnheard || sent + ended.length > 0 || waits !== didWait || (isBeat && waits)) {
      const { ratePerSecond = 0 } = slowest(shown('pace')) ?? {}
      const inFlight = bucket.inFlight() - bucket.others.inFlight
      channel.post({ id, key, waits, sentAt, inFlight, ended, isRefused, ratePerSecond, nextAt: toWall(nextAt), ...held() }, member)
    }
    sent = 0
    ended = []
    isRefused = isNews = isUnheard = false
    didWait = waits
  }

  const toWall = (at: number): number => Math.max(at - bucket.now() + clock.wall(), 0)

  /** Bounded as what a header says. */
  const toOwn = (at: number, mostMs: number = bucket.options.maxGateMs): number =>
    bucket.now() + Math.min(at - clock.wall(), mostMs)

  function held(): Held {
    const now = bucket.now()
    for (const [name, { until }] of limits) if (until <= now) limits.delete(name)
    return {
      until: toWall(opensAt),
      limits: Array.from(limits, ([name, { left, until }]) => [name, Math.max(left, 0), toWall(until)]),
    }
  }

  /** Takes in what is stored, and adds what this tab knows. */
  function store(isHere = true): void {
    const wall = clock.wall()
    const ignore = (value: unknown): void => member.ignore('storage', value)
    const change = (old: Entry | undefined): Entry => {
      const seen = Object.entries(old?.seen ?? {}).filter(
        ([other, until]) => other !== id && until > wall && until <= wall + LAPSE_MS,
      )
      if (old) take(old, true)
      if (seen.length > 0 && passes === 0) joinsAt = bucket.now() + SILENT_MS
      if (isHere) seen.push([id, wall + LAPSE_MS])
      return { ...held(), seen: Object.fromEntries(seen) }
    }
    updateEntry(place, key, change, wall, ignore)
  }

  // What others say

  /** Closes the gate as another has. It only ever delays, and for no longer than a header of the server could. */
  function leave(name: string, left: number, until: number): void {
    limits.set(name, { left, until })
  }

  function take({ until, limits: named }: Held, isStored: boolean, refused?: Call): void {
    const now = bucket.now()
    let at = toOwn(until)
    for (const [name, left, end] of named) {
      leave(name, left, toOwn(end))
      if (isStored && left < 1) at = Math.max(at, toOwn(end))
    }
    if (refused) others('closed', Math.max(at, opensAt), refused)
    if (at <= now || at <= opensAt + ROUNDING_MS) return
    opensAt = at
    bucket.close(at - now, 'shared')
  }

  function hear(message: TabMessage): void {
    const now = bucket.now()
    const { waits, sentAt, ratePerSecond } = message
    heardAt = now
    if (!tabs.has(message.id)) {
      isUnheard = true
      note()
    }
    const tab = tabs.get(message.id) ?? ({ flying: [] } as unknown as Tab)
    Object.assign(tab, { sentAt, ratePerSecond, seenAt: now })
    tabs.set(message.id, tab)
    if (tabs.size > MOST_TABS) tabs.delete(tabs.keys().next().value!)

    if (message.inFlight + message.ended.length > 0) nextAt = toOwn(message.nextAt, MOST_DEBT_MS)
    for (let left = message.inFlight + message.ended.length - tab.flying.length; left > 0; left--) {
      // No more of a call than the policies that count others look at.
      const isLate = now < opensAt
      const call = { sequence: (sequence += 2 ** -20), sentAt: isLate ? closedAt : now } as Call
      if (!isLate && isInDebt(now, call)) break
      tab.flying.push(call)
      if (!isLate) others('sent', call, now)
      takeOne()
    }
    count()
    take(message, false, message.isRefused ? (tab.flying[0] ?? ({ sequence, sentAt: now } as Call)) : undefined)
    tab.waits = waits
    if (message.ended.length > 0) joinsAt = -Infinity
    for (const kind of message.ended) {
      const call = tab.flying.shift()
      if (call) {
        pass(kind)
        others('ended', call, { kind }, now)
      }
    }
    tab.flying.length = Math.min(tab.flying.length, message.inFlight)
    count()
    bucket.changed()
  }

  /** Calls a hook of the policies that count the requests of others. */
  function others<Name extends 'sent' | 'ended' | 'closed'>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ): void {
    for (const hooks of bucket.policies())
      try {
        if (hooks.countsOthers) (hooks[name] as ((...given: typeof args) => void) | undefined)?.(...args)
      } catch (error) {
        report(error)
      }
  }

  // When this tab sends

  /** Counts what others have in flight. */
  function count(): void {
    const all = [...tabs.values()].filter(isThere)
    bucket.others.inFlight = all.reduce((sum, { flying }) => sum + flying.length, 0)
    bucket.others.size = all.filter(({ waits }) => waits).length
  }

  /** What the policies of this tab show under that name. */
  const shown = <Name extends keyof BucketSnapshot>(name: Name): NonNullable<BucketSnapshot[Name]>[] =>
    bucket.policies().flatMap(({ snapshot }) => {
      const value = (snapshot?.() as Partial<BucketSnapshot> | undefined)?.[name]
      return value ? [value] : []
    })

  const isThere = ({ seenAt }: Tab): boolean => bucket.now() - seenAt < LAPSE_MS

  /** A request takes one of what is left. */
  function pass(kind: Outcome['kind']): void {
    if (kind === 'passed' || kind === 'failed') passes++
  }

  function takeOne(): void {
    for (const limit of limits.values()) limit.left--
    freeAt = Infinity
  }

  /** What others know holds the next request back until then. */
  function heldUntil(own: Rate | undefined, others: Rate | undefined): number {
    let at = Math.max(opensAt, joinsAt)
    if (tabs.size > 0 && passes < RAMP && bucket.inFlight() >= 2 ** Math.floor(Math.log2(passes + 1))) at = Math.max(at, heardAt + SILENT_MS)
    for (const { left, until } of limits.values()) if (left < 1) at = Math.max(at, until)
    // A pace that is learnt tries more than it shows.
    if (own ? own.from === 'fields' : others) at = Math.max(at, nextAt)
    return at
  }

  const ownRate = (): Rate | undefined => slowest([...shown('pace'), ...shown('limits')])
  const othersRate = (): Rate | undefined =>
    slowest([...tabs.values()].filter((tab) => tab.ratePerSecond > 0 && isThere(tab)))

  /** Whether so much is owed for requests of others that one more would hold ours back for too long. */
  function isInDebt(now: number, call: Call): boolean {
    const at = bucket.policies().map((hooks) => (hooks.countsOthers && hooks.readyAt?.(now, call)) || now)
    return Math.max(heldUntil(ownRate(), othersRate()), ...at) > now + MOST_DEBT_MS
  }

  /** Other tabs that wait as well, and whose turn comes before ours: that of who has not sent for longest comes first. */
  function ahead(): number {
    let count = 0
    for (const [other, tab] of tabs)
      if (tab.waits && isThere(tab) && (tab.sentAt < sentAt || (tab.sentAt === sentAt && other < id))) count++
    return count
  }

  function beat(): void {
    const now = bucket.now()
    beatAt = now
    for (const [other, tab] of tabs) if (!isThere(tab)) tabs.delete(other)
    count()
    store()
    say(isWaiting(), true)
    stopBeat?.()
    stopBeat = calls > 0 ? clock.after(BEAT_MS, beat) : undefined
    bucket.changed()
  }

  const member: Member = {
    key,
    hear,
    ignore(from, value) {
      try {
        bucket.options.onEvent?.({ type: 'ignored', key, at: clock.now(), from, value })
      } catch (error) {
        report(error)
      }
    },
    leave() {
      say(false)
      store(false)
    },
    comeBack() {
      if (calls > 0) beat()
    },
  }
  channel.add(member)

  return {
    admit() {
      if (++calls === 1 && bucket.now() >= beatAt + BEAT_MS) beat()
      else stopBeat ??= clock.after(BEAT_MS, beat)
      note()
    },
    readyAt(now, call) {
      if (isAsking) return now
      if (now > beatAt + 2 * BEAT_MS) {
        // The page was frozen: what has been said meanwhile has not come yet, but is stored.
        beatAt = now
        void Promise.resolve().then(beat)
        return Infinity
      }
      const own = tabs.size > 0 ? ownRate() : undefined
      const rate = own ?? othersRate()
      const at = Math.max(heldUntil(own, rate), now)
      const before = rate || passes < RAMP ? ahead() : 0
      if (before === 0) return at
      isAsking = true
      const ready = Math.max(bucket.readyAt(call), at)
      isAsking = false
      freeAt = ready > now ? ready : Math.min(freeAt, now)
      return freeAt + before * Math.min(TURN_MS, rate ? 1000 / rate.ratePerSecond : TURN_MS)
    },
    sent(call, now) {
      ;({ sequence } = call)
      sentAt = clock.wall()
      const intervalMs = 1000 / (slowest(shown('pace')) ?? othersRate() ?? { ratePerSecond: Infinity }).ratePerSecond
      nextAt = Math.max(nextAt, now - 2 * intervalMs) + intervalMs
      sent++
      takeOne()
      note()
    },
    ended({ isBypass }, { kind }) {
      if (isBypass) return
      heardAt = bucket.now()
      pass(kind)
      ended.push(kind)
      // What a response names counts for all that was sent before it.
      for (const quota of shown('quota'))
        for (const { name, available, until } of quota)
          leave(name, available, until + bucket.now() - clock.now())
      const rate = slowest(shown('pace'))
      const least = Math.min(...Array.from(limits.values(), ({ left }) => left))
      // Two are not used up: if none were left the gate would close.
      if (rate?.from === 'fields') nextAt = heardAt + ((RESERVE + 1 - least) * 1000) / rate.ratePerSecond
      note()
    },
    closed(until, call) {
      if (call) {
        isRefused = true
      }
      passes = 0
      closedAt = bucket.now()
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
      opensAt = -Infinity
      limits.clear()
      nextAt = -Infinity
      const forget = (old: Entry | undefined): Entry => ({ until: 0, limits: [], seen: old?.seen ?? {} })
      updateEntry(place, key, forget, clock.wall(), (value) => member.ignore('storage', value))
    },
    dispose() {
      stopBeat?.()
      member.leave()
      channel.remove(member)
    },
  }
}

const slowest = <Shape extends Rate>(rates: readonly Shape[]): Shape | undefined =>
  rates.reduce<Shape | undefined>((a, b) => (a && a.ratePerSecond < b.ratePerSecond ? a : b), undefined)
