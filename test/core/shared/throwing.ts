/** A function that throws `error`. */
export const throwing = (error: unknown) => (): never => {
  throw error
}
