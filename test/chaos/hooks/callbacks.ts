import fc from 'fast-check'
import {
  pageHide,
  useDebouncedCallback,
  useThrottledCallback,
  type DebouncedCallbackOptions,
  type Trigger,
} from 'lull'
import type { DebounceChanges, Debounced } from 'lull/core'
import { defineDebounce, maxWaits, timings, type DebounceTrial, type DebouncedFn } from '../parts/debounce.ts'
import type { Timing } from '../parts/held-model.ts'
import type { ChaosPart, World } from '../part.ts'
import { around, createStage, createSwitch, leavePage } from './stage.tsx'

interface Options extends Timing {
  isStrict: boolean
  onUnmount: 'cancel' | 'flush'
  flushOn: readonly [] | readonly [Trigger]
}

const options = {
  ...timings,
  isStrict: fc.boolean(),
  onUnmount: fc.constantFrom('cancel' as const, 'flush' as const),
  flushOn: fc.constantFrom<(readonly [] | readonly [Trigger])[]>([], [pageHide]),
}

type Props = DebouncedCallbackOptions & { wait: number }

function begin(
  useHook: typeof useDebouncedCallback,
  { clock, claim, hear }: World,
  fn: DebouncedFn,
  timing: Timing,
  { isStrict, onUnmount, flushOn }: Options,
): DebounceTrial {
  const condition = createSwitch()
  const listeners: (() => void)[] = []
  let props: Props = { ...timing, holdWhile: condition, onUnmount, flushOn }
  let isBroken = false
  let isShown = true

  const stage = createStage(
    clock,
    isStrict,
    ({ wait, ...rest }: Props, render) =>
      useHook(
        function (this: { n: number }, ...args: Parameters<DebouncedFn>) {
          claim(render === stage.render, 'ran the callback of another render', render, stage.render)
          return fn.apply(this, args)
        },
        wait,
        rest,
      ),
    props,
  )
  let own = stage.result

  const held: Debounced<DebouncedFn> = Object.assign(
    function (this: { n: number }, ...args: Parameters<DebouncedFn>) {
      return own.apply(this, args)
    },
    {
      cancel: () => own.cancel(),
      flush: () => own.flush(),
      isPending: () => own.isPending(),
      subscribe(listener: () => void) {
        listeners.push(listener)
        return own.subscribe(listener)
      },
      configure({ wait = props.wait, maxWait = props.maxWait, ...edges }: DebounceChanges) {
        const { leading = props.leading, trailing = props.trailing } = edges
        props = { ...props, wait, maxWait, leading, trailing }
        show()
      },
      [Symbol.dispose]: hide,
    },
  )

  function show(): void {
    stage.show(props)
    claim(stage.result === own || isBroken, 'returned another function than before')
    if (stage.result !== own) for (const listener of listeners) stage.result.subscribe(listener)
    own = stage.result
    isBroken = false
    isShown = true
  }

  /** If a run throws in an effect, the tree breaks and is mounted again by the next `show`. */
  function hide(): void {
    isShown = false
    isBroken = true
    stage.hide()
    isBroken = false
  }

  return {
    held,
    dispose() {
      props = { ...props, leading: false, trailing: false }
      hide()
    },
    blink() {
      if (!isShown) return
      try {
        hide()
      } finally {
        show()
      }
    },
    abort: stage.unmount,
    hold: condition.set,
    leavePage: () => leavePage(hear),
  }
}

function define(
  name: string,
  kind: 'debounce' | 'throttle',
  useHook: typeof useDebouncedCallback,
  maxWait: fc.Arbitrary<number>,
): ChaosPart {
  return defineDebounce<Options>({
    name,
    kind,
    options: fc.record({ ...options, maxWait }),
    around,
    begin: (world, fn, timing, options) => begin(useHook, world, fn, timing, options),
  })
}

export const callbacks: ChaosPart[] = [
  define('useDebouncedCallback', 'debounce', useDebouncedCallback, maxWaits),
  define('useThrottledCallback', 'throttle', useThrottledCallback, fc.constant(0)),
]
