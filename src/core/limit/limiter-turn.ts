import type { ForwardTime } from '../time/forward-time.ts'
import type { Limiter } from './limiter.ts'

/** A limiter that is asked again and again, by one who has nothing of it until it allows. */
export interface LimiterTurn {
  /**
   * Takes `cost` if that is allowed: 0. Else how long to wait before asking again, in ms; Infinity: for ever. Until `rest`
   * it is told when the limiter changes.
   *
   * @param now the instant: later than `time` has it, if a timer proves that time has passed which the clock does not show.
   * @param isWoken whether a timer has made it ask.
   */
  take: (cost: number, now: number, isWoken: boolean) => number
  rest: () => void
}

export function createLimiterTurn(
  limiter: Pick<Limiter, 'peek' | 'decide' | 'subscribe'>,
  time: ForwardTime,
  onChange: () => void,
): LimiterTurn {
  let unsubscribe: (() => void) | undefined
  let asksAt = Infinity

  function rest(): void {
    unsubscribe?.()
    unsubscribe = undefined
    asksAt = Infinity
  }

  return {
    take(cost, now, isWoken) {
      const isDue = isWoken && now >= asksAt
      // To look is no request, and so no refusal. But only a request takes a limiter along to a clock that was set back.
      let answer = limiter.peek(cost)
      if (answer.allowed || isDue) answer = limiter.decide(cost)
      if (!answer.allowed && isDue && now > time.now())
        answer = limiter.decide(cost, time.toClock(time.now() + answer.retryAfterMs))
      if (answer.allowed) {
        // Who had a turn listens again as the last, so that the others who wait hear of a chance before.
        rest()
        return 0
      }
      unsubscribe ??= limiter.subscribe(onChange)
      asksAt = time.now() + answer.retryAfterMs
      return answer.retryAfterMs
    },
    rest,
  }
}
