/**
 * What the built page may do: run its own scripts, use its own styles and pictures, and ask its own server. Nothing that is
 * written into it runs, no text becomes code or markup, and no other page may frame it.
 */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
}

/** The header fields that the built page is served with. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': Object.entries(policy)
    .map(([what, from]) => `${what} ${from}`)
    .join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
