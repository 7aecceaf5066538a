import fc from 'fast-check'
import { throttleFrame, type Held } from 'lull/core'
import { definePart, verb } from '../part.ts'

type Step =
  | { do: 'call'; inside: 'nothing' | 'call' | 'flush' | 'cancel'; throws: boolean }
  | { do: 'flush' | 'cancel' | 'end' }

interface Call {
  n: number
  inside: 'nothing' | 'call' | 'flush' | 'cancel'
  throws: boolean
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      inside: fc.constantFrom('nothing', 'nothing', 'nothing', 'call', 'flush', 'cancel'),
      throws: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 2, arbitrary: verb('flush', 'cancel') },
  { weight: 1, arbitrary: verb('end') },
)

/** A timer runs it where no frame has come for so long. */
const LIMIT_MS = 100

export const throttleFramePart = definePart<{ how: 'abort' | 'dispose' }, Step>({
  name: 'throttleFrame',
  options: fc.record({ how: fc.constantFrom('abort', 'dispose') }),
  step,
  isSync: true,
  begin({ clock, claim, expectError }, { how }, isLong) {
    let throttled: Held<unknown, [Call], number>
    let controller: AbortController
    let calls = 0
    let result: number | undefined
    let held: { call: Call; sinceMs: number; setBackMs: number } | undefined
    let told = false
    let depth = 0

    function fn(call: Call): number {
      claim(call === held?.call, 'ran what was not held last', call.n)
      held = undefined
      const isByTimer = depth === 0
      depth++
      if (call.inside === 'call') act({ do: 'call', inside: 'nothing', throws: false })
      else if (call.inside !== 'nothing') act({ do: call.inside })
      depth--
      if (call.throws) {
        const error = new Error(`of call ${call.n}`)
        if (isByTimer) expectError(error)
        throw error
      }
      return (result = call.n)
    }

    function make(): void {
      controller = new AbortController()
      throttled = throttleFrame(fn, { signal: controller.signal, clock })
      result = undefined
      told = false
      throttled.subscribe(() => {
        claim(told !== throttled.isPending(), 'told of no change')
        told = throttled.isPending()
      })
    }

    function act(step: Step): void {
      if (step.do === 'call') {
        const call: Call = { n: ++calls, inside: step.inside, throws: step.throws }
        held = held ? { ...held, call } : { call, sinceMs: clock.elapsedMs, setBackMs: clock.setBackMs }
        claim(throttled(call) === result, 'answered another result than the last')
      } else if (step.do === 'cancel') {
        held = undefined
        throttled.cancel()
      } else if (step.do === 'flush') {
        depth++
        try {
          claim(throttled.flush() === result, 'answered another result than the last')
        } catch (error) {
          claim((error as Error).message.startsWith('of call '), 'threw', error)
        }
        depth--
        claim(depth > 0 || !held || held.sinceMs === clock.elapsedMs, 'flushed nothing')
      } else if (!isLong) {
        if (how === 'abort') controller.abort()
        else throttled[Symbol.dispose]()
        held = undefined
        throttled({ n: 0, inside: 'nothing', throws: false })
        claim(!throttled.isPending() && throttled.flush() === result, 'goes on after its end')
        make()
      }
    }

    make()
    return {
      act,
      check() {
        claim(throttled.isPending() === !!held && told === !!held, 'isPending says', throttled.isPending())
        claim(clock.pending === (held ? 2 : 0), 'has callbacks waiting', clock.pending)
        if (!held || !clock.isQuiet) return
        const sinceMs = clock.elapsedMs - held.sinceMs
        claim(sinceMs < LIMIT_MS + clock.setBackMs - held.setBackMs, 'a run is overdue', sinceMs)
      },
      end: () => undefined,
    }
  },
})
