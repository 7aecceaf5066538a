import { act, screen } from '@testing-library/react'
import { RateLimitProvider, useDebounce, useDebouncedAsync, useRateLimitedFetch, useThrottle } from 'lull'
import { Activity, Suspense, use, useEffect, useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createScriptedFetch } from '../support/scripted-fetch.ts'
import { holdingHooks, type Call, type HoldingHook } from '../support/holding-hooks.ts'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

/** What suspends is awaited by an `act` that is awaited, else React goes no further. */
const inTask = (callback: () => void): Promise<void> =>
  act(async () => {
    callback()
    await Promise.resolve()
  })

const never = new Promise<never>(() => undefined)

/** Waits for ever, if told to. */
function Wait({ isWaiting }: { isWaiting: boolean }): ReactNode {
  return isWaiting ? use(never) : null
}

interface EditorProps {
  useHeld: HoldingHook
  save: Call
  onUnmount: 'cancel' | 'flush'
  expose: (call: Call) => void
}

function Editor({ useHeld, save, onUnmount, expose }: EditorProps): ReactNode {
  const call = useHeld(save, 100, { onUnmount })
  useEffect(() => expose(call), [call, expose])
  return 'editor'
}

describe.each(modes)('what is mounted again works again, %s', (mode) => {
  it('StrictMode does mount twice here', () => {
    const effects: string[] = []
    renderHookOn(
      createOnClock(mode),
      () =>
        useEffect(() => {
          effects.push('mount')
          return () => void effects.push('unmount')
        }, []),
      undefined,
    )
    expect(effects).toEqual(mode === 'plain' ? ['mount'] : ['mount', 'unmount', 'mount'])
  })

  it.each(
    holdingHooks.flatMap(([name, useHeld]) => [
      { name, useHeld, onUnmount: 'cancel' as const, runs: [] },
      { name, useHeld, onUnmount: 'flush' as const, runs: ['pending'] },
    ]),
  )('$name, $onUnmount, in an Activity that is hidden and shown', async ({ useHeld, onUnmount, runs }) => {
    const onClock = createOnClock(mode)
    const saved: string[] = []
    let call!: Call
    const save: Call = (text) => saved.push(text)
    const expose = (exposed: Call): void => void (call = exposed)
    const page = (isHidden: boolean): ReactNode => (
      <Activity mode={isHidden ? 'hidden' : 'visible'}>
        <Editor useHeld={useHeld} save={save} onUnmount={onUnmount} expose={expose} />
      </Activity>
    )
    const { rerender } = renderOn(onClock, page(false))
    act(() => call('pending'))
    rerender(page(true))
    expect(saved).toEqual(runs)
    expect(onClock.clock.pending).toBe(0)
    act(() => call('while hidden'))
    await act(() => onClock.clock.advanceAsync(1000))
    expect(saved).toEqual(runs)
    rerender(page(false))
    act(() => call('shown'))
    await act(() => onClock.clock.advanceAsync(1000))
    expect(saved).toEqual([...runs, 'shown'])
    expect(onClock.clock.pending).toBe(0)
  })

  it('an Activity that is hidden and shown in the same task drops what was pending', () => {
    const onClock = createOnClock(mode)
    const saved: string[] = []
    let call!: Call
    const page = (isHidden: boolean): ReactNode => (
      <Activity mode={isHidden ? 'hidden' : 'visible'}>
        <Editor
          useHeld={holdingHooks[0]![1]}
          save={(text) => saved.push(text)}
          onUnmount="cancel"
          expose={(exposed) => void (call = exposed)}
        />
      </Activity>
    )
    const { rerender } = renderOn(onClock, page(false))
    act(() => call('pending'))
    rerender(page(true))
    rerender(page(false))
    onClock.advance(1000)
    expect(saved).toEqual([])
    act(() => call('shown'))
    onClock.advance(1000)
    expect(saved).toEqual(['shown'])
  })

  it.each(holdingHooks)(
    '%s loses nothing while its Suspense boundary shows the fallback',
    async (_, useHeld) => {
      const onClock = createOnClock(mode)
      const saved: string[] = []
      let call!: Call
      const save: Call = (text) => saved.push(text)
      const expose = (exposed: Call): void => void (call = exposed)
      const page = (isWaiting: boolean): ReactNode => (
        <Suspense fallback="fallback">
          <Editor useHeld={useHeld} save={save} onUnmount="cancel" expose={expose} />
          <Wait isWaiting={isWaiting} />
        </Suspense>
      )
      const { rerender } = renderOn(onClock, page(false))
      act(() => call('hello'))
      await inTask(() => rerender(page(true)))
      expect(screen.getByText('fallback')).toBeTruthy()
      onClock.advance(50)
      await inTask(() => rerender(page(false)))
      onClock.advance(50)
      // What is shown again StrictMode unmounts and mounts once more, and so drops what is pending.
      if (mode === 'plain') expect(saved).toEqual(['hello'])
      act(() => call('again'))
      await act(() => onClock.clock.advanceAsync(100))
      expect(saved.at(-1)).toBe('again')
      expect(onClock.clock.pending).toBe(0)
    },
  )

  it.each([
    ['useDebounce', useDebounce<string>],
    ['useThrottle', useThrottle<string>],
  ])('%s shows the last value after a fallback, and after an Activity was hidden', async (_, useValue) => {
    const onClock = createOnClock(mode)
    const Shown = ({ text }: { text: string }): ReactNode => `shows ${useValue(text, 100)}`
    const page = (text: string, away: '' | 'suspended' | 'hidden' = ''): ReactNode => (
      <Suspense fallback="fallback">
        <Activity mode={away === 'hidden' ? 'hidden' : 'visible'}>
          <Shown text={text} />
        </Activity>
        <Wait isWaiting={away === 'suspended'} />
      </Suspense>
    )
    const { container, rerender } = renderOn(onClock, page(''))
    for (const away of ['suspended', 'hidden'] as const) {
      rerender(page(`${away} 1`))
      rerender(page(`${away} 2`))
      await inTask(() => rerender(page(`${away} 2`, away)))
      await act(() => onClock.clock.advanceAsync(1000))
      await inTask(() => rerender(page(`${away} 2`)))
      onClock.advance(1000)
      expect(container.textContent).toBe(`shows ${away} 2`)
    }
    expect(onClock.clock.pending).toBe(0)
  })

  it('useDebouncedAsync runs, and aborts, as before after an Activity was hidden', async () => {
    const onClock = createOnClock(mode)
    const signals: AbortSignal[] = []
    let run!: (text: string) => Promise<unknown>
    function Search(): ReactNode {
      const search = useDebouncedAsync((signal, text: string) => {
        signals.push(signal)
        return new Promise<string>((resolve) => onClock.clock.after(100, () => resolve(text)))
      }, 100)
      useEffect(() => {
        run = search.run
      }, [search.run])
      return `${search.status} ${search.data ?? ''}`
    }
    const page = (isHidden: boolean): ReactNode => (
      <Activity mode={isHidden ? 'hidden' : 'visible'}>
        <Search />
      </Activity>
    )
    const { container, rerender } = renderOn(onClock, page(false))
    act(() => void run('in flight'))
    await act(() => onClock.clock.advanceAsync(150))
    await inTask(() => rerender(page(true)))
    expect(signals[0]!.aborted).toBe(true)
    await inTask(() => rerender(page(false)))
    expect(container.textContent).toBe('idle ')
    act(() => void run('again'))
    await act(() => onClock.clock.advanceAsync(200))
    expect(container.textContent).toBe('success again')
  })

  it('an own paced fetch is not aborted by the fallback that is shown while its answer is awaited', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock)
    let show!: (answer: Promise<string>) => void
    let fetch!: typeof globalThis.fetch
    function Page(): ReactNode {
      const [answer, setAnswer] = useState<Promise<string>>()
      const paced = useRateLimitedFetch()
      useEffect(() => {
        show = setAnswer
        fetch = paced
      }, [paced])
      return answer ? use(answer) : 'nothing yet'
    }
    const { container } = renderOn(
      onClock,
      <Suspense fallback="fallback">
        <RateLimitProvider options={{ fetch: server.fetch }}>
          <Page />
        </RateLimitProvider>
      </Suspense>,
    )
    await inTask(() => show(fetch('http://api.test/').then((response) => response.text())))
    expect(container.textContent).toContain('fallback')
    expect(server.aborted).toEqual([])
    await act(() => onClock.clock.advanceAsync(20))
    expect(container.textContent).toBe('answer')
  })
})
