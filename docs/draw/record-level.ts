import { createManualClock } from 'lull/testing'
import type { LevelDecision, LevelDiagram, LevelPanel, LevelStep } from './level.ts'

/** Sends the requests to a limiter, and reads its level each millisecond. */
export function recordLevel(
  { endMs, requests }: LevelDiagram,
  { make, shown = (level) => level }: LevelPanel,
): { steps: LevelStep[]; decisions: LevelDecision[] } {
  const clock = createManualClock()
  const limiter = make(clock)
  const steps: LevelStep[] = []
  const decisions: LevelDecision[] = []
  for (let at = 0; at <= endMs; at++) {
    clock.advance(at > 0 ? 1 : 0)
    const before = shown(limiter.remaining())
    for (const request of requests) if (request === at) decisions.push({ at, isAllowed: limiter.allow() })
    steps.push({ at, before, after: shown(limiter.remaining()) })
  }
  return { steps, decisions }
}
