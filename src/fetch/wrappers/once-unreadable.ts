// Created when needed: some versions of React Native have no `FinalizationRegistry`, and no bodies either.
let registry: FinalizationRegistry<() => void> | undefined

/**
 * Calls `callback` some time after the body of the response was garbage-collected; at once if there is no body. `callback` must not
 * retain the response.
 */
export function onceUnreadable(response: Response, callback: () => void): void {
  // A mock may resolve with anything.
  const body: unknown = (response as Response | undefined)?.body
  if (Object(body) !== body) return callback()
  ;(registry ??= new FinalizationRegistry((callback) => callback())).register(body as object, callback)
}
