/** So many share a signal: with two listeners each it still has fewer than Node warns of. */
const SHARED_BY = 4

/**
 * Answers signals that never abort, for who has none to give. A few calls in a row get the same, for to make one costs more
 * than all else of a short task; not all, for whoever listens is kept as long as the signal is.
 */
export function createNeverAborts(): () => AbortSignal {
  let signal: AbortSignal
  let left = 0
  return () => {
    if (left === 0) {
      left = SHARED_BY
      ;({ signal } = new AbortController())
    }
    left--
    return signal
  }
}
