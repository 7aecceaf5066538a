import './page.js'
import { mock, test } from 'node:test'
import { firstTests } from './first-tests.js'

/** Runs promise continuations: the timers of `node:test` advance synchronously. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

firstTests({
  test,
  mock: (run) => mock.fn(run),
  timers: {
    fake: () => mock.timers.enable({ apis: ['setTimeout', 'Date'] }),
    async advance(ms) {
      await settle()
      mock.timers.tick(ms)
      await settle()
    },
    real: () => mock.timers.reset(),
  },
})
