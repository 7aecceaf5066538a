// Made when needed: some React Natives have no `FinalizationRegistry`, and no bodies either.
let registry: FinalizationRegistry<() => void> | undefined

/**
 * Calls `callback` some time after the body of the response was garbage-collected; at once if it has none. `callback` must not
 * hold the response.
 */
export function onceUnreadable({ body }: Response, callback: () => void): void {
  if (!body) return callback()
  ;(registry ??= new FinalizationRegistry((callback) => callback())).register(body, callback)
}
