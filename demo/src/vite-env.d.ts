/// <reference types="vite/client" />

/** From package.json. */
declare const __LINKS__: { install: string; docs?: string; source?: string }
