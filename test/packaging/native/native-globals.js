// A realm with only the globals of React Native on Hermes: no document, no page events, no DOMException, no
// AbortSignal.any, an AbortSignal without reason and throwIfAborted, no FinalizationRegistry, no
// Symbol.dispose.
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'

export function createNative() {
  const given = {
    console,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    queueMicrotask,
    performance: { now: () => performance.now() },
    requestAnimationFrame: (callback) => setTimeout(() => callback(performance.now()), 16),
    cancelAnimationFrame: clearTimeout,
    navigator: { product: 'ReactNative' },
    // whatwg-fetch requires it, but nothing is sent here.
    fetch: () => Promise.reject(new TypeError('Network request failed')),
    // As in Expo or react-native-url-polyfill: React Native's own URL adds slashes, and older versions have
    // no `origin`.
    URL,
    URLSearchParams,
    IS_REACT_ACT_ENVIRONMENT: true,
  }
  const realm = createContext({ ...given })
  const run = (code) => runInContext(code, realm)
  run('globalThis.global = globalThis.self = globalThis.window = globalThis')
  run('delete globalThis.FinalizationRegistry; delete globalThis.WebAssembly; delete Symbol.dispose')
  run('delete Symbol.asyncDispose; delete globalThis.SharedArrayBuffer')
  const load = (name) => run(readFileSync(new URL(`dist/${name}.js`, import.meta.url), 'utf8'))
  load('polyfills')
  return { run, load }
}
