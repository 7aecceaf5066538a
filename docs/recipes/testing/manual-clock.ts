import { createWaitingLimiter, debounce, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

it('saves the last text, a second after the last keystroke', () => {
  const clock = createManualClock()
  const saved: string[] = []
  const save = debounce(
    (text: string) => saved.push(`${text} at ${clock.now()}`),
    1000,
    { clock },
  )
  save('h')
  clock.advance(999)
  save('hi')
  clock.advance(999)
  expect(saved).toEqual([])
  clock.advance(1)
  expect(saved).toEqual(['hi at 1999'])
  // No timer is left.
  expect(clock.pending).toBe(0)
})

it('lets two through, and the third half a second later', async () => {
  const clock = createManualClock()
  const limiter = createWaitingLimiter(
    tokenBucket({ ratePerSecond: 2, burst: 2 }),
    { clock },
  )
  const passed: number[] = []
  for (let times = 0; times < 3; times++)
    void limiter.wait().then(() => passed.push(clock.now()))
  // Steps, so that promise continuations run at the right time.
  await clock.advanceAsync(5000)
  expect(passed).toEqual([0, 0, 500])
})
