import { RateLimitProvider, useLimiter, useRateLimitedFetch, useRateMeter } from 'lull'
import { createLimiter, createRateMeter, tokenBucket } from 'lull/core'
import { useEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createStage, inTask, modes } from '../support/render-on-clock.tsx'

describe.each(modes)('what is read, %s', (mode) => {
  it('of a meter goes on from where it is when the interval changes, or it is mounted late', async () => {
    const stage = createStage(mode)
    const meter = createRateMeter({ clock: stage.clock })
    const shown: number[] = []
    function Box({ intervalMs }: { intervalMs: number }): ReactNode {
      const own = useRateMeter(meter, { intervalMs })
      useLayoutEffect(() => void shown.push(own))
      return null
    }
    meter.add(5)
    for (const intervalMs of [1000, 500]) {
      shown.length = 0
      await stage.render(<Box intervalMs={intervalMs} />)
      expect(Math.min(...shown)).toBeGreaterThan(0)
    }
    await stage.unmount()
    expect(stage.clock.pending).toBe(0)
  })

  it('of a meter at once after a pause, then every `intervalMs`', async () => {
    const stage = createStage(mode)
    const meter = createRateMeter({ clock: stage.clock })
    const shownAt = new Set<number>()
    function Box(): ReactNode {
      const rate = useRateMeter(meter, { intervalMs: 500 })
      useLayoutEffect(() => void (rate > 0 && shownAt.add(stage.clock.now())), [rate])
      return null
    }
    await stage.render(<Box />)
    for (let ms = 0; ms < 1200; ms += 100) {
      await inTask(() => meter.add())
      await stage.advance(100)
    }
    expect([...shownAt]).toEqual([0, 500, 1000])
    await stage.advance(60_000)
    expect(stage.clock.pending).toBe(0)
  })

  it('of a limiter by an inline selector of objects makes no loop of renders', async () => {
    const stage = createStage(mode)
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 2 }), {
      clock: stage.clock,
    })
    let renders = 0
    function Box(): ReactNode {
      const { allowed, rest } = useLimiter(limiter, ({ allowed, ...rest }) => ({
        allowed,
        rest: { ...rest },
      }))
      useEffect(() => {
        renders++
      })
      return `${allowed} ${rest.denied}`
    }
    await stage.render(<Box />)
    const mounted = renders
    await inTask(() => [1, 2, 3].map(() => limiter.allow()))
    expect(stage.container.textContent).toBe('2 1')
    await stage.advance(5000)
    await stage.render(<Box />)
    expect(renders - mounted).toBeLessThanOrEqual(2)
  })

  it.each(['layout', 'passive'] as const)(
    'by a provider’s own fetch from the %s effect of a child is not aborted at mount',
    async (kind) => {
      const stage = createStage(mode)
      const outcomes: unknown[] = []
      const useItsEffect = kind === 'layout' ? useLayoutEffect : useEffect
      // As a platform's: it takes a while, and heeds its signal.
      const slow = (_: unknown, init?: RequestInit): Promise<Response> =>
        new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error))
          stage.clock.after(50, () => resolve(new Response('')))
        })
      function Child(): ReactNode {
        const paced = useRateLimitedFetch()
        useItsEffect(() => {
          paced('http://localhost/').then(
            ({ status }) => outcomes.push(status),
            (error: unknown) => outcomes.push(String(error)),
          )
        }, [paced])
        return null
      }
      await stage.render(
        <RateLimitProvider options={{ fetch: slow }}>
          <Child />
        </RateLimitProvider>,
      )
      await stage.advance(1000)
      expect(new Set(outcomes)).toEqual(new Set([200]))
    },
  )
})
