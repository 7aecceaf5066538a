/** A value without parameters. A Byte Sequence is a text of one character per byte; a Date is in seconds. */
export type BareItem =
  | { readonly type: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly type: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }

/** By name; of one given twice the last. A Map, because `__proto__` is a name like any other. */
export type Parameters = ReadonlyMap<string, BareItem>
type Item = BareItem & { readonly params: Parameters }
interface InnerList {
  readonly type: 'list'
  readonly value: readonly Item[]
  readonly params: Parameters
}
export type ListMember = Item | InnerList

/*
 * Linear in time: in each pattern the next character determines how to go on (but for a Decimal, tried before an Integer),
 * and each is tried at one place only. Digits that are too many are left over, where nothing may follow that begins with one.
 */
const ITEM =
  /(-?\d{1,12}\.\d{1,3})|(-?\d{1,15})|@(-?\d{1,15})|"([ !#-[\]-~]*(?:\\["\\][ !#-[\]-~]*)*)"|([A-Za-z*][\w!#$%&'*+.^`|~:/-]*)|:([A-Za-z\d+/]*=*):|\?([01])|%"([ !#$&-~]*(?:%[\da-f]{2}[ !#$&-~]*)*)"/y
/** The types of the groups of `ITEM`, and how to read them. */
const TYPES: readonly (readonly [BareItem['type'], (text: string) => BareItem['value']])[] = [
  ['decimal', numberOf],
  ['integer', numberOf],
  ['date', numberOf],
  ['string', (text) => text.replace(/\\(.)/g, '$1')],
  ['token', (text) => text],
  ['bytes', (text) => atob(text)],
  ['boolean', (text) => text === '1'],
  ['display', (text) => decodeURIComponent(text)],
]

/** Without a negative zero. */
function numberOf(text: string): number {
  return Number(text) + 0
}

/**
 * The members of a List, as RFC 9651 §4.2.1 parses it; undefined if the text is none, which is to be treated as an empty
 * List. Takes time linear in the length of the text.
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
    const [, ...groups] = need(ITEM) as (string | undefined)[]
    const index = groups.findIndex((group) => group !== undefined)
    const [type, read] = TYPES[index]!
    return { type, value: read(groups[index]!) } as BareItem
  }
  const parameters = (): Parameters => {
    const params = new Map<string, BareItem>()
    for (let match; (match = find(/; *([a-z*][a-z\d_.*-]*)(=)?/y));)
      params.set(match[1]!, match[2] ? bareItem() : { type: 'boolean', value: true })
    return params
  }
  const item = (): Item => ({ ...bareItem(), params: parameters() })
  const member = (): ListMember => {
    if (!find(/\( */y)) return item()
    const value: Item[] = []
    while (!find(/\)/y)) {
      value.push(item())
      need(/ +|(?=\))/y)
    }
    return { type: 'list', value, params: parameters() }
  }

  const members: ListMember[] = []
  try {
    need(/ */y)
    while (at < text.length) {
      members.push(member())
      need(/[ \t]*(,[ \t]*(?!$)|$)/y)
    }
    return members
  } catch {
    // A SyntaxError, or what `atob` and `decodeURIComponent` throw.
    return undefined
  }
}
