import { aimd } from 'lull/core'

const next = aimd({ increase: 5, decrease: 0.5, holdMs: 1000 })

// What the rate is after a call that has ended at an instant.
console.log(next(100, false, 0))
// → 50
// For a second after a decrease it stays.
console.log(next(50, false, 200), next(50, true, 400))
// → 50 50
console.log(next(50, true, 1000))
// → 50.1
