import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLink, writeLink } from '../../../demo/src/settings/link.ts'
import { schema, type AllSettings } from '../../../demo/src/settings/schema.ts'
import { forAll } from '../../laws/tries.ts'

type AnyField = { initial: unknown; range?: { min: number; max: number } }

const initial = readLink('')

it('writes no defaults', () => {
  expect(writeLink(initial)).toBe('')
  expect(initial.page).toMatchObject({ driver: 'debounced', wait: 300, maxWait: Infinity })
})

it('writes other values in readable words', () => {
  const settings: AllSettings = {
    ...initial,
    page: { ...initial.page, driver: 'throttled', wait: 500, leading: true, maxWait: 1000 },
    time: { speed: 0.1 },
  }
  const hash = '#page.driver=throttled&page.wait=500&page.leading=on&page.maxWait=1000&time.speed=0.1'
  expect(writeLink(settings)).toBe(hash)
  expect(readLink(hash)).toEqual(settings)
})

it('reads back what it has written', () => {
  const groups = Object.entries<Record<string, AnyField>>(schema).map(([name, fields]) => {
    const values = Object.entries(fields).map(([key, field]) => {
      const others = field.range ? [fc.double({ ...field.range, noNaN: true })] : []
      return [key, fc.oneof(fc.constant(field.initial), ...others)] as const
    })
    return [name, fc.record(Object.fromEntries(values))] as const
  })
  forAll(300, fc.record(Object.fromEntries(groups)), (settings) => {
    expect(readLink(writeLink(settings as unknown as AllSettings))).toEqual(settings)
  })
})

it.each([
  '#page.wait=1e9',
  '#page.wait=-1',
  '#page.wait=NaN',
  '#page.wait=',
  '#page.driver=toString',
  '#page.leading=1',
  '#page.constructor=1&__proto__.wait=2',
  '#time.speed=0',
  '#modes.maxWait=none',
  `#page.wait=500&x=${'y'.repeat(3000)}`,
])('reads the defaults from the invalid link %s', (hash) => {
  expect(readLink(hash)).toEqual(initial)
})

it('does not throw for any text', () => {
  forAll(300, fc.string({ unit: 'binary' }), (text) => {
    const settings = readLink(`#${text}`)
    expect(readLink(writeLink(settings))).toEqual(settings)
  })
})
