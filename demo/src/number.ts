/** The format of all numbers that may be large. */
export const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export const ms = (value: number): string => `${number.format(value)} ms`
