const names = [
  'card',
  'soft',
  'line',
  'lane',
  'accent',
  'keystroke',
  'debounced',
  'throttled',
  'waiting',
  'asking',
  'ok',
  'refused',
  'error',
  'aborted',
  'closed',
] as const

export type Colors = Record<(typeof names)[number], string>

/** What the style sheet calls by these names, as it is now. */
export function readColors(element: Element): Colors {
  const style = getComputedStyle(element)
  const entries = names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])
  return Object.fromEntries(entries) as Colors
}
