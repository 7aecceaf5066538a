import { readFileSync } from 'node:fs'
import { readRateLimit } from 'lull/fetch'
import { describe, expect, it } from 'vitest'

type Case = { name: string; raw: string[]; must_fail?: boolean }

const PROBE = '"a probe";q=1'

/** The policies as `name quota/seconds`; empty for a field that is no List. */
const namesOf = (text: string): string[] =>
  readRateLimit(new Headers({ 'RateLimit-Policy': text })).policies.map(
    ({ name, quota, windowMs = NaN }) => `${name} ${quota}/${windowMs / 1000}`,
  )

/** Whether a policy after the text is read, which is so only if the text is a List. */
const isList = (text: string): boolean =>
  namesOf(text === '' ? PROBE : `${text}, ${PROBE}`).some((name) => name.startsWith('a probe'))

describe('the structured field tests of the HTTP working group', () => {
  const lists = ['list', 'listlist', 'param-list', 'param-listlist']
  const items = ['number', 'string', 'token', 'binary', 'boolean', 'date', 'display-string']
  const cases = [...lists, ...items].flatMap((file) => {
    const url = new URL(`../../fixtures/structured-field-tests/${file}.json`, import.meta.url)
    const all = JSON.parse(readFileSync(url, 'utf8')) as Case[]
    return all.map((one) => ({ ...one, id: `${file}: ${one.name}`, text: one.raw.join(', ') }))
  })

  // An Item is a List of one, but with a comma a List of two. Optional refusals are read, too. No header can hold a control character.
  it.each(cases.filter(({ id, text }) => id !== 'number: comma' && /^[\t -~\u0080-\u00ff]*$/.test(text)))(
    '$id',
    ({ text, must_fail }) => expect(isList(text)).toBe(!must_fail),
  )

  // Cases that the suite lacks.
  it.each([
    ['*a', true],
    ['a;*k', true],
    ['a;k_*.-9=1', true],
    ['"\\a"', false],
    ['?2', false],
  ])('%j is a List: %s', (text, is) => expect(isList(text)).toBe(is))
})

const hostile =
  `" "a a 1 - @ ? : :a := %" %"%25 ( ) ; , \\ "\\ a, (a () (); a;a ;a ;a= ;a=1 1. 1.1 é "\\" "\\"" :a: %"a" %"%`
    .split(' ')
    .concat('( ', ' ', '\t', 'a, ', 'a\t,', '(a ')

it.each([
  [8192, 1],
  [8193, 0],
])('of a header with %i characters, %i policies are read', (length, count) => {
  expect(namesOf(`${PROBE};x`.padEnd(length, 'x'))).toHaveLength(count)
})

it.each(hostile)('8 KiB of %j is read in linear time', (part) => {
  // Each also follows a prefix that enters every loop. Exponential time would hang.
  for (const start of ['', 'a', 'a;', 'a;b=', '(', '(a', '"', ':', '%"', 'a ', '1'])
    namesOf((start + part.repeat(8192 / part.length)).slice(0, 8192))
})
