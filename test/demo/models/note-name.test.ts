import { afterEach, expect, it, vi } from 'vitest'
import { noteName } from '../../../demo/src/playground/autosave/note-name.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The storage of a tab in which `kept` stands. */
function stubStorage(kept: string | null) {
  const values = new Map([['lull-note', kept]])
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  })
}

it('is the same after a reload', () => {
  stubStorage(null)
  const name = noteName()
  expect(name).toMatch(/^note-[a-z0-9]+$/)
  expect(noteName()).toBe(name)
})

it.each(['', 'note-', 'note-A', 'note-a&client=other', `note-${'a'.repeat(1000)}`])(
  'is a new one where %j was kept, which is none of ours',
  (kept) => {
    stubStorage(kept)
    expect(noteName()).not.toBe(kept)
    expect(noteName()).toMatch(/^note-[a-z0-9]{1,10}$/)
  },
)

it('is one for this page where storage is denied', () => {
  vi.stubGlobal('sessionStorage', {
    getItem() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(noteName()).toMatch(/^note-[a-z0-9]{1,10}$/)
})
