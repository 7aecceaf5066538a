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

/** The description of each policy, its entry point, and its export name. */
export const policyWords: Record<PolicyName, { words: string; from: 'fetch' | 'tabs'; name: string }> = {
  learn: { words: 'Learn the limit from refusals', from: 'fetch', name: 'learnPace' },
  fields: { words: 'Read RateLimit headers', from: 'fetch', name: 'rateLimitFields' },
  legacy: { words: 'Read X-RateLimit headers', from: 'fetch', name: 'legacyRateLimitFields' },
  breaker: { words: 'Stop calling a server that is down', from: 'fetch', name: 'circuitBreaker' },
  priorities: { words: 'Send searches first', from: 'fetch', name: 'priorities' },
  tabs: { words: 'Share pauses between tabs', from: 'tabs', name: 'shareBetweenTabs' },
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
