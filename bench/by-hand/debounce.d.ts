export type Held<Args extends unknown[]> = (this: unknown, ...args: Args) => void

export function debounce<Args extends unknown[]>(fn: Held<Args>, wait: number): Held<Args>
export function fullDebounce<Args extends unknown[]>(
  fn: Held<Args>,
  wait: number,
  maxWait: number,
): Held<Args>
export function throttle<Args extends unknown[]>(fn: Held<Args>, wait: number): Held<Args>
