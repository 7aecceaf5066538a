export interface Row {
  name: string
  median: number
  /** The multiple of the first row; absent if that has a 0. */
  ratio?: number
  low?: number
  high?: number
}

/** The maximum for the row of this name: as a multiple of the first row, or in the unit. */
export type Goal = { row: string; ratio: number } | { row: string; median: number }

export interface Measured {
  title: string
  about?: string
  unit: string
  goal?: Goal
  rounds: number
  rows: Row[]
}

export function quantile(numbers: readonly number[], share: number): number
export function median(numbers: readonly number[]): number
export function summarize(samples: readonly (readonly [name: string, numbers: readonly number[]])[]): Row[]
export function compare(
  comparison: Omit<Measured, 'rounds' | 'rows'> & {
    candidates: Record<string, () => number | Promise<number>>
    rounds?: number
    warmUp?: number
  },
): Promise<Measured>
