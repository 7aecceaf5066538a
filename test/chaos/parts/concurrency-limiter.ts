import fc from 'fast-check'
import {
  createConcurrencyLimiter,
  gradientLimit,
  type ConcurrencyLimiter,
  type RateLimitError,
  type Release,
} from 'lull/core'
import { definePart, verb } from '../part.ts'

type How = 'success' | 'failure' | 'neutral'
type Step =
  | { do: 'try' }
  | { do: 'acquire'; timeoutMs: number }
  | { do: 'run'; timeoutMs: number; fails: boolean }
  | { do: 'release'; which: number; how: How }
  | { do: 'abort'; which: number }
  | { do: 'configure'; limit: number | undefined; maxQueue: number | undefined }
  | { do: 'renew' }

const timeouts = fc.constantFrom(Infinity, Infinity, 0, 50, 400)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: verb('try') },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('acquire' as const), timeoutMs: timeouts }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('run' as const), timeoutMs: timeouts, fails: fc.boolean() }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('release' as const),
      which: fc.nat(5),
      how: fc.constantFrom<How[]>('success', 'success', 'failure', 'neutral'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('configure' as const),
      limit: fc.constantFrom(undefined, 1, 2, 5),
      maxQueue: fc.constantFrom(undefined, 0, 3, Infinity),
    }),
  },
  { weight: 1, arbitrary: verb('renew') },
)

/** One who waits for a place. */
interface Waiting {
  n: number
  at: number
  progress: number
  setBackMs: number
  timeoutMs: number
  controller: AbortController
  /** One that acquires hears of its place a little later than one that runs. */
  kind: 'acquire' | 'run'
}

export const concurrencyLimiterPart = definePart<{ isAdaptive: boolean }, Step>({
  name: 'concurrency limiter',
  options: fc.record({ isAdaptive: fc.boolean() }),
  step,
  begin({ clock, claim }, { isAdaptive }, isLong) {
    const aborted = new Error('aborted')
    let limiter: ConcurrencyLimiter
    let waiting: Waiting[] = []
    let held: ((how: How) => void)[] = []
    let maxQueue = Infinity
    let inFlightBefore = 0
    let counts = { allowed: 0, denied: 0 }
    let n = 0
    let life = 0
    let isDisposed = false

    function make(): void {
      life++
      limiter = createConcurrencyLimiter({ limit: isAdaptive ? gradientLimit() : 2, clock })
      waiting = []
      held = []
      maxQueue = Infinity
      counts = { allowed: 0, denied: 0 }
      isDisposed = false
    }

    /** It has a place now, until it is released. */
    function hold(release: (how: How) => void): void {
      counts.allowed++
      held.push(release)
    }

    function enter(
      kind: Waiting['kind'],
      timeoutMs: number,
      ask: (one: Waiting, isIn: () => void) => Promise<unknown>,
    ): void {
      const own = life
      const { limit, inFlight } = limiter.snapshot()
      const mustWait = inFlight >= limit || waiting.length > 0
      const isRefused = isDisposed || (mustWait && (waiting.length >= maxQueue || timeoutMs === 0))
      const controller = new AbortController()
      const { elapsedMs: at, progressMs: progress, setBackMs } = clock
      const one: Waiting = { n: ++n, at, progress, setBackMs, timeoutMs, controller, kind }
      let hasPlace = false
      const leave = (): void => {
        if (own === life) waiting = waiting.filter((other) => other !== one)
      }
      waiting.push(one)
      const isIn = (): void => {
        if (own !== life) return claim(false, 'let in who was sent away')
        const first = waiting.find((other) => kind === 'acquire' || other.kind === 'run')
        claim(!hasPlace && first === one && !isRefused, 'let in before who came first', one.n)
        hasPlace = true
        leave()
      }
      ask(one, isIn).catch((error: unknown) => {
        if (hasPlace)
          return claim((error as Error).message === 'own' || error === aborted, 'rejected with', error)
        leave()
        if (controller.signal.aborted) return claim(error === aborted, 'rejected with', error)
        if (own === life) counts.denied++
        const { code } = error as RateLimitError
        if (code === 'disposed') claim(isDisposed || own !== life, 'is not disposed of')
        else if (code === 'wait-too-long') {
          const waitedMs = clock.progressMs - one.progress
          const isTimer = clock.setBackMs !== one.setBackMs
          claim(
            timeoutMs < Infinity && (isTimer || waitedMs >= timeoutMs),
            'gave up too early',
            waitedMs,
            timeoutMs,
          )
        } else claim(code === 'queue-full' && isRefused, 'rejected with', error)
      })
    }

    function acquire(timeoutMs: number): void {
      enter('acquire', timeoutMs, (one, isIn) =>
        limiter.acquire({ timeoutMs, signal: one.controller.signal }).then((release: Release) => {
          isIn()
          hold(release)
        }),
      )
    }

    function run(timeoutMs: number, fails: boolean): void {
      enter('run', timeoutMs, (one, isIn) =>
        limiter.run(
          () => {
            isIn()
            return new Promise<void>((resolve, reject) => {
              hold(() => {
                if (fails) reject(new Error('own'))
                else resolve()
              })
            })
          },
          { timeoutMs, signal: one.controller.signal },
        ),
      )
    }

    function act(step: Step): void {
      if (step.do === 'try') {
        const release = limiter.tryAcquire()
        claim(!release || waiting.length === 0, 'overtook who waits')
        if (release) hold(release)
        else counts.denied++
      } else if (step.do === 'acquire') acquire(step.timeoutMs)
      else if (step.do === 'run') run(step.timeoutMs, step.fails)
      else if (step.do === 'release') {
        const [release] = held.splice(step.which % Math.max(held.length, 1), 1)
        release?.(step.how)
      } else if (step.do === 'abort') {
        const one = waiting[step.which]
        waiting = waiting.filter((other) => other !== one)
        one?.controller.abort(aborted)
      } else if (step.do === 'configure') {
        maxQueue = step.maxQueue ?? maxQueue
        limiter.configure({ limit: isAdaptive ? undefined : step.limit, maxQueue: step.maxQueue })
      } else if (!isLong) {
        limiter[Symbol.dispose]()
        for (const release of held) release('success')
        make()
      }
    }

    make()
    return {
      act,
      check() {
        const snapshot = limiter.snapshot()
        const { limit, inFlight, allowed, denied } = snapshot
        claim(snapshot === limiter.snapshot(), 'shows another snapshot, and nothing has changed')
        // More than a limit that was lowered may be in flight, but not come to be.
        claim(inFlight <= Math.max(limit, inFlightBefore), 'lets more in than', limit, inFlight)
        inFlightBefore = inFlight
        claim(inFlight === held.length, 'in flight are', inFlight, held.length)
        claim(snapshot.waiting === waiting.length, 'waiting are', snapshot.waiting, waiting.length)
        claim(
          allowed === counts.allowed && denied === counts.denied,
          'counted',
          allowed,
          denied,
          JSON.stringify(counts),
        )
        claim(waiting.length === 0 || inFlight >= limit, 'one waits and a place is free')
        const timed = waiting.filter(({ timeoutMs }) => timeoutMs < Infinity)
        claim(clock.pending <= timed.length, 'has timers', clock.pending)
        if (!clock.isQuiet) return
        for (const { at, timeoutMs, setBackMs } of timed) {
          const backMs = clock.setBackMs - setBackMs
          claim(
            clock.elapsedMs - at < timeoutMs + backMs,
            'waits for too long',
            clock.elapsedMs - at,
            timeoutMs,
          )
        }
      },
      end() {
        isDisposed = true
        limiter[Symbol.dispose]()
        for (const release of held.splice(0)) release('success')
      },
    }
  },
})
