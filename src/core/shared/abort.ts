// React Native has no DOMException, and signals that neither say why they were aborted nor throw it.

export function abortError(message: string): Error {
  if (typeof DOMException !== 'undefined') return new DOMException(message, 'AbortError')
  return Object.assign(new Error(message), { name: 'AbortError' })
}

/** What `signal`, which is aborted, was aborted with. */
export const reasonOf = (signal: AbortSignal): unknown =>
  'reason' in signal ? signal.reason : abortError('The signal was aborted')

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal)
}
