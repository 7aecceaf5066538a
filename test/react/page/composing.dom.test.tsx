import { act } from '@testing-library/react'
import {
  composing,
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useThrottle,
  useThrottledCallback,
  type TimingOptions,
} from 'lull'
import { useEffect, useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderOn, type Mode } from '../support/render-on-clock.tsx'

type Run = (text: string) => void
/** Runs `run` for the text that is typed: as it is called with it, or as it is rendered with it. */
type UseTyped = (text: string, run: Run, wait: number) => Run | undefined

const holdWhile = composing
const onCall = (useHeld: (run: Run, wait: number) => Run): UseTyped =>
  function useTyped(_, run, wait) {
    return useHeld(run, wait)
  }

const onRender = (useValue: (text: string, wait: number) => string): UseTyped =>
  function useTyped(text, run, wait) {
    const value = useValue(text, wait)
    useEffect(() => {
      if (value) run(value)
    }, [run, value])
    return undefined
  }

const debounced = (options: TimingOptions): UseTyped =>
  onCall((run, wait) => useDebouncedCallback(run, wait, { ...options, holdWhile }))

const kinds: [name: string, useTyped: UseTyped][] = [
  ['useDebouncedCallback', debounced({})],
  ['useDebouncedCallback, leading', debounced({ leading: true })],
  ['useDebouncedCallback, leading alone', debounced({ leading: true, trailing: false })],
  ['useDebouncedCallback, maxWait', debounced({ maxWait: 400 })],
  ['useDebouncedCallback, leading and maxWait', debounced({ leading: true, maxWait: 400 })],
  ['useThrottledCallback', onCall((run, wait) => useThrottledCallback(run, wait, { holdWhile }))],
  [
    'useDebouncedAsync',
    onCall((run, wait) => useDebouncedAsync((_, text: string) => run(text), wait, { holdWhile }).run),
  ],
  [
    'useDebouncedAsync, leading',
    onCall(
      (run, wait) =>
        useDebouncedAsync((_, text: string) => run(text), wait, { leading: true, holdWhile }).run,
    ),
  ],
  [
    'useDebouncedState',
    (_, run, wait) => {
      const [value, set] = useDebouncedState('', wait, { holdWhile })
      useEffect(() => {
        if (value) run(value)
      }, [run, value])
      return set
    },
  ],
  ['useDebounce', onRender((text, wait) => useDebounce(text, wait, { holdWhile }))],
  [
    'useDebounce, leading and maxWait',
    onRender((text, wait) => useDebounce(text, wait, { leading: true, maxWait: 400, holdWhile })),
  ],
  ['useThrottle', onRender((text, wait) => useThrottle(text, wait, { holdWhile }))],
]

/** A field whose text a keyboard, or an input method, types. */
function renderField(mode: Mode, useTyped: UseTyped, waitFor: (text: string) => number = () => 200) {
  const onClock = createOnClock(mode)
  const runs: [text: string, at: number][] = []
  const run: Run = (text) => void runs.push([text, onClock.clock.now()])
  function Field(): ReactNode {
    const [text, setText] = useState('')
    const call = useTyped(text, run, waitFor(text))
    return (
      <input
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          call?.(target.value)
        }}
      />
    )
  }
  const { container, unmount } = renderOn(onClock, <Field />)
  const field = container.querySelector('input')!

  function fire(type: string): void {
    act(() => void field.dispatchEvent(new CompositionEvent(type, { bubbles: true })))
  }
  function input(text: string): void {
    act(() => {
      // Past the setter by which React knows what the field held.
      Reflect.set(HTMLInputElement.prototype, 'value', text, field)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
  }
  return {
    ...onClock,
    runs,
    unmount,
    fire,
    input,
    compose(...texts: string[]): void {
      for (const text of texts) {
        fire('compositionupdate')
        input(text)
        onClock.advance(1000)
      }
    },
  }
}

type Field = ReturnType<typeof renderField>

const ends: [order: string, end: (field: Field) => void][] = [
  [
    'input, then compositionend',
    ({ input, fire }) => {
      input('日本')
      fire('compositionend')
    },
  ],
  [
    'compositionend, then input',
    ({ input, fire }) => {
      fire('compositionend')
      input('日本')
    },
  ],
  [
    'blur in the midst, then compositionend',
    ({ input, fire }) => {
      input('日本')
      fire('focusout')
      fire('compositionend')
    },
  ],
  [
    'blur in the midst, and no compositionend',
    ({ input, fire }) => {
      input('日本')
      fire('focusout')
    },
  ],
]

describe.each(modes)('text that is being composed with an input method, %s', (mode) => {
  describe.each(kinds)('%s', (_, useTyped) => {
    it.each(ends)('makes one run, with the final text: %s', (_, end) => {
      const field = renderField(mode, useTyped)
      field.fire('compositionstart')
      field.compose('に', 'にh', 'にほん')
      expect(field.runs).toEqual([])
      end(field)
      field.advance(5000)
      expect(field.runs.map(([text]) => text)).toEqual(['日本'])
      field.unmount()
      expect(field.clock.pending).toBe(0)
    })

    it('makes it within the wait after the composition has ended', () => {
      const field = renderField(mode, useTyped)
      field.fire('compositionstart')
      field.compose('に', 'にほん')
      const endedAt = field.clock.now()
      ends[1]![1](field)
      field.advance(200)
      expect(field.runs).toHaveLength(1)
      expect(field.runs[0]![1]).toBeGreaterThanOrEqual(endedAt)
    })

    it('runs as ever before it and after it', () => {
      const field = renderField(mode, useTyped)
      field.input('n')
      field.advance(5000)
      field.fire('compositionstart')
      field.compose('nに')
      ends[0]![1](field)
      field.advance(5000)
      field.input('日本 x')
      field.advance(5000)
      expect(field.runs.map(([text]) => text)).toEqual(['n', '日本', '日本 x'])
    })
  })

  it('is not let go by a wait that changes as the text does', () => {
    const field = renderField(mode, debounced({}), (text) => 200 + text.length)
    field.fire('compositionstart')
    field.compose('に', 'にh', 'にほん')
    expect(field.runs).toEqual([])
    ends[0]![1](field)
    field.advance(5000)
    expect(field.runs.map(([text]) => text)).toEqual(['日本'])
  })

  it('is not let go by another component that mounts, and goes, in the midst of it', () => {
    const field = renderField(mode, debounced({}))
    field.fire('compositionstart')
    field.compose('に')
    const other = renderField(mode, debounced({}))
    other.unmount()
    field.compose('にほん')
    expect(field.runs).toEqual([])
  })

  it('flush runs what there is, for who asks for it', () => {
    let flush!: () => void
    const field = renderField(
      mode,
      onCall((run, wait) => {
        const held = useDebouncedCallback(run, wait, { holdWhile })
        useEffect(() => {
          flush = held.flush
        }, [held])
        return held
      }),
    )
    field.fire('compositionstart')
    field.compose('にほん')
    flush()
    expect(field.runs.map(([text]) => text)).toEqual(['にほん'])
  })

  it('leaves no listener when the component is gone', () => {
    const field = renderField(mode, debounced({}))
    field.fire('compositionstart')
    field.unmount()
    expect(composing.isOn()).toBe(false)
    dispatchEvent(new CompositionEvent('compositionstart'))
    expect(composing.isOn()).toBe(false)
  })
})
