import { describe, expect, it } from 'vitest'
import { composeRateLimitedFetch, limitRate, pageLifecycle, type Policy } from 'lull/fetch'
import { createHideablePage, GRIDS } from '../../../chaos/hideable-page.ts'
import { createPage } from '../../fixtures/fake-page.ts'

const URL = 'https://a.test/'
const tooMany = (seconds: number): Response =>
  new Response(null, { status: 429, headers: { 'retry-after': `${seconds}` } })

describe.each(GRIDS)('in a hidden page with timers at multiples of %d ms', (grid) => {
  function start(policies: Policy[], answers: Response[] = []) {
    const page = createHideablePage()
    const { clock, hide, show } = page
    const events = createPage()
    const sent: number[] = []
    const fetch = composeRateLimitedFetch({
      policies: [pageLifecycle(), ...policies],
      random: () => 0,
      clock,
      fetch() {
        sent.push(clock.now())
        return Promise.resolve(answers.shift() ?? new Response(null))
      },
    })
    function turn(isVisible: boolean): void {
      events.isVisible = isVisible
      if (isVisible) show()
      else hide(grid)
      events.emit('visibilitychange')
    }
    turn(false)
    return { ...page, sent, fetch, show: () => turn(true) }
  }

  it('sends what its rate and burst allow at each late turn, and at its pace when the page is back', async () => {
    const { fetch, sent, reach, show } = start([limitRate({ ratePerSecond: 10, burst: 2 })])
    const calls = Array.from({ length: 8 }, () => fetch(URL))
    await reach(2 * grid + 50)
    show()
    await reach(3 * grid + 2000)
    const back = 2 * grid
    expect(sent).toEqual([0, 0, grid, grid, back, back, back + 100, back + 200])
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200))
  })
})
