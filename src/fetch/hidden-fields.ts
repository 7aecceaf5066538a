/** Bundlers put a text in place of the name; without one there is no such thing. */
declare const process: { env: { NODE_ENV?: string } }

function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}

/** Tells whoever develops a page that it may not read what a server says of its limits: nothing else will. R20 */
export function warnOfHiddenFields(origin: string): void {
  if (!isDevelopment()) return
  console.warn(
    `${origin} refused a request and did not say for how long, or this page may not read it. ` +
      'Its answers need Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, Date',
  )
}
