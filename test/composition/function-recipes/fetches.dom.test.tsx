import { RateLimitProvider } from 'lull'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Tools } from '../../../docs/recipes/functions/rate-limit-provider.tsx'
import { PauseNote } from '../../../docs/recipes/functions/use-rate-limit-status.tsx'
import { Cities } from '../../../docs/recipes/functions/use-rate-limited-fetch.tsx'
import { modes } from '../../react/support/render-on-clock.tsx'
import { createStage, type Stage } from './stage.tsx'

/** Nothing is added to a pause by chance. */
const options = { random: () => 0 }

let stage: Stage
/** What the server answers next; then the path. */
let answers: Response[] = []

beforeEach(() => {
  answers = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    stage.note(pathname)
    const answer = answers.shift() ?? new Response(pathname.slice(8))
    return new Promise((resolve) => stage.clock.after(50, () => resolve(answer)))
  })
})

afterEach(() => vi.unstubAllGlobals())

const refusal = (): Response => new Response(null, { status: 429, headers: { 'Retry-After': '2' } })

describe.each(modes)('the paced fetch, %s', (mode) => {
  it('useRateLimitedFetch: a refusal stops all until its time is over, and nothing is lost', async () => {
    stage = createStage(mode)
    answers = [new Response('ada'), refusal(), refusal()]
    stage.show(
      <RateLimitProvider options={options}>
        <Cities ids={['ada', 'bern', 'cork']} />
      </RateLimitProvider>,
    )
    stage.click('Load')
    await stage.pass(4000)
    expect(stage.log).toEqual([
      '0 /cities/ada',
      '0 /cities/bern',
      '0 /cities/cork',
      '2050 /cities/bern',
      '2100 /cities/cork',
      '2150 "ada, bern, cork"',
    ])
    expect(stage.clock.pending).toBe(0)
  })

  it('useRateLimitedFetch: a pause above a minute is not waited for', async () => {
    stage = createStage(mode)
    answers = [new Response(null, { status: 429, headers: { 'Retry-After': '300' } })]
    stage.show(<Cities ids={['ada']} />)
    stage.click('Load')
    await stage.pass(100)
    stage.click('Load')
    await stage.pass(100)
    expect(stage.log).toEqual([
      '0 /cities/ada',
      '50 "Error: No city: 429"',
      expect.stringMatching(/^110 "RateLimitError: /),
    ])
    expect(stage.clock.pending).toBe(0)
  })

  it('useRateLimitStatus: the note counts the pause down, and goes when it is over', async () => {
    stage = createStage(mode)
    answers = [refusal()]
    stage.show(
      <RateLimitProvider options={options}>
        <PauseNote />
        <Cities ids={['ada']} />
      </RateLimitProvider>,
    )
    stage.click('Load')
    await stage.pass(4000)
    expect(stage.log).toEqual([
      '0 /cities/ada',
      '50 "The server is busy. Again in 2 s."',
      '1050 "The server is busy. Again in 1 s."',
      '2050 /cities/ada',
      '2050 nothing',
    ])
    expect(stage.clock.pending).toBe(0)
  })

  it('RateLimitProvider: two components share a limit, and what waits is counted', async () => {
    stage = createStage(mode)
    stage.show(<Tools />)
    for (const name of ['lint', 'build', 'build']) stage.click(name)
    await stage.pass(2000)
    expect(stage.log).toEqual([
      '0 "0 waiting"',
      '0 /lint',
      '0 "1 waiting"',
      '0 "2 waiting"',
      '500 /build',
      '500 "1 waiting"',
      '1000 /build',
      '1000 "0 waiting"',
    ])
    expect(stage.clock.pending).toBe(0)
  })
})
