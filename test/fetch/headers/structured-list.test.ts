import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { readRateLimit } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tries } from '../../laws/tries.ts'
import { referenceList, type BareItem, type ListMember, type Parameters } from './reference-list.ts'

const PROBE = '"a probe";q=1'

/** What is read of the policies, as `name quota/seconds`. Of a field that is no List that is nothing. */
const namesOf = (text: string): string[] =>
  readRateLimit(new Headers({ 'RateLimit-Policy': text })).policies.map(
    ({ name, quota, windowMs = NaN }) => `${name} ${quota}/${windowMs / 1000}`,
  )

/** Whether a policy behind the text is read, for then the text is a List. */
const isList = (text: string): boolean =>
  namesOf(text === '' ? PROBE : `${text}, ${PROBE}`).some((name) => name.startsWith('a probe'))

/** The same, as the reference has it. */
function expectedNames(text: string): string[] {
  const policies = new Map<string, [quota: number, seconds: number]>()
  for (const { type, value, params } of referenceList(text) ?? []) {
    const [quota, seconds, partition] = ['q', 'w', 'pk'].map((key) => params.get(key))
    if (type !== 'string' && type !== 'token') continue
    if (quota?.type !== 'integer' || quota.value < 0 || (partition && partition.type !== 'bytes')) continue
    if (seconds && (seconds.type !== 'integer' || seconds.value < 1)) continue
    const [least = Infinity, longest = 0] = policies.get(value) ?? []
    policies.set(value, [Math.min(least, quota.value), Math.max(longest, seconds?.value ?? 0)])
  }
  return [...policies].slice(0, 8).map(([name, [quota, seconds]]) => `${name} ${quota}/${seconds || NaN}`)
}

/** A case of the HTTP working group's own suite. */
interface Case {
  name: string
  raw: string[]
  header_type: 'item' | 'list'
  must_fail?: boolean
  can_fail?: boolean
  expected?: unknown
}

/** A Decimal of the suite differs from an Integer by its point alone, which JSON would lose. */
function casesOf(file: string): Case[] {
  const url = new URL(`../../fixtures/structured-field-tests/${file}.json`, import.meta.url)
  const marked = readFileSync(url, 'utf8').replace(/"(?:[^"\\]|\\.)*"|-?\d+\.\d+/g, (text) =>
    text.startsWith('"') ? text : `{"__type":"decimal","value":${text}}`,
  )
  return JSON.parse(marked) as Case[]
}

function base32(bytes: string): string {
  const bits = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map(
    (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)]!,
  )
  return digits.join('').padEnd(Math.ceil(digits.length / 8) * 8, '=')
}

/** How the suite writes what the reference reads. */
function bareAsInSuite({ type, value }: BareItem): unknown {
  if (type === 'integer' || type === 'string' || type === 'boolean') return value
  if (type === 'bytes') return { __type: 'binary', value: base32(value) }
  return { __type: type === 'display' ? 'displaystring' : type, value }
}
const paramsAsInSuite = (params: Parameters) => [...params].map(([key, item]) => [key, bareAsInSuite(item)])
const asInSuite = (member: ListMember): unknown => [
  member.type === 'list' ? member.value.map(asInSuite) : bareAsInSuite(member),
  paramsAsInSuite(member.params),
]

describe('the structured field tests of the HTTP working group', () => {
  const lists = ['list', 'listlist', 'param-list', 'param-listlist']
  const items = ['number', 'string', 'token', 'binary', 'boolean', 'date', 'display-string']
  const cases = [...lists, ...items].flatMap((file) =>
    casesOf(file).map(({ raw, header_type, expected, ...rest }) => ({
      ...rest,
      id: `${file}: ${rest.name}`,
      text: raw.join(', '),
      // An Item is a List of one.
      expected: header_type === 'item' ? [expected] : expected,
    })),
  )
  /** One Item with a comma is malformed, and a List of two. */
  const comma = cases.filter(({ id }) => id === 'number: comma')

  it('are all here', () => {
    expect([cases.length, comma.length]).toEqual([169, 1])
    expect(cases.filter(({ must_fail }) => must_fail)).toHaveLength(88)
    expect(comma.map(({ text }) => isList(text))).toEqual([true])
  })

  // What may be refused is read, too.
  it.each(cases.filter((one) => !comma.includes(one)))('$id', ({ text, expected, must_fail }) => {
    const members = referenceList(text)
    expect(members?.map(asInSuite)).toEqual(must_fail ? undefined : expected)
    // No header can hold a control character.
    if (!/^[\t -~\u0080-\u00ff]*$/.test(text)) return
    expect(isList(text)).toBe(!must_fail)
    expect(namesOf(text)).toEqual(expectedNames(text))
  })
})

// Characters, and what they make together.
const pieces =
  `"default" "\\"\\\\" a */x R 0 -0 30 30.0 -1.125 999999999999999 1000000000000000 1234567890123.1 1.1234
  @30 @1.5 :cHsdsRa894==: :aGk: :a: :a==: ?1 ?0 ?2 %"f%c3%bc" %"%ff" %"%C3%BC" %"%efbb%bf" %"%ef%bb%bf" ( ) () ;q=0 ;w=30
  ;pk=:YQ==: ; = ;__proto__=1 ;*=1 , " \\ é ;q=-1 ;a.b_c-d*=1`
    .split(/\s+/)
    .concat('(a b)', '( 1 )', '; q', ', ', '\t,', ' ', '\t')
const likely = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))
const items = [
  '"burst"',
  'daily',
  'daily',
  '42',
  '-1.5',
  ':YQ==:',
  '?1',
  '@0',
  '%"%c3%a9"',
  '(a "b";c 1)',
  '()',
]
const params = [';q=7', ';q=7', '; q=9', ';q=0', '; w=30', ';pk=:YQ==:', ';x', ';q="7"', ';c=1.250']
const sound = fc
  .array(fc.tuple(fc.constantFrom(...items), fc.array(fc.constantFrom(...params), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((members) => members.map(([item, params]) => item + params.join('')).join(', '))
const mutated = fc
  .tuple(sound, fc.nat(60), fc.nat(2), fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 2 })))
  .map(([text, at, drop, insert]) => text.slice(0, at) + insert + text.slice(at + drop))
const anything = fc
  .oneof(
    likely,
    sound,
    mutated,
    mutated,
    fc.string({ unit: fc.constantFrom(...Array.from('"\\;=,()?@%:-.*019azA \t')), maxLength: 12 }),
    fc.string({ maxLength: 12 }),
  )
  // Headers take the white space around a value away, and hold no control character.
  .map((text) => text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, ''))
  .filter((text) => /^[\t -~\u0080-\u00ff]*$/.test(text))

describe('whatever is sent', () => {
  it('is read as the RFC reads it step by step, and never throws', () => {
    let texts = 0
    let understood = 0
    let named = 0
    fc.assert(
      fc.property(anything, (text) => {
        const isOne = referenceList(text) !== undefined
        expect(isList(text)).toBe(isOne)
        const names = namesOf(text)
        expect(names).toEqual(expectedNames(text))
        texts++
        if (isOne) understood++
        if (names.length > 0) named++
      }),
      tries(40_000),
    )
    expect(understood / texts).toBeGreaterThan(0.25)
    expect(named / texts).toBeGreaterThan(0.05)
  })

  const hostile =
    `" "a a 1 - @ ? : :a := %" %"%25 ( ) ; , \\ "\\ a, (a () (); a;a ;a ;a= ;a=1 1. 1.1 é "\\" "\\"" :a: %"a" %"%`
      .split(' ')
      .concat('( ', ' ', '\t', 'a, ', 'a\t,', '(a ')

  it.each(hostile)('8 KiB of %j is read in linear time', (part) => {
    // Each is also tried behind what leads into every loop. What takes exponential time would not come back.
    for (const start of ['', 'a', 'a;', 'a;b=', '(', '(a', '"', ':', '%"', 'a ', '1'])
      namesOf((start + part.repeat(8192 / part.length)).slice(0, 8192))
  })
})
