import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseList as parse } from '../../../src/fetch/headers/structured-list.ts'
import { referenceList, type BareItem, type ListMember, type Parameters } from './reference-list.ts'
import { tries } from '../../laws/tries.ts'

function bareOf(text: string): BareItem {
  const { type, value } = referenceList(text)![0]!
  return { type, value } as BareItem
}

/** The members that the parser finds, with their texts as the reference reads them. */
const parseList = (text: string): ListMember[] | undefined =>
  parse(text)?.map(({ item, params }) => ({
    ...referenceList(item)![0]!,
    params: new Map(Array.from(params, ([key, value]) => [key, bareOf(value)])),
  }))

/** A case of the HTTP working group's own suite. */
interface Case {
  name: string
  raw: string[]
  header_type: 'item' | 'list'
  must_fail?: boolean
  can_fail?: boolean
  expected?: unknown
}

/** A Decimal of the suite is told from an Integer by its point alone, which JSON would lose. */
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

/** How the suite writes what we read. */
function bareAsInSuite({ type, value }: BareItem): unknown {
  switch (type) {
    case 'integer':
    case 'string':
    case 'boolean':
      return value
    case 'bytes':
      return { __type: 'binary', value: base32(value) }
    case 'display':
      return { __type: 'displaystring', value }
    default:
      return { __type: type, value }
  }
}
const paramsAsInSuite = (params: Parameters) => [...params].map(([key, item]) => [key, bareAsInSuite(item)])
const asInSuite = (member: ListMember): unknown => [
  member.type === 'list' ? member.value.map(asInSuite) : bareAsInSuite(member),
  paramsAsInSuite(member.params),
]

/** Cases of one Item that is malformed, whose text is a List of two. */
const listsAmongItems = ['number: comma']

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

  it('are all here', () => {
    expect(cases).toHaveLength(169)
    expect(cases.filter(({ must_fail }) => must_fail)).toHaveLength(88)
  })

  it.each(cases.filter(({ id }) => !listsAmongItems.includes(id)))(
    '$id',
    ({ text, expected, must_fail, can_fail }) => {
      const members = parseList(text)
      if (must_fail) expect(members).toBeUndefined()
      else if (members || !can_fail) expect(members?.map(asInSuite)).toEqual(expected)
    },
  )

  it('leaves out but an Item with a comma in it, which is a List', () => {
    expect(cases.filter(({ id }) => listsAmongItems.includes(id)).map(({ text }) => text)).toEqual(['2,3'])
    expect(parseList('2,3')?.map(asInSuite)).toEqual([
      [2, []],
      [3, []],
    ])
  })

  it('has all of it read that may be refused', () => {
    const tolerated = cases.filter(({ can_fail }) => can_fail)
    expect(tolerated).toHaveLength(6)
    for (const { text, expected } of tolerated) expect(parseList(text)?.map(asInSuite)).toEqual(expected)
  })
})

describe('a list', () => {
  it('keeps Integers and Decimals apart', () => {
    const types = parseList('30, 30.0, @30')?.map(({ type, value }) => [type, value])
    expect(types).toEqual([
      ['integer', 30],
      ['decimal', 30],
      ['date', 30],
    ])
  })

  it('has no negative zero', () => {
    for (const { value } of parseList('-0, -0.0, @-0')!) expect(value).toBe(0)
  })

  it('takes the last of a parameter given twice, where it first stood', () => {
    const [member] = parseList('a;x=1;y;x="2"')!
    expect([...member!.params]).toEqual([
      ['x', { type: 'string', value: '2' }],
      ['y', { type: 'boolean', value: true }],
    ])
  })

  it('takes no harm from names that objects have', () => {
    const [member] = parseList('constructor;__proto__=1;constructor=2;*proto=3') ?? []
    // A key cannot begin with a low line.
    expect(member).toBeUndefined()
    const [named] = parseList('constructor;constructor=2;to_string')!
    expect(named).toMatchObject({ type: 'token', value: 'constructor' })
    expect(named!.params.get('valueof')).toBeUndefined()
    expect(parseList('"__proto__"')![0]).toMatchObject({ value: '__proto__' })
  })

  it('has no tabs before its first member', () => {
    expect(parseList(' \ta')).toBeUndefined()
    expect(parseList('\t')).toBeUndefined()
    expect(parseList('  ')).toEqual([])
    expect(parseList(' a\t ')).toHaveLength(1)
  })
})

const pieces = [
  ...[
    '"default"',
    '"\\"\\\\"',
    'a',
    '*/x',
    'R',
    '0',
    '-0',
    '30',
    '30.0',
    '-1.125',
    '999999999999999',
    '1000000000000000',
  ],
  ...[
    '1234567890123.1',
    '1.1234',
    '@30',
    '@1.5',
    ':cHsdsRa894==:',
    ':aGk:',
    ':a:',
    ':a==:',
    '?1',
    '?0',
    '?2',
  ],
  ...[
    '%"f%c3%bc"',
    '%"%ff"',
    '%"%C3%BC"',
    '%"%efbb%bf"',
    '%"%ef%bb%bf"',
    '(',
    ')',
    '()',
    '(a b)',
    '( 1 )',
    ';r=0',
    ';t=30',
  ],
  ...[
    ';pk=:YQ==:',
    '; q',
    ';',
    '=',
    ';__proto__=1',
    ';*=1',
    ',',
    ', ',
    '\t,',
    ' ',
    '\t',
    '"',
    '\\',
    'é',
    ';r=-1',
    ';a.b_c-d*=1',
  ],
]
const likely = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))
const sound = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '"burst"',
        'daily',
        '42',
        '-1.5',
        ':YQ==:',
        '?1',
        '@0',
        '%"%c3%a9"',
        '(a "b";c 1)',
        '()',
      ),
      fc.array(fc.constantFrom(';r=0', '; t=30', ';pk=:YQ==:', ';x', ';r="7"', ';c=1.250'), { maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((members) => members.map(([item, params]) => item + params.join('')).join(', '))
const mutated = fc
  .tuple(sound, fc.nat(60), fc.nat(2), fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 2 })))
  .map(([text, at, drop, insert]) => text.slice(0, at) + insert + text.slice(at + drop))
const anything = fc.oneof(
  likely,
  sound,
  mutated,
  mutated,
  fc.string({ unit: fc.constantFrom(...Array.from('"\\;=,()?@%:-.*019azA \t')), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

describe('whatever is sent', () => {
  it('is read as the RFC reads it step by step, and never throws', () => {
    let texts = 0
    let understood = 0
    fc.assert(
      fc.property(anything, (text) => {
        texts++
        const members = parseList(text)
        expect(members).toEqual(referenceList(text))
        if (members) understood++
      }),
      tries(40_000),
    )
    expect(understood / texts).toBeGreaterThan(0.25)
  })

  const most = 2 ** 17
  const fill = (part: string): string => part.repeat(most / part.length)
  const hostile = [
    ...[
      '"',
      '"a',
      'a',
      '1',
      '-',
      '@',
      '?',
      ':',
      ':a',
      ':=',
      '%',
      '%"',
      '%"%25',
      '(',
      '( ',
      ')',
      ';',
      ',',
      ' ',
      '\t',
      '\\',
      '"\\',
    ],
    ...[
      'a,',
      'a, ',
      'a\t,',
      '(a ',
      '()',
      '();',
      'a;a',
      ';a',
      ';a=',
      ';a=1',
      '1.',
      '1.1',
      'é',
      '"\\"',
      '"\\""',
      ':a:',
      '%"a"',
      '%"%',
    ],
  ]

  it.each(hostile)('128 KiB of %j is read in linear time', (part) => {
    // Each is also tried behind what leads into every loop. What is not linear would take minutes.
    for (const start of ['', 'a', 'a;', 'a;b=', '(', '(a', '"', ':', '%"', 'a ', '1'])
      parse(start + fill(part))
  })
})
