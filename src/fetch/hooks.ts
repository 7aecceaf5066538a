import { report } from '../core/shared/report.ts'
import type { Call } from './call.ts'
import type { BucketContext, Policy, PolicyHooks } from './policy.ts'

type HookName = Exclude<keyof PolicyHooks, 'countsOthers'>

/** The policies at work in one bucket. */
export interface Hooks {
  all: () => readonly PolicyHooks[]
  /** Asks each policy that has this hook. What one throws is reported, and says nothing. */
  ask: <Name extends HookName>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ) => readonly ReturnType<NonNullable<PolicyHooks[Name]>>[]
  /** Throws what a policy throws that refuses the call. */
  admit: (call: Call) => void
  /** Whether `a` goes first: the first policy that has an opinion decides, else their arrival. */
  isBefore: (a: Call, b: Call) => boolean
  /** Makes the hooks of new policies, keeps those of the others, and lets go of those that are gone. */
  update: (policies: readonly Policy[], context: BucketContext) => void
}

export function createHooks(): Hooks {
  let policies: readonly Policy[] = []
  let all: readonly PolicyHooks[] = []
  /** Those that have a member of that name. */
  let having: Partial<Record<HookName, readonly PolicyHooks[]>> = {}

  const thoseWith = (name: HookName): readonly PolicyHooks[] =>
    (having[name] ??= all.filter((hooks) => hooks[name]))

  return {
    all: () => all,
    ask(name, ...args) {
      type Hook = (...given: typeof args) => ReturnType<NonNullable<PolicyHooks[typeof name]>>
      const results: ReturnType<Hook>[] = []
      for (const hooks of thoseWith(name) as Record<typeof name, Hook>[])
        try {
          results.push(hooks[name](...args))
        } catch (error) {
          report(error)
        }
      return results
    },
    admit(call) {
      for (const hooks of thoseWith('admit')) hooks.admit!(call)
    },
    isBefore(a, b) {
      for (const hooks of thoseWith('before')) {
        const is = hooks.before!(a, b)
        if (is !== undefined) return is
      }
      return a.arrival < b.arrival
    },
    update(next, context) {
      const old = all
      all = next.map((policy) => old[policies.indexOf(policy)] ?? policy(context))
      policies = next
      having = {}
      for (const hooks of old) if (!all.includes(hooks)) hooks.dispose?.()
    },
  }
}
