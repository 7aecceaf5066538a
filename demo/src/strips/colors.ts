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
  'sent',
  'ok',
  'refused',
  'error',
  'aborted',
  'closed',
] as const

export type Colors = Record<(typeof names)[number], string>

/** Reads the current CSS custom properties with these names. */
export function readColors(element: Element): Colors {
  const style = getComputedStyle(element)
  const entries = names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])
  return Object.fromEntries(entries) as Colors
}
