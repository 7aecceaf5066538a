import fc from 'fast-check'
import { debounce, throttle, type DebounceOptions } from 'lull/core'
import { defineDebounce, maxWaits, timings, type DebounceTrial } from '../define-debounce.ts'
import type { Timing } from '../held-model.ts'
import type { ChaosPart } from '../part.ts'

interface Options extends Timing {
  hasOnError: boolean
}

const options = { ...timings, hasOnError: fc.boolean() }

function define(name: string, kind: 'debounce' | 'throttle', values: fc.Arbitrary<Options>): ChaosPart {
  return defineDebounce<Options>({
    name,
    kind,
    options: values,
    begin({ clock, hear }, fn, { wait, ...timing }, { hasOnError }): DebounceTrial {
      const controller = new AbortController()
      const rest: DebounceOptions = {
        ...timing,
        signal: controller.signal,
        onError: hasOnError ? hear : undefined,
        clock,
      }
      const held = kind === 'throttle' ? throttle(fn, wait, rest) : debounce(fn, wait, rest)
      return { held, dispose: () => held[Symbol.dispose](), abort: () => controller.abort() }
    },
  })
}

export const debounces: ChaosPart[] = [
  define('debounce', 'debounce', fc.record({ ...options, maxWait: fc.constant(Infinity) })),
  define('debounce with maxWait', 'debounce', fc.record({ ...options, maxWait: maxWaits })),
  define('throttle', 'throttle', fc.record({ ...options, maxWait: fc.constant(0) })),
]
