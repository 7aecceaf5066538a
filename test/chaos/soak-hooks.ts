// @vitest-environment jsdom
import { hookParts } from './hooks/hook-parts.ts'
import { soakParts } from './soak-parts.ts'

/**
 * React keeps more for itself, and Node 20 some 57 bytes of every `AbortSignal.any` with a signal that lives on, as that of a component
 * does: a call of its fetch has one.
 */
const FLAT = 512 * 1024

soakParts(hookParts, 300_000, FLAT)
