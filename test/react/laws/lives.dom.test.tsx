import { act } from '@testing-library/react'
import {
  Activity,
  lazy,
  startTransition,
  Suspense,
  useInsertionEffect,
  useState,
  type ReactNode,
} from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, createStage, inTask, modes, renderOn } from '../support/render.tsx'
import { dueIn, policied, stubSizes, subjects, WAIT, type Options, type Subject } from './subjects.tsx'

stubSizes()

/** A component with the hook: its saved texts, and a function that calls the hook. */
function createEditor(subject: Subject, options?: Options) {
  const saved: string[] = []
  let held: (text: string) => void
  function Editor({ version = 0 }: { version?: number }): ReactNode {
    const own = subject.useHeld((text) => saved.push(`${text} in ${version}`), WAIT, { ...options })
    useInsertionEffect(() => {
      held = own
    })
    return 'editor'
  }
  return {
    Editor,
    saved,
    call: (text: string): void => act(() => held(text)),
    callNow: (text: string) => held(text),
  }
}

describe.each(modes)('a component that is unmounted, hidden or never shown, %s', (mode) => {
  const ends = policied.flatMap((each) => (['unmount', 'hide'] as const).map((end) => ({ ...each, end })))
  it.each(ends)(
    '$name, $onUnmount: $end ends it, with the last call and the last callback; it ignores calls until it is shown',
    async ({ subject, onUnmount, end }) => {
      const stage = createStage(mode)
      const { Editor, saved, call } = createEditor(subject, { onUnmount })
      await stage.render(<Editor />)
      call('h')
      call('he')
      await stage.render(<Editor version={1} />)
      await stage[end]()
      const expected = onUnmount === 'flush' ? ['he in 1'] : []
      expect([saved, stage.clock.pending]).toEqual([expected, 0])
      call('late')
      expect(stage.clock.pending).toBe(0)
      await stage.advance(1000)
      expect(saved).toEqual(expected)
      if (end === 'unmount') return
      await stage.show()
      call('shown')
      await stage.advance(1000)
      expect([saved, stage.clock.pending]).toEqual([[...expected, 'shown in 1'], 0])
    },
  )

  const hidings = policied.flatMap((each) => [0, 1000].map((hiddenMs) => ({ ...each, hiddenMs })))
  it.each(hidings.filter(({ isValue }) => !isValue))(
    '$name, $onUnmount: still ends when hidden for $hiddenMs ms and shown in the same task, as fake timers can',
    async ({ subject, onUnmount, hiddenMs }) => {
      const onClock = createOnClock(mode)
      const { Editor, saved, call } = createEditor(subject, { onUnmount })
      const page = (activity: 'visible' | 'hidden'): ReactNode => (
        <Activity mode={activity}>
          <Editor />
        </Activity>
      )
      const { rerender } = renderOn(onClock, page('visible'))
      call('pending')
      rerender(page('hidden'))
      onClock.advance(hiddenMs)
      rerender(page('visible'))
      onClock.advance(1000)
      const expected = onUnmount === 'flush' ? ['pending in 0'] : []
      expect([saved, onClock.clock.pending]).toEqual([expected, 0])
      call('shown')
      await onClock.advanceAsync(1000)
      expect(saved).toEqual([...expected, 'shown in 0'])
    },
  )

  it.each(subjects)('$name keeps its pending call while its boundary shows the fallback', async (subject) => {
    const stage = createStage(mode, 'Suspense')
    const { Editor, saved, call } = createEditor(subject)
    await stage.render(<Editor />)
    call('hello')
    await stage.advance(dueIn(subject) / 2)
    await stage.hide()
    expect(stage.container.textContent).toContain('waiting')
    await stage.show()
    expect(saved).toEqual([])
    await stage.advance(dueIn(subject) / 2)
    // StrictMode remounts a component that is shown again, which cancels a pending frame.
    expect(saved).toEqual(subject.isFrame && mode === 'StrictMode' ? [] : ['hello in 0'])
    call('again')
    await stage.advance(dueIn(subject))
    expect(saved.at(-1)).toBe('again in 0')
  })

  it.each(subjects)(
    '$name runs the callback of the last commit, not of an abandoned transition',
    async (subject) => {
      const onClock = createOnClock(mode)
      const { Editor, saved, call } = createEditor(subject)
      const Never = lazy(() => new Promise<never>(() => undefined))
      let show!: (version: number) => void
      function App(): ReactNode {
        const [version, setVersion] = useState(0)
        useInsertionEffect(() => void (show = setVersion), [])
        return (
          <Suspense>
            <Editor version={version} />
            {version > 0 && <Never />}
          </Suspense>
        )
      }
      renderOn(onClock, <App />)
      call('hello')
      act(() => startTransition(() => show(1)))
      await onClock.advanceAsync(1000)
      expect([saved, onClock.clock.pending]).toEqual([['hello in 0'], 0])
    },
  )

  it.each(subjects)('$name leaves no timer if hidden at first, and works once shown', async (subject) => {
    const stage = createStage(mode, 'Activity', true)
    const { Editor, saved, call } = createEditor(subject)
    await stage.render(<Editor />)
    call('too early')
    await stage.show()
    call('shown')
    await stage.advance(dueIn(subject))
    expect(saved).toEqual(['shown in 0'])
    await stage.unmount()

    const other = createStage(mode, 'Activity', true)
    await other.render(<Editor />)
    call('never shown')
    await other.unmount()
    expect(other.clock.pending).toBe(0)
    await other.advance(1000)
    expect(saved).toHaveLength(1)
  })

  it.each(policied)(
    '$name, $onUnmount: ends within the commit when removed in a transition, and then ignores calls',
    async (policied) => {
      const { subject, onUnmount } = policied
      const onClock = createOnClock(mode)
      const { Editor, saved, call, callNow } = createEditor(subject, { onUnmount })
      let remove!: () => void
      function App(): ReactNode {
        const [isThere, setThere] = useState(true)
        useInsertionEffect(() => void (remove = () => setThere(false)), [])
        return (
          isThere && (
            <p>
              <Editor />
            </p>
          )
        )
      }
      const { container } = renderOn(onClock, <App />)
      call('pending')
      const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
      environment.IS_REACT_ACT_ENVIRONMENT = false
      // The observer runs in the microtask after the commit, before React's cleanups of `useEffect`.
      const inCommit = new Promise<unknown>((resolve) => {
        new MutationObserver((_, observer) => {
          observer.disconnect()
          const pending = subject.isValue ? 0 : onClock.clock.pending
          callNow('late')
          onClock.clock.advance(dueIn(subject))
          resolve([[...saved], pending])
        }).observe(container, { childList: true })
      })
      try {
        startTransition(() => remove())
        expect(await inCommit).toEqual([onUnmount === 'flush' ? ['pending in 0'] : [], 0])
      } finally {
        environment.IS_REACT_ACT_ENVIRONMENT = true
      }
      await inTask(() => undefined)
      call('late')
    },
  )
})
