import { checkFrom } from '../limit/rules/check-number.ts'

/**
 * Passes a part of what it is told on to `listener`, at random: as `onEvent` of a limiter, `sampled(0.01, log)` logs one
 * denial in a hundred, so that a flood of refusals is no flood of lines. Source: seed 001, logging denials.
 *
 * @param ratio from 0 (nothing) to 1 (everything).
 * @param random from 0 to below 1.
 * @throws RangeError for a ratio below 0 or NaN.
 */
export function sampled<Event>(
  ratio: number,
  listener: (event: Event) => void,
  random: () => number = Math.random,
): (event: Event) => void {
  checkFrom(0, 'ratio', ratio)
  return (event) => {
    if (random() < ratio) listener(event)
  }
}
