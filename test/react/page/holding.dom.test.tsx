import { composing, createCondition, useDebouncedCallback, useThrottledCallback } from 'lull'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createStage, inTask, modes, type Mode, type Stage } from '../support/mount-on-clock.tsx'

interface Held {
  stage: Stage
  runs: [at: number, text: string][]
  call: (text: string) => void
  set: (isOn: boolean) => void
  listeners: Set<() => void>
}

const hooks = { useDebouncedCallback, useThrottledCallback }

/** With a condition that is set by hand. */
async function hold(
  mode: Mode,
  name: keyof typeof hooks,
  options: { leading?: boolean; maxWait?: number },
): Promise<Held> {
  const stage = createStage(mode)
  const runs: Held['runs'] = []
  const listeners: Held['listeners'] = new Set()
  const useHeld = hooks[name]
  let isOn = false
  let call: Held['call']
  const condition = createCondition({
    isOn: () => isOn,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
  function Box(): ReactNode {
    const own = useHeld((text: string) => void runs.push([stage.clock.now(), text]), 300, {
      ...options,
      holdWhile: condition,
    })
    useInsertionEffect(() => {
      call = own
    })
    return null
  }
  await stage.render(<Box />)
  return {
    stage,
    runs,
    call: (text) => call(text),
    listeners,
    set(next) {
      isOn = next
      for (const listener of listeners) listener()
    },
  }
}

const cases: [keyof typeof hooks, { leading?: boolean; maxWait?: number }][] = [
  ['useDebouncedCallback', {}],
  ['useDebouncedCallback', { leading: true }],
  ['useDebouncedCallback', { maxWait: 1000 }],
  ['useDebouncedCallback', { leading: true, maxWait: 300 }],
  ['useThrottledCallback', {}],
  ['useThrottledCallback', { leading: false }],
]

describe.each(modes)('holdWhile, %s', (mode) => {
  it.each(cases)(
    'of %s, %j, keeps the last call until `wait` after it, also in a later burst',
    async (name, options) => {
      const { stage, runs, call, set } = await hold(mode, name, options)
      call('earlier')
      await stage.advance(5000)
      runs.length = 0
      set(true)
      await stage.advance(1000)
      call('h')
      await stage.advance(50)
      call('he')
      await stage.advance(100)
      set(false)
      await stage.advance(199)
      expect(runs).toEqual([])
      await stage.advance(1)
      expect(runs).toEqual([[6350, 'he']])
      await stage.advance(5000)
      expect(runs).toHaveLength(1)
      expect(stage.clock.pending).toBe(0)
    },
  )

  it.each(cases)('of %s, %j, runs at once when it ends long after the last call', async (name, options) => {
    const { stage, runs, call, set } = await hold(mode, name, options)
    set(true)
    call('hello')
    await stage.advance(5000)
    expect(runs).toEqual([])
    set(false)
    await stage.advance(0)
    expect(runs).toEqual([[5000, 'hello']])
  })

  it('is no longer listened to after unmount, and twice never', async () => {
    const { stage, listeners, call, set } = await hold(mode, 'useDebouncedCallback', {})
    expect(listeners.size).toBe(1)
    set(true)
    call('pending')
    await stage.unmount()
    expect([listeners.size, stage.clock.pending]).toEqual([0, 0])
  })

  it('composing ends with a field that is taken away in the midst of it', async () => {
    const stage = createStage(mode)
    const runs: string[] = []
    let call: (text: string) => void
    function Box({ hasField }: { hasField: boolean }): ReactNode {
      const own = useDebouncedCallback((text: string) => void runs.push(text), 300, { holdWhile: composing })
      useInsertionEffect(() => {
        call = own
      })
      return hasField && <input />
    }
    await stage.render(<Box hasField />)
    const field = stage.container.querySelector('input')!
    field.focus()
    await inTask(() => field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true })))
    call!('half')
    await stage.advance(1000)
    expect(runs).toEqual([])
    await stage.render(<Box hasField={false} />)
    await stage.advance(300)
    expect(runs).toEqual(['half'])
  })
})
