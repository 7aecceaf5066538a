/** A value without parameters. A Byte Sequence is a text of one character per byte; a Date is in seconds. */
export type BareItem =
  | { readonly type: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly type: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
export type Parameters = ReadonlyMap<string, BareItem>
type Item = BareItem & { readonly params: Parameters }
export type ListMember =
  Item | { readonly type: 'list'; readonly value: readonly Item[]; readonly params: Parameters }

/** RFC 9651 §4.2 step by step, a character at a time: slow, and plain enough to be compared with. */
export function referenceList(text: string): ListMember[] | undefined {
  let rest = text
  const fail = (): never => {
    throw new SyntaxError(`at ${rest}`)
  }
  const take = (): string => {
    const first = rest.charAt(0)
    rest = rest.slice(1)
    return first
  }
  const isNext = (characters: string): boolean => rest !== '' && characters.includes(rest.charAt(0))
  const skip = (characters: string): void => {
    while (isNext(characters)) take()
  }
  const expectNext = (character: string): void => {
    if (take() !== character) fail()
  }
  const isPrintable = (character: string): boolean => character >= ' ' && character <= '~'

  const digit = '0123456789'
  const lower = 'abcdefghijklmnopqrstuvwxyz'
  const letter = lower + lower.toUpperCase()

  function number(): BareItem {
    let type: 'integer' | 'decimal' = 'integer'
    let sign = 1
    let digits = ''
    if (isNext('-')) {
      take()
      sign = -1
    }
    if (!isNext(digit)) fail()
    while (rest !== '') {
      if (isNext(digit)) digits += take()
      else if (type === 'integer' && isNext('.')) {
        if (digits.length > 12) fail()
        digits += take()
        type = 'decimal'
      } else break
      if (digits.length > (type === 'integer' ? 15 : 16)) fail()
    }
    if (type === 'decimal' && (digits.endsWith('.') || digits.split('.')[1]!.length > 3)) fail()
    return { type, value: Number(digits) === 0 ? 0 : sign * Number(digits) }
  }

  function date(): BareItem {
    expectNext('@')
    const { type, value } = number()
    return type === 'integer' ? { type: 'date', value } : fail()
  }

  function string(): BareItem {
    let value = ''
    expectNext('"')
    for (;;) {
      if (rest === '') fail()
      const character = take()
      if (character === '\\') value += isNext('"\\') ? take() : fail()
      else if (character === '"') return { type: 'string', value }
      else value += isPrintable(character) ? character : fail()
    }
  }

  function token(): BareItem {
    let value = take()
    while (isNext(`${letter}${digit}!#$%&'*+-.^_\`|~:/`)) value += take()
    return { type: 'token', value }
  }

  function bytes(): BareItem {
    expectNext(':')
    const end = rest.indexOf(':')
    if (end < 0) fail()
    const base64 = rest.slice(0, end)
    rest = rest.slice(end + 1)
    const digits = base64.replace(/=+$/, '')
    const length = digits.length % 4
    const isPadded = base64 === digits || base64.length % 4 === 0
    if (/[^A-Za-z0-9+/]/.test(digits) || length === 1 || !isPadded || base64.length - digits.length > 2)
      fail()
    return { type: 'bytes', value: Buffer.from(digits, 'base64').toString('latin1') }
  }

  function boolean(): BareItem {
    expectNext('?')
    return isNext('01') ? { type: 'boolean', value: take() === '1' } : fail()
  }

  function display(): BareItem {
    const octets: number[] = []
    expectNext('%')
    expectNext('"')
    for (;;) {
      if (rest === '') fail()
      const character = take()
      if (!isPrintable(character)) fail()
      if (character === '%') {
        const hex = take() + take()
        octets.push(/^[0-9a-f]{2}$/.test(hex) ? parseInt(hex, 16) : fail())
      } else if (character === '"') {
        const value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
          new Uint8Array(octets),
        )
        return { type: 'display', value }
      } else octets.push(character.charCodeAt(0))
    }
  }

  function bareItem(): BareItem {
    if (isNext(`-${digit}`)) return number()
    if (isNext('"')) return string()
    if (isNext(`*${letter}`)) return token()
    if (isNext(':')) return bytes()
    if (isNext('?')) return boolean()
    if (isNext('@')) return date()
    return isNext('%') ? display() : fail()
  }

  function parameters(): Map<string, BareItem> {
    const params = new Map<string, BareItem>()
    while (isNext(';')) {
      take()
      skip(' ')
      if (!isNext(`${lower}*`)) fail()
      let key = take()
      while (isNext(`${lower}${digit}_-.*`)) key += take()
      let value: BareItem = { type: 'boolean', value: true }
      if (isNext('=')) {
        take()
        value = bareItem()
      }
      params.set(key, value)
    }
    return params
  }

  function member(): ListMember {
    if (!isNext('(')) return { ...bareItem(), params: parameters() }
    take()
    const items = []
    for (;;) {
      skip(' ')
      if (isNext(')')) {
        take()
        return { type: 'list', value: items, params: parameters() }
      }
      items.push({ ...bareItem(), params: parameters() })
      if (!isNext(' )')) fail()
    }
  }

  function list(): ListMember[] {
    const members: ListMember[] = []
    skip(' ')
    while (rest !== '') {
      members.push(member())
      skip(' \t')
      if (rest === '') return members
      expectNext(',')
      skip(' \t')
      if (rest === '') fail()
    }
    return members
  }

  try {
    return list()
  } catch {
    return undefined
  }
}
