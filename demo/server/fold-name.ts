/** Letters that Unicode does not take apart into a plain letter and a mark, as people without the key type them. */
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
 * What a name is compared by: lower case, no diacritics, and one space in place of anything between words, so that
 * `Saint-Étienne` and `saint etienne` are the same.
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
