import { badRequest } from './bad-request.ts'
import { headerStyles, type Settings } from './api.ts'

export const defaultSettings: Settings = {
  ratePerSecond: 2,
  burst: 6,
  delayMs: 120,
  faultRate: 0,
  headers: 'both',
}

const isNumber = (value: unknown, least: number, most: number) =>
  typeof value === 'number' && value >= least && value <= most

export const isWholeNumber = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && isNumber(value, least, most)

const members: Record<keyof Settings, { expected: string; accepts: (value: unknown) => boolean }> = {
  ratePerSecond: { expected: 'a number from 0.01 to 1000', accepts: (value) => isNumber(value, 0.01, 1000) },
  burst: { expected: 'a whole number from 1 to 1000', accepts: (value) => isWholeNumber(value, 1, 1000) },
  delayMs: { expected: 'a number from 0 to 10000', accepts: (value) => isNumber(value, 0, 10_000) },
  faultRate: { expected: 'a number from 0 to 1', accepts: (value) => isNumber(value, 0, 1) },
  headers: {
    expected: `one of ${headerStyles.join(', ')}`,
    accepts: (value) => headerStyles.some((style) => style === value),
  },
}

/** Validates the partial settings in `body`. Throws an `HTTPException` (400) for a bad or unknown member. */
export function parseSettings(body: Record<string, unknown>): Partial<Settings> {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(members, name)) {
      throw badRequest(
        `Expected no members but ${Object.keys(members).join(', ')}, got ${JSON.stringify(name)}`,
      )
    }
    const { expected, accepts } = members[name as keyof Settings]
    if (!accepts(value)) {
      throw badRequest(`Expected ${name} to be ${expected}, got ${JSON.stringify(value)}`)
    }
  }
  return body
}
