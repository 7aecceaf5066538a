import fc from 'fast-check'
import { createCircuitBreaker, type CircuitEvent, type RateLimitError } from 'lull/core'
import { definePart, verb } from '../part.ts'

type How = 'success' | 'failure' | 'abandon'
type Step =
  | { do: 'decide' }
  | { do: 'run' }
  | { do: 'end'; which: number; how: How }
  | { do: 'watch' }
  | { do: 'reset' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: verb('decide', 'run') },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(5),
      how: fc.constantFrom<How[]>('success', 'failure', 'failure', 'failure', 'abandon'),
    }),
  },
  { weight: 1, arbitrary: verb('watch', 'reset') },
)

/** What may come after each event, and at first. */
const NEXT: Record<string, CircuitEvent['type'][]> = {
  closed: ['opened'],
  opened: ['half-opened', 'closed'],
  'half-opened': ['opened', 'closed'],
}

export const circuitBreakerPart = definePart<{ openMs: number; minimumCalls: number }, Step>({
  name: 'circuit breaker',
  options: fc.record({ openMs: fc.constantFrom(0, 50, 1000), minimumCalls: fc.constantFrom(1, 4) }),
  step,
  begin({ clock, claim }, { openMs, minimumCalls }) {
    let last: CircuitEvent['type'] = 'closed'
    // When it was opened; undefined unless it is open, or half-open and nobody has asked since.
    let opened: { progress: number; elapsed: number } | undefined
    // Those that were let go and have not ended; and whether one of them is the probe.
    const out: { end: (how: How) => void; isProbe: boolean }[] = []
    let hasProbe = false
    let counts = { allowed: 0, denied: 0 }
    let stop: (() => void) | undefined
    let told = 0

    const breaker = createCircuitBreaker({
      openMs,
      minimumCalls,
      windowMs: 2000,
      clock,
      onEvent(event) {
        claim(NEXT[last]!.includes(event.type) || event.type === 'closed', 'after', last, 'came', event.type)
        last = event.type
        if (event.type === 'opened') {
          opened = { progress: clock.progressMs, elapsed: clock.elapsedMs }
          claim(event.calls >= minimumCalls || hasProbe, 'opened after', event.calls)
          claim(
            event.failures * 2 >= event.calls || hasProbe,
            'opened after',
            event.failures,
            'of',
            event.calls,
          )
        }
        if (event.type !== 'half-opened') hasProbe = false
        if (event.type === 'closed') opened = undefined
      },
    })

    /** What must be so when it lets a call go, or does not. */
    function answered(isAllowed: boolean): boolean {
      counts = isAllowed
        ? { ...counts, allowed: counts.allowed + 1 }
        : { ...counts, denied: counts.denied + 1 }
      const isProbe = last !== 'closed' && isAllowed
      if (opened) {
        if (isAllowed && !stop)
          claim(clock.progressMs - opened.progress >= openMs, 'let a call go while open')
        if (!isAllowed && !hasProbe) claim(clock.elapsedMs - opened.elapsed < openMs, 'is open for too long')
      } else if (!isAllowed) claim(hasProbe, 'refused a call while closed')
      claim(!isProbe || !hasProbe, 'let two probes go')
      if (isProbe) hasProbe = true
      return isProbe
    }

    function enter(isProbe: boolean, end: (how: How) => void): void {
      out.push({ end, isProbe })
    }

    function act(step: Step): void {
      const foreseen = breaker.peek()
      if (step.do === 'decide') {
        const { allowed, retryAfterMs, ticket } = breaker.decide()
        claim(
          allowed === foreseen.allowed && retryAfterMs === foreseen.retryAfterMs,
          'foresaw',
          foreseen.allowed,
        )
        claim(allowed === (retryAfterMs === 0), 'answered', allowed, 'and to try again in', retryAfterMs)
        const isProbe = answered(allowed)
        if (allowed) enter(isProbe, (how) => breaker[how](ticket))
      } else if (step.do === 'run') {
        const runs: boolean[] = []
        const controller = new AbortController()
        const { signal } = controller
        const task = (): Promise<void> =>
          new Promise((resolve, reject) => {
            const isProbe = answered(true)
            runs.push(isProbe)
            enter(isProbe, (how) => {
              if (how === 'success') resolve()
              else if (how === 'failure') reject(new Error('own'))
              else controller.abort(new Error('own'))
            })
          })
        breaker.run(task, { signal }).catch((error: unknown) => {
          claim(
            (error as Error).message === 'own' || (error as RateLimitError).code === 'circuit-open',
            'threw',
            error,
          )
        })
        claim(runs.length === Number(foreseen.allowed), 'foresaw', foreseen.allowed)
        if (runs.length === 0) answered(false)
      } else if (step.do === 'end') {
        const [one] = out.splice(step.which % Math.max(out.length, 1), 1)
        one?.end(step.how)
      } else if (step.do === 'watch') {
        stop?.()
        stop = stop ? undefined : breaker.subscribe(() => told++)
      } else {
        breaker.reset()
        hasProbe = false
      }
    }

    return {
      act,
      check() {
        // A probe that has ended is none, also one that said nothing.
        if (hasProbe && !out.some(({ isProbe }) => isProbe)) hasProbe = false
        const snapshot = breaker.snapshot()
        const { allowed, denied, state, calls, failures } = snapshot
        claim(snapshot === breaker.snapshot(), 'shows another snapshot, and nothing has changed')
        claim(
          allowed === counts.allowed && denied === counts.denied,
          'counted',
          allowed,
          denied,
          JSON.stringify(counts),
        )
        claim(failures <= calls && state === breaker.state, 'shows', failures, calls, state)
        claim((state === 'closed') === (last === 'closed'), 'is', state, 'after', last)
        claim(clock.pending <= (stop && state !== 'closed' ? 1 : 0), 'has timers', clock.pending)
      },
      end() {
        for (const { end } of out.splice(0)) end('abandon')
        breaker[Symbol.dispose]()
        claim(told >= 0 && clock.pending === 0, 'keeps a timer')
      },
    }
  },
})
