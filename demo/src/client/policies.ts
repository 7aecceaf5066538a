import { createCircuitBreaker, type Rule } from 'lull/core'
import {
  circuitBreaker,
  learnPace,
  legacyRateLimitFields,
  limitRate,
  priorities,
  rateLimitFields,
  type Policy,
} from 'lull/fetch'
import { shareBetweenTabs } from 'lull/tabs'
import type { Group } from '../settings/schema.ts'

export type PolicyName = keyof Group<'policies'>

export const policyWords: Record<PolicyName, string> = {
  learn: 'Learn the limit from refusals',
  fields: 'Read RateLimit headers',
  legacy: 'Read X-RateLimit headers',
  breaker: 'Stop calling a server that is down',
  priorities: 'Send searches first',
  tabs: 'Share pauses between tabs',
}

/** Returns a function that selects policies by switch. Each policy is created once and keeps its state. */
export function createPolicies(limit: () => Rule | undefined): (on: Group<'policies'>) => Policy[] {
  const made: Record<PolicyName, Policy> = {
    learn: learnPace(),
    fields: rateLimitFields(),
    legacy: legacyRateLimitFields(),
    breaker: circuitBreaker(createCircuitBreaker()),
    priorities: priorities(),
    tabs: shareBetweenTabs(),
  }
  const own = limitRate(limit)
  const names = Object.keys(made) as PolicyName[]
  return (on) => [own, ...names.filter((name) => on[name]).map((name) => made[name])]
}
