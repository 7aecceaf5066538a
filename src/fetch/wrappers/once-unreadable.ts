// Made when it is needed: not every React Native has one, nor a body that would need it.
let registry: FinalizationRegistry<() => void> | undefined

/**
 * Calls `callback`, which must not hold the response, some time after its body can no longer be read by anyone; at once if
 * it has none.
 */
export function onceUnreadable({ body }: Response, callback: () => void): void {
  if (!body) return callback()
  registry ??= new FinalizationRegistry((callback) => callback())
  registry.register(body, callback)
}
