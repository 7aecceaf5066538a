// @vitest-environment jsdom
import { hookParts } from './hooks/hook-parts.ts'
import { soakParts } from './soak-parts.ts'

soakParts(hookParts, 300_000)
