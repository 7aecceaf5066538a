import { pageHidden, pageHide, useDebouncedCallback, useThrottledEvent } from 'lull'
import { useInsertionEffect, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Boundary } from '../support/boundary.tsx'
import { createStage, inTask, modes } from '../support/mount-on-clock.tsx'

const reported: string[] = []
const keep = (error: unknown): number => reported.push((error as Error).message)
const report = (event: ErrorEvent): void => {
  event.preventDefault()
  keep(event.error)
}
beforeEach(() => {
  reported.length = 0
  addEventListener('error', report)
  // Not in jsdom.
  vi.stubGlobal('reportError', keep)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  removeEventListener('error', report)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each(modes)('with errors, %s', (mode) => {
  it.each([
    ['cancel', []],
    ['flush', ['pending']],
  ] as const)(
    'a component that throws in a render ends what is pending as at unmount: %s',
    async (onUnmount, expected) => {
      const stage = createStage(mode)
      const runs: string[] = []
      let call: (text: string) => void
      function Box({ isBad }: { isBad: boolean }): ReactNode {
        const debounced = useDebouncedCallback((text: string) => void runs.push(text), 100, { onUnmount })
        useInsertionEffect(() => {
          call = debounced
        })
        if (isBad) throw new Error('bad render')
        return 'good'
      }
      const show = (isBad: boolean): Promise<void> =>
        stage.render(
          <Boundary>
            <Box isBad={isBad} />
          </Boundary>,
        )
      await show(false)
      call!('pending')
      await show(true)
      expect(stage.container.textContent).toBe('bad render')
      expect([runs, stage.clock.pending]).toEqual([expected, 0])
      call!('late')
      expect(stage.clock.pending).toBe(0)
    },
  )

  it('a wait that becomes bad ends in the boundary and leaves nothing running', async () => {
    const stage = createStage(mode)
    const target = new EventTarget()
    let call: () => void
    function Box({ wait }: { wait: number }): ReactNode {
      const debounced = useDebouncedCallback(() => undefined, wait)
      useThrottledEvent(target, 'ring', () => undefined, wait)
      useInsertionEffect(() => {
        call = debounced
      })
      return null
    }
    const show = (wait: number): Promise<void> =>
      stage.render(
        <Boundary>
          <Box wait={wait} />
        </Boundary>,
      )
    await show(100)
    call!()
    target.dispatchEvent(new Event('ring'))
    target.dispatchEvent(new Event('ring'))
    await show(-1)
    expect(stage.container.textContent).toBe('Expected wait >= 0, got -1')
    target.dispatchEvent(new Event('ring'))
    expect(stage.clock.pending).toBe(0)
  })

  it('a callback that throws in the flush of the unmount is told to the boundary, and the other hooks end as they should', async () => {
    const stage = createStage(mode)
    const runs: string[] = []
    let call: () => void
    function Box(): ReactNode {
      const bad = useDebouncedCallback(
        () => {
          throw new Error('bad flush')
        },
        100,
        { onUnmount: 'flush' },
      )
      const good = useDebouncedCallback(() => void runs.push('good'), 100, {
        onUnmount: 'flush',
      })
      const dropped = useDebouncedCallback(() => void runs.push('dropped'), 100)
      useInsertionEffect(() => {
        call = () => {
          bad()
          good()
          dropped()
        }
      })
      return 'box'
    }
    await stage.render(
      <Boundary>
        <Box />
      </Boundary>,
    )
    call!()
    await stage.render(<Boundary>{null}</Boundary>)
    expect(stage.container.textContent).toBe('bad flush')
    expect([runs, stage.clock.pending]).toEqual([['good'], 0])
  })

  it('a callback that throws as the page goes away is reported, keeps no other from running, and may run again', async () => {
    const stage = createStage(mode)
    const runs: string[] = []
    let call: (isBad: boolean) => void
    function Box(): ReactNode {
      const saver = useDebouncedCallback(
        (isBad: boolean) => {
          if (isBad) throw new Error('bad save')
          runs.push('saved')
        },
        100,
        { flushOn: [pageHidden, pageHide] },
      )
      const other = useDebouncedCallback(() => void runs.push('other'), 100, {
        flushOn: [pageHide],
      })
      useInsertionEffect(() => {
        call = (isBad) => {
          saver(isBad)
          other()
        }
      })
      return null
    }
    await stage.render(<Box />)
    call!(true)
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    expect([runs, reported]).toEqual([['other'], ['bad save']])
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    await stage.advance(1000)
    expect(runs).toEqual(['other'])
    call!(false)
    await stage.advance(100)
    expect(runs).toEqual(['other', 'saved', 'other'])
  })

  it('a component may be unmounted by its own callback', async () => {
    const stage = createStage(mode)
    let runs = 0
    let call: () => void
    function Box({ leading }: { leading: boolean }): ReactNode {
      const debounced = useDebouncedCallback(
        () => {
          runs++
          void stage.render(null)
        },
        100,
        { leading, onUnmount: 'flush' },
      )
      useInsertionEffect(() => {
        call = debounced
      })
      return 'box'
    }
    for (const [key, leading] of [false, true].entries()) {
      await stage.render(<Box leading={leading} />, key)
      await inTask(() => call())
      await stage.advance(100)
      expect(stage.container.textContent).toBe('')
      await stage.advance(1000)
      expect([runs, stage.clock.pending]).toEqual([key + 1, 0])
    }
  })
})
