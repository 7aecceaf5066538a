/// <reference types="vite/client" />

/** From package.json. */
declare const __LINKS__: { install: string; docs?: string; source?: string }

declare module 'virtual:policy-sizes' {
  /** Bytes, minified and gzipped: of the kernel, and what each policy adds to it. */
  const sizes: Readonly<Record<string, number>>
  export default sizes
}
