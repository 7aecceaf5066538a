import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

// From Node 24 on there is a global `localStorage`, which Vitest does not replace with that of jsdom.
const { jsdom } = globalThis as { jsdom?: { window: Window } }
if (jsdom) globalThis.localStorage = jsdom.window.localStorage
