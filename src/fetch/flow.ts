import { tokenBucket } from '../core/rules/token-bucket.ts'
import type { Rule } from '../core/rules/rule.ts'
import { createGate, type Gate } from './gate.ts'
import { createLearntPace, type LearntPace } from './learnt-pace.ts'
import { createPace, type Pace } from './pace.ts'
import { createQuota, type Quota } from './quota.ts'
import { limitsOf, type Settings } from './settings.ts'
import type { PaceSnapshot } from './snapshot-types.ts'

/** When the requests of a bucket may go: its gate, the pace of the options, the pace that is learnt, and what the server says is left. */
export interface Flow {
  readonly gate: Gate
  readonly quota: Quota
  /** Undefined as long as nothing is learnt. */
  estimate: (now: number) => PaceSnapshot | undefined
  /** Requests that the options let go at once. */
  tokens: (now: number) => number
  /** Whether nothing of the options' limits is used. */
  isRested: (now: number) => boolean
  /** The earliest instant at which the pace lets the next request go. */
  readyAt: (now: number) => number
  sent: (now: number) => void
  passed: (sentAt: number) => void
  /** A new throttle event: the request sent at `sentAt` was refused, and the gate opens at `opensAt`. */
  refused: (sentAt: number, opensAt: number) => void
  /** The server says what a request costs. R28 */
  costs: (cost: number) => void
  reset: (now: number, last: number) => void
  /** The settings may have changed. */
  update: (now: number) => void
}

export function createFlow(settings: () => Settings, startAt: number): Flow {
  const isLearning = (): boolean => settings().pace === 'learn'
  let own: Pace | undefined
  const gate = createGate(
    () => settings().resume,
    () => isLearning() && isUnlimited(settings()),
  )
  let rule: Rule | undefined
  let learnt: LearntPace
  let quota: Quota
  let cost: number

  /** Without a limit there is nothing to keep. */
  function update(now: number): void {
    const { ratePerSecond, burst } = limitsOf(settings())
    if (rule && rule === settings().rule) return
    if (!settings().rule && rule?.ratePerSecond === ratePerSecond && rule.burst === burst) return
    const isLimited = ratePerSecond < Infinity || settings().rule
    rule = isLimited ? (settings().rule ?? tokenBucket({ ratePerSecond, burst })) : undefined
    if (!rule) own = undefined
    else if (own) own.change(rule, now)
    else own = createPace(rule, now)
  }

  function reset(now: number, last: number): void {
    gate.reset(last)
    learnt = createLearntPace()
    quota = createQuota(isLearning)
    cost = 1
    own = rule = undefined
    update(now)
  }
  reset(startAt, 0)

  return {
    gate,
    get quota() {
      return quota
    },
    estimate(now) {
      if (!isLearning()) return undefined
      const told = quota.estimate(now)
      const estimate = told ?? learnt.estimate
      return estimate && { from: told ? 'fields' : 'refusals', ...estimate }
    },
    tokens: (now) => Math.max(own ? own.level(now) : Infinity, 0),
    isRested: (now) => !own || own.level(now) >= limitsOf(settings()).burst,
    readyAt(now) {
      const learntAt = isLearning() ? learnt.readyAt(now) : now
      return Math.max(own ? own.readyAt(now) : now, learntAt, quota.readyAt(now))
    },
    sent(now) {
      own?.take(now, cost)
      quota.sent(now)
      learnt.sent(now)
    },
    passed: (sentAt) => learnt.passed(sentAt),
    refused: (sentAt, opensAt) => learnt.refused(sentAt, opensAt),
    costs(named) {
      if (settings().adaptiveCost) cost = named
    },
    reset,
    update,
  }
}

/** Whether nobody has said what the server bears. */
const isUnlimited = ({ rule, ratePerSecond, concurrency }: Settings): boolean =>
  !rule && ratePerSecond === Infinity && concurrency === Infinity
