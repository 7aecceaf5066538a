import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers'
import sinon from '@sinonjs/fake-timers'
import { vi } from 'vitest'

/** Timers of a test runner that replace the platform's. */
export interface FakeTimers {
  advance: (ms: number) => void
  runAll: () => void
  count: () => number
  restore: () => void
}

type Fakeable = 'setTimeout' | 'clearTimeout' | 'Date' | 'performance'

function vitest(toFake?: Fakeable[]): FakeTimers {
  vi.useFakeTimers(toFake && { toFake })
  return {
    advance: (ms) => vi.advanceTimersByTime(ms),
    runAll: () => vi.runAllTimers(),
    count: () => vi.getTimerCount(),
    restore: () => vi.useRealTimers(),
  }
}

function sinonjs(toFake?: Fakeable[]): FakeTimers {
  const clock = sinon.install(toFake && { toFake })
  return {
    advance: (ms) => clock.tick(ms),
    runAll: () => clock.runAll(),
    count: () => clock.countTimers(),
    restore: () => clock.uninstall(),
  }
}

const config = { fakeTimers: {}, rootDir: '', testMatch: [] } as never

function jest(
  timers: ModernFakeTimers | LegacyFakeTimers<number>,
  doNotFake: 'performance'[] = [],
): FakeTimers {
  timers.useFakeTimers({ doNotFake })
  return {
    advance: (ms) => timers.advanceTimersByTime(ms),
    runAll: () => timers.runAllTimers(),
    count: () => timers.getTimerCount(),
    restore: () => timers.useRealTimers(),
  }
}

const modern = (): ModernFakeTimers => new ModernFakeTimers({ global: globalThis, config })

/** These fake neither Date nor performance. */
const legacy = (): LegacyFakeTimers<number> =>
  new LegacyFakeTimers<number>({
    global: globalThis,
    config,
    timerConfig: { idToRef: (id) => id, refToId: (ref) => ref },
    moduleMocker: vi as never,
  })

/** Each name says what is faked. */
export const fakeTimers: [name: string, install: () => FakeTimers][] = [
  ["vitest's, by default", () => vitest()],
  ["vitest's, of timers alone", () => vitest(['setTimeout', 'clearTimeout'])],
  ["vitest's, of timers and Date", () => vitest(['setTimeout', 'clearTimeout', 'Date'])],
  ["vitest's, of timers and performance", () => vitest(['setTimeout', 'clearTimeout', 'performance'])],
  ["sinon's, by default", () => sinonjs()],
  ["sinon's, of timers alone", () => sinonjs(['setTimeout', 'clearTimeout'])],
  ["sinon's, of timers and Date", () => sinonjs(['setTimeout', 'clearTimeout', 'Date'])],
  ["sinon's, of timers and performance", () => sinonjs(['setTimeout', 'clearTimeout', 'performance'])],
  ["jest's", () => jest(modern())],
  ["jest's, without performance", () => jest(modern(), ['performance'])],
  ["jest's legacy ones", () => jest(legacy())],
]
