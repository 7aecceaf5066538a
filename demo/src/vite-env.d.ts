/// <reference types="vite/client" />

/** From package.json. */
declare const __LINKS__: { install: string; docs?: string; source?: string }

declare module 'virtual:policy-sizes' {
  /** The size of the kernel, and what each policy adds to it, in bytes (minified and gzipped). */
  const sizes: Readonly<Record<string, number>>
  export default sizes
}
