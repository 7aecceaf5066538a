/** The functions that a bundler calls when a file is saved. */
declare module 'react-refresh/runtime' {
  export function injectIntoGlobalHook(global: typeof globalThis): void
  export function register(type: unknown, id: string): void
  export function performReactRefresh(): unknown
}
