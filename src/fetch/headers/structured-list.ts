/** A member of a List. Its Bare Items are kept as text. */
export interface Member {
  /** The Bare Item, or a whole Inner List as it was sent. */
  readonly item: string
  /** Of a parameter given twice, the last. A Map, because a name may be `__proto__`. */
  readonly params: ReadonlyMap<string, string>
}

/** Created when the first field is parsed. */
let grammar: readonly [list: RegExp, member: RegExp, param: RegExp, item: RegExp] | undefined

/**
 * RFC 9651 §3.1. Linear in time: the next character determines the alternative, except that a Decimal is tried before an
 * Integer. A number with too many digits does not match, because no digit may follow it.
 */
function createGrammar(): NonNullable<typeof grammar> {
  const base64 = '[A-Za-z\\d+/]'
  const item =
    '-?\\d{1,12}\\.\\d{1,3}|@?-?\\d{1,15}|"(?:[ !#-[\\]-~]|\\\\["\\\\])*"|[A-Za-z*][\\w!#$%&\'*+.^`|~:/-]*|' +
    `:(?:${base64}{4})*(?:${base64}{2}(?:==)?|${base64}{3}=?)?:|\\?[01]|%"(?:[ !#$&-~]|%[\\da-f]{2})*"`
  const key = '[a-z*][a-z\\d_.*-]*'
  const params = `(?:; *${key}(?:=(?:${item}))?)*`
  const member = `(\\( *(?:(?:${item})${params}(?: +|(?=\\))))*\\)|${item})(${params})`
  return [
    RegExp(`^ *(?:${member}[ \\t]*(?:,[ \\t]*(?!$)|$))*$`),
    RegExp(member, 'g'),
    RegExp(`; *(${key})(?:=(${item}))?`, 'g'),
    RegExp(item, 'g'),
  ]
}

/** Parses a List (RFC 9651 §4.2.1). Undefined if the text is malformed. */
export function parseList(text: string): Member[] | undefined {
  const [list, member, param, item] = (grammar ??= createGrammar())
  if (!list.test(text)) return undefined
  try {
    // Throws for a Display String that is not UTF-8.
    for (const [part] of text.matchAll(item)) if (part.startsWith('%')) decodeURIComponent(part.slice(1))
  } catch {
    return undefined
  }
  return Array.from(text.matchAll(member), ([, item, params]) => ({
    item: item!,
    params: new Map(Array.from(params!.matchAll(param), ([, key, value = '?1']) => [key!, value])),
  }))
}
