import { cdp } from 'vitest/browser'

// Simulates a cheap phone, for `npm run test:slow`.
await cdp().send('Emulation.setCPUThrottlingRate', { rate: 4 })
