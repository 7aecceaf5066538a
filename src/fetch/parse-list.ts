/** A value without parameters. A Byte Sequence is a text of one character per byte; a Date is in seconds. */
export type BareItem =
  | { readonly type: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly type: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }

/** By name; of one given twice the last. A Map, for `__proto__` is a name like any other. R147 */
export type Parameters = ReadonlyMap<string, BareItem>
type Item = BareItem & { readonly params: Parameters }
interface InnerList {
  readonly type: 'list'
  readonly value: readonly Item[]
  readonly params: Parameters
}
export type ListMember = Item | InnerList

/*
 * R144: within each pattern the next character tells how to go on (but for a Decimal, tried before an Integer), and each
 * is tried at one place only. Digits that are too many are left over, where nothing may follow that begins with one.
 */
const ITEM = /* @__PURE__ */ new RegExp(
  [
    '(-?\\d{1,12}\\.\\d{1,3})',
    '(-?\\d{1,15})',
    '@(-?\\d{1,15})',
    '"([ !#-[\\]-~]*(?:\\\\["\\\\][ !#-[\\]-~]*)*)"',
    "([A-Za-z*][\\w!#$%&'*+.^`|~:/-]*)",
    ':([A-Za-z\\d+/]*=*):',
    '\\?([01])',
    '%"([ !#$&-~]*(?:%[\\da-f]{2}[ !#$&-~]*)*)"',
  ].join('|'),
  'y',
)
/** What a match has at each place. */
const TYPES = ['', 'decimal', 'integer', 'date', 'string', 'token', 'bytes', 'boolean', 'display'] as const
const PARAMETER = /; *([a-z*][a-z\d_.*-]*)(=)?/y
const OPENING = /\( */y
const CLOSING = /\)/y
const BETWEEN = / +|(?=\))/y
const COMMA = /[ \t]*,[ \t]*/y
const START = / */y
const END = /[ \t]*$/y

/**
 * The members of a List, as RFC 9651 §4.2.1 reads it; undefined if the text is not one, which is to be treated as if
 * there were none. Linear in the length of the text.
 */
export function parseList(text: string): ListMember[] | undefined {
  let at = 0
  const find = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match
  }
  const need = (pattern: RegExp): RegExpExecArray => {
    const match = find(pattern)
    if (!match) throw new SyntaxError()
    return match
  }
  const bareItem = (): BareItem => {
    const match = need(ITEM)
    const place = match.findIndex((part: string | undefined, index) => index > 0 && part !== undefined)
    return valueOf(TYPES[place] as BareItem['type'], match[place]!)
  }
  const parameters = (): Parameters => {
    const params = new Map<string, BareItem>()
    for (let match; (match = find(PARAMETER));)
      params.set(match[1]!, match[2] ? bareItem() : { type: 'boolean', value: true })
    return params
  }
  const item = (): Item => ({ ...bareItem(), params: parameters() })
  const member = (): ListMember => {
    if (!find(OPENING)) return item()
    const value: Item[] = []
    while (!find(CLOSING)) {
      value.push(item())
      need(BETWEEN)
    }
    return { type: 'list', value, params: parameters() }
  }

  const members: ListMember[] = []
  try {
    need(START)
    if (at === text.length) return members
    do members.push(member())
    while (find(COMMA))
    need(END)
    return members
  } catch {
    // Also what `atob` and `decodeURIComponent` throw.
    return undefined
  }
}

function valueOf(type: BareItem['type'], text: string): BareItem {
  switch (type) {
    case 'token':
      return { type, value: text }
    case 'string':
      return { type, value: text.replace(/\\(.)/g, '$1') }
    case 'bytes':
      return { type, value: atob(text) }
    case 'boolean':
      return { type, value: text === '1' }
    case 'display':
      return { type, value: decodeURIComponent(text) }
    default:
      // -0 is 0.
      return { type, value: Number(text) + 0 }
  }
}
