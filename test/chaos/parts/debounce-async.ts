import fc from 'fast-check'
import { debounceAsync } from 'lull/core'
import { asyncTimings, defineDebounceAsync } from '../define-debounce-async.ts'

export const debounceAsyncPart = defineDebounceAsync({
  name: 'debounceAsync',
  options: fc.record(asyncTimings),
  begin({ clock }, task, { wait, ...rest }) {
    const controller = new AbortController()
    const debounced = debounceAsync(task, wait, { ...rest, signal: controller.signal, clock })
    return { debounced, abort: () => controller.abort() }
  },
})
