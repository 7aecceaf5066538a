/** A key, 'Refuse' (press the refuse button) or 'Rest' (nothing), and the ms since the previous step. */
export type Step = readonly [key: string, ms: number]

/**
 * The input of the autopilot, written by hand to resemble real typing, not recorded. It has a corrected typo,
 * a word deleted with the key held down, and a refusal in the middle of the next word, with two more words
 * typed during the pause.
 */
export const typingScript: readonly Step[] = [
  ['l', 600],
  ['i', 142],
  ['s', 118],
  ['b', 161],
  ['n', 97],
  ['o', 124],
  ['Backspace', 820],
  ['Backspace', 168],
  ['o', 210],
  ['n', 134],
  ['Backspace', 1900],
  ['Backspace', 500],
  ['Backspace', 33],
  ['Backspace', 34],
  ['Backspace', 33],
  ['Backspace', 33],
  ['n', 720],
  ['e', 128],
  ['w', 156],
  [' ', 231],
  ['Refuse', 900],
  ['y', 260],
  ['o', 133],
  ['r', 540],
  ['k', 121],
  [' ', 620],
  ['c', 164],
  ['i', 119],
  ['t', 143],
  ['y', 172],
  ['Rest', 3600],
]
