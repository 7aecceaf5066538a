import { TestRunner } from 'vitest'

/** Tests that take seconds each: of memory, of thousands of calls, of hours of traffic, and of the platform's own time. */
const SLOW = [
  /^(debounce|debounce with maxWait|throttle|throttle with the trailing edge) > memory/,
  /\b(10,000|100000|1000 calls|thousands|however many|128 KiB)\b/,
  /\b(a collection|collected|nobody holds|nothing is held)\b/,
  /performance faked alone|starves|after enough calls|takes half|falls to a tenth|nobody calls say nothing|a sliding log: all calls/,
]

export default class QuickRunner extends TestRunner {
  async onBeforeRunTask(test) {
    if (SLOW.some((name) => name.test(test.fullTestName))) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }
}
