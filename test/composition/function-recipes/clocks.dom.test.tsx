import { fireEvent, screen } from '@testing-library/react'
import { createLimiter, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { renderOnClock } from '../../../docs/recipes/functions/clock-provider.tsx'
import { Reaction } from '../../../docs/recipes/functions/use-clock.tsx'
import { ResendCode } from '../../../docs/recipes/functions/use-countdown.tsx'
import { Invite } from '../../../docs/recipes/functions/use-limiter.tsx'
import { Typing } from '../../../docs/recipes/functions/use-rate-meter.tsx'
import { HtmlEditor } from '../../../docs/recipes/functions/use-debounce.tsx'
import { modes } from '../../react/support/render-on-clock.tsx'
import { createStage } from './stage.tsx'

describe.each(modes)('time, %s', (mode) => {
  it('useCountdown: the button says the seconds, and works again at their end', async () => {
    const { clock, show, pass, note, log } = createStage(mode)
    show(<ResendCode send={() => note('sent')} />)
    const button = screen.getByRole<HTMLButtonElement>('button')
    const texts = new Set<string>()
    fireEvent.click(button)
    for (let second = 0; second < 30; second++) {
      fireEvent.click(button)
      texts.add(button.textContent)
      await pass(1000, 500)
    }
    expect([texts.size, [...texts][0], [...texts].at(-1)]).toEqual([
      30,
      'Send again in 30 s',
      'Send again in 1 s',
    ])
    fireEvent.click(button)
    expect(log).toEqual(['0 sent', '30000 sent'])
    await pass(30_000, 1000)
    expect(clock.pending).toBe(0)
  })

  it('useClock: the time between two presses is that of the clock', async () => {
    const { show, click, pass } = createStage(mode)
    show(<Reaction />)
    click('0 ms')
    await pass(270)
    click('0 ms')
    expect(screen.getByRole('button').textContent).toBe('270 ms')
  })

  it('useLimiter: three invitations go, then one every two seconds', async () => {
    const { clock, show, click, pass, note, log } = createStage(mode)
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 0.5, burst: 3 }), { clock })
    show(<Invite limiter={limiter} send={() => note('sent')} />)
    for (let times = 0; times < 5; times++) click('Invite')
    await pass(2000)
    click('Invite')
    expect(log).toEqual([
      '0 sent',
      '0 sent',
      '0 sent',
      '0 "1 refused, again in 2 s"',
      '0 "2 refused, again in 2 s"',
      '1000 "2 refused, again in 1 s"',
      '2000 nothing',
      '2000 sent',
    ])
    expect(clock.pending).toBe(0)
  })

  it('useRateMeter: the rate is shown at once, then every half second until it is 0', async () => {
    const { clock, show, pass, log } = createStage(mode)
    show(<Typing />)
    for (let times = 0; times < 3; times++) fireEvent.keyDown(screen.getByLabelText('Text'))
    await pass(500)
    await pass(20_000, 500)
    expect(log.slice(0, 5)).toEqual([
      '0 "0.0 keys a second"',
      '10 "0.7 keys a second"',
      '500 "1.5 keys a second"',
      '1000 "1.0 keys a second"',
      '1500 "0.7 keys a second"',
    ])
    expect(clock.pending).toBe(0)
  })
})

it('ClockProvider: time passes when it is told to', async () => {
  const { clock, advance } = renderOnClock(<HtmlEditor html="" />)
  fireEvent.change(screen.getByLabelText('HTML'), { target: { value: 'a' } })
  const preview = screen.getByTitle('Preview')
  await advance(499)
  expect(preview.getAttribute('srcdoc')).toBe('')
  await advance(1)
  expect(preview.getAttribute('srcdoc')).toBe('a')
  expect(clock.pending).toBe(0)
})
