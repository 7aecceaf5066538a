import { createManualClock } from 'lull/testing'
import type { LevelAnswer, LevelDiagram, LevelPanel, LevelStep } from './level.ts'

/** Asks a limiter for each request, and reads its level each millisecond. */
export function recordLevel(
  { endMs, requests }: LevelDiagram,
  { make, shown = (level) => level }: LevelPanel,
): { steps: LevelStep[]; answers: LevelAnswer[] } {
  const clock = createManualClock()
  const limiter = make(clock)
  const steps: LevelStep[] = []
  const answers: LevelAnswer[] = []
  for (let at = 0; at <= endMs; at++) {
    clock.advance(at > 0 ? 1 : 0)
    const before = shown(limiter.remaining())
    for (const request of requests) if (request === at) answers.push({ at, isAllowed: limiter.allow() })
    steps.push({ at, before, after: shown(limiter.remaining()) })
  }
  return { steps, answers }
}
