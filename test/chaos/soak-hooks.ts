// @vitest-environment jsdom
import { hookParts } from './hooks/hook-parts.ts'
import { soakParts } from './soak-parts.ts'

/**
 * React retains more memory. Node 20 also retains some 57 bytes per `AbortSignal.any` on a long-lived signal;
 * each call of a component's fetch makes one.
 */
const MAX_GROWTH_BYTES = 512 * 1024

soakParts(hookParts, 300_000, MAX_GROWTH_BYTES)
