import {
  batch,
  debounceAsync,
  debounceKeyed,
  sometimes,
  type BatchOptions,
  type DebounceAsyncOptions,
  type SometimesOptions,
} from 'lull/core'
import { lettered, type Lane, type Timing } from './timing.ts'

const batched = (name: string, options: BatchOptions<string>): Lane => ({
  name,
  make(clock, log) {
    const items = batch((texts: string[]) => log.run(texts.join('')), { ...options, clock })
    return { call: (text) => void items.add(text), isPending: () => items.isPending() }
  },
})

const TASK_MS = 150

const asyncCall = (name: string, options: DebounceAsyncOptions): Lane => ({
  name,
  make(clock, log) {
    const task = (signal: AbortSignal, text: string): Promise<void> =>
      new Promise((resolve) => {
        const end = log.task(text)
        signal.addEventListener('abort', () => end('aborted'))
        clock.after(TASK_MS, () => {
          if (!signal.aborted) end('done')
          resolve()
        })
      })
    const call = debounceAsync(task, 100, { ...options, clock })
    return { call: (text) => void call(text), isPending: () => call.isPending() }
  },
})

const keyed = (key: string): Lane => ({
  name: `key '${key}'`,
  make(clock, log) {
    const call = debounceKeyed(
      (text: string) => {
        if (text.startsWith(key)) log.run(text)
      },
      100,
      { key: (text: string) => text.charAt(0), clock },
    )
    return { call, isPending: () => call.isPending(key) }
  },
})

const sampling = (name: string, options: SometimesOptions): Lane => ({
  name,
  make(clock, log) {
    const runSometimes = sometimes({ ...options, clock })
    return { call: (text) => runSometimes(() => log.run(text)) }
  },
})

export const callDiagrams: Record<string, Timing> = {
  batch: {
    title: 'When batch sends, by its options',
    endMs: 400,
    callsName: 'items added',
    calls: lettered(0, 30, 60, 90, 120, 250),
    lanes: [
      batched('{ wait: 50 }', { wait: 50 }),
      batched('{ wait: 50, maxSize: 3 }', { wait: 50, maxSize: 3 }),
      batched('{ maxWait: 80 }', { maxWait: 80 }),
    ],
  },
  'debounce-async': {
    title: 'debounceAsync with a task of 150 ms: what happens to a task that a newer one overtakes',
    endMs: 500,
    calls: lettered(0, 50, 170),
    lanes: [
      asyncCall("{ overlap: 'abort' }", { overlap: 'abort' }),
      asyncCall("{ overlap: 'queue' }", { overlap: 'queue' }),
    ],
  },
  'debounce-keyed': {
    title: 'debounceKeyed(fn, 100): each key is debounced by itself',
    endMs: 400,
    calls: [
      { at: 0, text: 'a1' },
      { at: 40, text: 'b1' },
      { at: 80, text: 'a2' },
      { at: 160, text: 'a3' },
    ],
    lanes: [keyed('a'), keyed('b')],
  },
  sometimes: {
    title: 'Which of many calls sometimes runs, by its options',
    endMs: 1200,
    calls: lettered(0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100),
    lanes: [
      sampling('{ first: 2 }', { first: 2 }),
      sampling('{ every: 4 }', { every: 4 }),
      sampling('{ intervalMs: 500 }', { intervalMs: 500 }),
      sampling('{ first: 2, intervalMs: 500 }', { first: 2, intervalMs: 500 }),
    ],
  },
}
