import { aimd } from 'lull/core'

const next = aimd({ increase: 5, decrease: 0.5, holdMs: 1000 })

// The rate after a call that ended at this instant.
console.log(next(100, false, 0))
// → 50
// It stays for a second after a decrease.
console.log(next(50, false, 200), next(50, true, 400))
// → 50 50
console.log(next(50, true, 1000))
// → 50.1
