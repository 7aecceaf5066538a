import { act } from '@testing-library/react'
import fc from 'fast-check'
import { useDebouncedAsync } from 'lull'
import type { DebounceChanges } from 'lull/core'
import {
  asyncTimings,
  defineDebounceAsync,
  type AsyncCall,
  type AsyncTiming,
  type AsyncTrial,
} from '../parts/debounce-async.ts'
import { around, createStage } from './stage.tsx'

function inAct<Result>(make: () => Result): Result {
  let result: Result
  act(() => {
    result = make()
  })
  return result!
}

export const debouncedAsyncPart = defineDebounceAsync({
  name: 'useDebouncedAsync',
  around,
  options: fc.record({ ...asyncTimings, isStrict: fc.boolean() }),
  begin({ clock, claim }, task, timing, { isStrict }): AsyncTrial {
    let props = { ...timing }
    let isMounted = true
    let data: number | undefined
    let error: unknown

    const stage = createStage(
      clock,
      isStrict,
      ({ wait, ...rest }: AsyncTiming, render) =>
        useDebouncedAsync(
          (signal, call: AsyncCall) => {
            claim(render === stage.render, 'ran the task of another render', render, stage.render)
            return task(signal, call)
          },
          wait,
          rest,
        ),
      props,
    )
    const { run, flush, cancel } = stage.result

    function start(call: AsyncCall): ReturnType<typeof run> {
      const outcome = inAct(() => run(call))
      outcome.then(
        (ended) => {
          if (ended.status !== 'done') return
          data = ended.value
          error = undefined
        },
        (reason: unknown) => {
          error = reason
        },
      )
      return outcome
    }

    function show(changes: DebounceChanges): void {
      const { wait = props.wait, leading = props.leading, trailing = props.trailing } = changes
      props = { ...props, wait, leading, trailing }
      stage.show(props)
      const { result } = stage
      claim(
        result.run === run && result.flush === flush && result.cancel === cancel,
        'returned other functions than before',
      )
    }

    return {
      debounced: Object.assign(start, {
        flush: () => inAct(flush),
        cancel: () => inAct(cancel),
        isPending: () => isMounted && stage.result.status === 'pending',
        configure: show,
        dispose() {
          props = { ...props, leading: false, trailing: false }
          stage.hide()
          return Promise.resolve()
        },
      }),
      isPendingLags: true,
      abort() {
        stage.unmount()
        isMounted = false
      },
      check() {
        if (!isMounted) return
        const shown = stage.result
        claim(shown.data === data && shown.error === error, 'shows', shown.data, shown.error, data, error)
      },
    }
  },
})
