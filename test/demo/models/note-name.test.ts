import { afterEach, expect, it, vi } from 'vitest'
import { noteName } from '../../../demo/src/playground/autosave/note-name.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function stubStorage(kept: string | null) {
  const values = new Map([['lull-note', kept]])
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  })
}

it('keeps the name after a reload', () => {
  stubStorage(null)
  const name = noteName()
  expect(name).toMatch(/^note-[a-z0-9]+$/)
  expect(noteName()).toBe(name)
})

it.each(['', 'note-', 'note-A', 'note-a&client=other', `note-${'a'.repeat(1000)}`])(
  'replaces the invalid stored name %j',
  (kept) => {
    stubStorage(kept)
    expect(noteName()).not.toBe(kept)
    expect(noteName()).toMatch(/^note-[a-z0-9]{1,10}$/)
  },
)

it('creates a name for this page if storage is denied', () => {
  vi.stubGlobal('sessionStorage', {
    getItem() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(noteName()).toMatch(/^note-[a-z0-9]{1,10}$/)
})
