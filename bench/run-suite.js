// Runs one suite, or a part of one, in this process. `run-bench.js` starts it and receives the results; by itself it is for a profile.
import { compare } from './measure.js'

const [name, part, speed] = process.argv.slice(2)
const { default: comparisonsOf } = await import(`./suites/${name}.js`)
for (const comparison of await comparisonsOf(part)) {
  const quick = speed === 'quick' && { rounds: 1, warmUp: 0 }
  const result = { suite: name, ...(await compare({ ...comparison, ...quick })) }
  if (process.send) process.send(result)
}
// Timers of the calls are still set.
process.disconnect?.()
process.exit()
