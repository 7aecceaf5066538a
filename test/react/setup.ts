import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

// From Node 24 on there is a global `localStorage`, which Vitest does not replace with that of jsdom.
const { jsdom } = globalThis as { jsdom?: { window: Window } }
if (jsdom) globalThis.localStorage = jsdom.window.localStorage
