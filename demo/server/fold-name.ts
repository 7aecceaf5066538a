/** Replacements for letters that NFKD does not decompose, as typed on a keyboard without them. */
const plainLetters: Record<string, string> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ə: 'e',
  ς: 'σ',
}
const foreignLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')

/**
 * Normalizes a name for comparison: lower case, no diacritics, and a single space between words.
 * `Saint-Étienne` and `saint etienne` become equal.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(foreignLetters, (letter) => plainLetters[letter]!)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
