/** A member of a List: the texts of its Bare Items. */
export interface Member {
  /** An Inner List is as it was sent. */
  readonly item: string
  /** The last of a parameter given twice. A Map, because a name may be `__proto__`. */
  readonly params: ReadonlyMap<string, string>
}

/** Made at the first field. */
let grammar: readonly [list: RegExp, member: RegExp, param: RegExp, item: RegExp] | undefined

/**
 * RFC 9651 §3.1. Linear in time: the next character determines the alternative, but for a Decimal, which is tried before an
 * Integer. Too many digits do not match: nothing that may follow begins with a digit.
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
    // Throws for a Display String that is no UTF-8.
    for (const [part] of text.matchAll(item)) if (part.startsWith('%')) decodeURIComponent(part.slice(1))
  } catch {
    return undefined
  }
  return Array.from(text.matchAll(member), ([, item, params]) => ({
    item: item!,
    params: new Map(Array.from(params!.matchAll(param), ([, key, value = '?1']) => [key!, value])),
  }))
}
