/** A member of a List. Its Bare Items are kept as text. */
export interface Member {
  /** The Bare Item, or a whole Inner List as it was sent. */
  readonly item: string
  /** Of a parameter given twice, the last. A Map, because a name may be `__proto__`. */
  readonly params: ReadonlyMap<string, string>
}

/** The maximum length of a header. Longer ones are ignored. */
export const MAX_FIELD = 8192

const ITEM =
  '-?\\d{1,12}\\.\\d{1,3}|@?-?\\d{1,15}|"(?:[ !#-[\\]-~]|\\\\["\\\\])*"|[A-Za-z*][\\w!#$%&\'*+.^`|~:/-]*|' +
  `:[A-Za-z\\d+/]*={0,2}:|\\?[01]|%"(?:[ !#$&-~]|%[\\da-f]{2})*"`
const KEY = '[a-z*][a-z\\d_.*-]*'
const PARAMS = `(?:; *${KEY}(?:=(?:${ITEM}))?)*`

/**
 * RFC 9651 §3.1. Linear in time: the next character determines the alternative, except that a Decimal is tried before an
 * Integer. A number with too many digits does not match, because no digit may follow it.
 */
const MEMBERS = /* @__PURE__ */ new RegExp(
  `(\\( *(?:(?:${ITEM})${PARAMS}(?: +|(?=\\))))*\\)|${ITEM})(${PARAMS})[ \\t]*(?:,[ \\t]*(?!$)|$)`,
  'gy',
)
const PARAM = /* @__PURE__ */ new RegExp(`; *(${KEY})(?:=(${ITEM}))?`, 'g')
const ITEMS = /* @__PURE__ */ new RegExp(ITEM, 'g')

/** Parses a List (RFC 9651 §4.2.1). Empty if there is none, and if it is malformed or too long. */
export function parseList(text: string | null): Member[] {
  const members: Member[] = []
  if (!text || text.length > MAX_FIELD) return members
  const rest = text.replace(MEMBERS, (_, item: string, params: string) => {
    members.push({
      item,
      params: new Map(Array.from(params.matchAll(PARAM), ([, key, value = '?1']) => [key!, value])),
    })
    return ''
  })
  if (rest) return []
  try {
    // Throws for a Display String that is not UTF-8.
    for (const [part] of text.matchAll(ITEMS)) if (part[0] === '%') decodeURIComponent(part.slice(1))
    return members
  } catch {
    return []
  }
}
