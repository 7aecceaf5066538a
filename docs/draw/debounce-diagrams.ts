import { debounce, throttle, throttleFrame, type DebounceOptions, type ThrottleOptions } from 'lull/core'
import { lettered, type Lane, type Timing } from './timing.ts'

const debounced = (name: string, wait: number, options: DebounceOptions): Lane => ({
  name,
  make(clock, log) {
    const call = debounce(log.run, wait, { ...options, clock })
    return { call, isPending: () => call.isPending() }
  },
})

const throttled = (name: string, wait: number, options: ThrottleOptions = {}): Lane => ({
  name,
  make(clock, log) {
    const call = throttle(log.run, wait, { ...options, clock })
    return { call, isPending: () => call.isPending() }
  },
})

const inFrames: Lane = {
  name: 'throttleFrame(fn)',
  make(clock, log) {
    const call = throttleFrame(log.run, { clock })
    return { call, isPending: () => call.isPending() }
  },
}

const bursts = lettered(0, 60, 120, 180, 500)

export const debounceDiagrams: Record<string, Timing> = {
  debounce: {
    title: 'When debounce runs, by its edges',
    endMs: 700,
    calls: bursts,
    lanes: [
      debounced('debounce(fn, 100)', 100, {}),
      debounced('{ leading: true, trailing: false }', 100, { leading: true, trailing: false }),
      debounced('{ leading: true }', 100, { leading: true }),
    ],
  },
  'debounce-max-wait': {
    title: 'Calls that do not stop, with and without maxWait',
    endMs: 700,
    calls: lettered(0, 60, 120, 180, 240, 300, 360, 420, 480),
    lanes: [debounced('debounce(fn, 100)', 100, {}), debounced('{ maxWait: 200 }', 100, { maxWait: 200 })],
  },
  throttle: {
    title: 'When throttle runs, by its edges',
    endMs: 700,
    calls: lettered(0, 60, 120, 180, 240, 300, 500),
    lanes: [
      throttled('throttle(fn, 100)', 100),
      throttled('{ trailing: false }', 100, { trailing: false }),
      throttled('{ leading: false }', 100, { leading: false }),
    ],
  },
  'throttle-frame': {
    title: 'throttleFrame runs once in the next frame; here one comes every 16 ms',
    endMs: 80,
    calls: lettered(4, 10, 20, 24, 29, 52),
    lanes: [inFrames],
  },
}
