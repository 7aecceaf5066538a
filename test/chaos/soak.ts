import { parts } from './parts.ts'
import { soakParts } from './soak-parts.ts'

soakParts(parts, 1_000_000)
