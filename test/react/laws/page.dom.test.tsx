import { act, fireEvent } from '@testing-library/react'
import { composing, createCondition, pageHidden, pageHide } from 'lull'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderOn, type Mode } from '../support/render.tsx'
import { stubSizes, subjects, type Call, type Options, type Subject } from './subjects.tsx'

stubSizes()

/** Hides or shows the page. */
function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  fireEvent(document, new Event('visibilitychange'))
}

const hide = (): void => setVisibility('hidden')
const pagehide = (): void => void fireEvent(window, new Event('pagehide'))

/** A field that calls the hook with each text, and the instants of the runs. */
function renderField({ useHeld }: Subject, mode: Mode, options: Options) {
  const onClock = createOnClock(mode)
  const runs: [text: string, at: number][] = []
  let held: Call
  function Field({ wait = 200, hasField = true }: { wait?: number; hasField?: boolean }): ReactNode {
    const own = useHeld((text) => runs.push([text, onClock.clock.now()]), wait, { ...options })
    useInsertionEffect(() => {
      held = own
    })
    return hasField && <input />
  }
  const rendered = renderOn(onClock, <Field />)
  const field = rendered.container.querySelector('input')!
  return {
    ...rendered,
    Field,
    field,
    texts: () => runs.map(([text]) => text),
    runs,
    input: (text: string): void => act(() => held(text)),
    fire: (type: string): void => void fireEvent(field, new CompositionEvent(type, { bubbles: true })),
  }
}

type Field = ReturnType<typeof renderField>

describe.each(modes)('a page that is hidden or left, %s', (mode) => {
  it.each(
    subjects.flatMap((subject) => [
      { ...subject, subject, way: 'hidden, then pagehide', steps: [hide, pagehide] },
      { ...subject, subject, way: 'pagehide, then hidden', steps: [pagehide, hide] },
      { ...subject, subject, way: 'hidden twice', steps: [hide, hide] },
    ]),
  )('$name runs its pending call at once, and only once: $way, then unmount', ({ subject, steps }) => {
    const options = {
      flushOn: [pageHidden, pageHide],
      ...(!subject.isValue && { onUnmount: 'flush' as const }),
    } as const
    const { input, texts, unmount, advance } = renderField(subject, mode, options)
    input('hello')
    steps[0]!()
    expect(texts()).toEqual(['hello'])
    for (const step of steps) step()
    unmount()
    advance(10_000)
    expect(texts()).toEqual(['hello'])
  })

  it.each(subjects)('$name continues when the page is shown again, without a run then', async (subject) => {
    const { input, texts, advanceAsync } = renderField(subject, mode, { flushOn: [pageHidden] })
    input('before')
    hide()
    input('after')
    setVisibility('visible')
    expect(texts()).toEqual(['before'])
    await advanceAsync(1000)
    expect(texts()).toEqual(['before', 'after'])
  })
})

const timings: Options[] = [
  {},
  { leading: true },
  { leading: true, trailing: false },
  { maxWait: 400 },
  { leading: true, maxWait: 400 },
]

const conditional = subjects.filter(({ isConditional }) => isConditional)

const conditionals = conditional.flatMap((subject) =>
  timings.map((options) => [subject.name, options, subject] as const),
)

const ends: ((field: Field) => void)[] = [
  ({ input, fire }) => {
    input('日本')
    fire('compositionend')
  },
  ({ input, fire }) => {
    fire('compositionend')
    input('日本')
  },
  // The field loses focus midway, without an end event.
  ({ input, fire }) => {
    input('日本')
    fire('focusout')
  },
]

describe.each(modes)('held calls, %s', (mode) => {
  describe.each(conditionals)('%s, %j', (_, timing, subject) => {
    it('run once for composed text, with the final text, within the wait after its end', async () => {
      for (const end of ends) {
        const field = renderField(subject, mode, { ...timing, holdWhile: composing })
        field.input('n')
        await field.advanceAsync(5000)
        field.fire('compositionstart')
        for (const text of ['に', 'にh', 'にほん']) {
          field.fire('compositionupdate')
          field.input(text)
          await field.advanceAsync(1000)
        }
        expect(field.texts()).toEqual(['n'])
        const endedAt = field.clock.now()
        end(field)
        await field.advanceAsync(200)
        expect(field.texts()).toEqual(['n', '日本'])
        expect(field.runs[1]![1]).toBeGreaterThanOrEqual(endedAt)
        await field.advanceAsync(5000)
        field.input('日本 x')
        await field.advanceAsync(5000)
        expect(field.texts()).toEqual(['n', '日本', '日本 x'])
        field.unmount()
        expect([field.clock.pending, composing.isOn()]).toEqual([0, false])
      }
    })

    it('are due `wait` after the last call, or at once if that is over, in a later burst too', async () => {
      const listeners = new Set<() => void>()
      let isOn = false
      const holdWhile = createCondition({
        isOn: () => isOn,
        subscribe(listener) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      })
      const set = (next: boolean): void =>
        act(() => {
          isOn = next
          for (const listener of listeners) listener()
        })
      const { input, runs, advanceAsync, unmount, clock } = renderField(subject, mode, {
        ...timing,
        holdWhile,
      })
      expect(listeners.size).toBe(1)
      input('earlier')
      await advanceAsync(5000)
      runs.length = 0
      set(true)
      input('h')
      await advanceAsync(50)
      input('he')
      await advanceAsync(100)
      set(false)
      await advanceAsync(99)
      expect(runs).toEqual([])
      await advanceAsync(1)
      expect(runs).toEqual([['he', 5250]])
      await advanceAsync(5000)
      set(true)
      input('hello')
      await advanceAsync(5000)
      expect(runs).toHaveLength(1)
      set(false)
      await advanceAsync(0)
      expect(runs.slice(1)).toEqual([['hello', 15_250]])
      set(true)
      input('dropped')
      unmount()
      expect([listeners.size, clock.pending]).toEqual([0, 0])
    })
  })

  it.each(conditional)('$name: stay held after another wait, another unmount, and more text', (subject) => {
    const field = renderField(subject, mode, { holdWhile: composing })
    field.fire('compositionstart')
    field.input('に')
    field.rerender(<field.Field wait={300} />)
    renderField(subject, mode, { holdWhile: composing }).unmount()
    field.input('にほん')
    field.advance(5000)
    expect(field.texts()).toEqual([])
  })

  it.each(conditional)('$name: run on Android, where keyboards compose every word', async (subject) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 10; K) Chrome/140')
    const field = renderField(subject, mode, { holdWhile: composing })
    for (const type of ['compositionstart', 'compositionupdate']) field.fire(type)
    field.input('paris')
    await field.advanceAsync(300)
    expect(field.texts()).toEqual(['paris'])
  })

  it.each(conditional)('$name: run when the field is removed during a composition', async (subject) => {
    const field = renderField(subject, mode, { holdWhile: composing })
    field.fire('compositionstart')
    field.input('half')
    // Another element is removed.
    document.body.appendChild(document.createElement('p')).remove()
    await field.advanceAsync(1000)
    expect(field.texts()).toEqual([])
    field.rerender(<field.Field hasField={false} />)
    await field.advanceAsync(300)
    expect(field.texts()).toEqual(['half'])
  })
})

it('composing listens while it has listeners, and before other handlers of the same event', () => {
  const field = document.body.appendChild(document.createElement('input'))
  field.addEventListener('compositionstart', (event) => event.stopPropagation())
  const start = (): boolean => {
    fireEvent(field, new CompositionEvent('compositionstart', { bubbles: true }))
    return composing.isOn()
  }
  const heard = vi.fn()
  const stops = [1, 2].map(() => composing.subscribe(heard))
  fireEvent.focusIn(field)
  expect(heard).not.toHaveBeenCalled()
  expect(start()).toBe(true)
  fireEvent.compositionUpdate(field)
  expect(heard).toHaveBeenCalledTimes(stops.length)
  for (const stop of stops) stop()
  expect([composing.isOn(), start()]).toEqual([false, false])
})

it('conditions and triggers do nothing in React Native, whose window has no listeners', () => {
  for (const name of ['document', 'addEventListener', 'removeEventListener']) vi.stubGlobal(name, undefined)
  vi.stubGlobal('window', {})
  const attached = { configure: vi.fn(), flush: vi.fn() }
  for (const each of [composing, pageHidden, pageHide]) expect(each.attach(attached, {})).not.toThrow()
})
