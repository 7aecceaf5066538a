const registry = /* @__PURE__ */ new FinalizationRegistry<() => void>((callback) => callback())

/**
 * Calls `callback`, which must not hold the response, some time after nobody can read its body any more, for all have let
 * go of it; at once if it has none.
 */
export function onceUnreadable({ body }: Response, callback: () => void): void {
  if (body) registry.register(body, callback)
  else callback()
}
