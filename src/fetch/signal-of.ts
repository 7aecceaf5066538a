const requests = /* @__PURE__ */ new WeakMap<AbortSignal, Request>()

/** The signal that a fetch with these arguments heeds. R108 */
export function signalOf(input: RequestInfo | URL, init: RequestInit | undefined): AbortSignal | undefined {
  if (init?.signal !== undefined) return init.signal ?? undefined
  if (!(input instanceof Request)) return undefined
  // In Node the signal of a request hears nothing any more once the request has been collected.
  requests.set(input.signal, input)
  return input.signal
}
