import { debounce, throttle, type DebounceOptions } from 'lull/core'
import type { Lane, Timing } from './timing.ts'

const typed = (...texts: [text: string, at: number][]): Timing['calls'] =>
  texts.map(([text, at]) => ({ text, at }))

/** The value that the hook shows. The hook debounces it with this function. */
const debounced = (name: string, wait: number, options: DebounceOptions = {}): Lane => ({
  name,
  make(clock, log) {
    log.state('–')
    const call = debounce(log.state, wait, { ...options, clock })
    return { call }
  },
})

const throttled = (name: string, wait: number): Lane => ({
  name,
  make(clock, log) {
    log.state('10')
    const call = throttle(log.state, wait, { clock })
    return { call }
  },
})

export const hookDiagrams: Record<string, Timing> = {
  'use-debounce': {
    title: 'What useDebounce returns while a text is typed',
    endMs: 1500,
    callsName: 'text',
    calls: typed(['b', 100], ['be', 220], ['ber', 340], ['bern', 460], ['berne', 580], ['bern', 1000]),
    lanes: [
      debounced('useDebounce(text, 250)', 250),
      debounced('{ maxWait: 400 }', 250, { maxWait: 400 }),
      debounced('{ leading: true }', 250, { leading: true }),
    ],
  },
  'use-throttle': {
    title: 'What useThrottle shows of a value that keeps changing',
    endMs: 1500,
    callsName: 'price',
    calls: typed(
      ['11', 100],
      ['12', 200],
      ['13', 300],
      ['14', 400],
      ['15', 500],
      ['16', 600],
      ['17', 700],
      ['18', 1200],
    ),
    lanes: [throttled('useThrottle(price, 250)', 250)],
  },
}
