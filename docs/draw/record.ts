import { createManualClock } from 'lull/testing'
import type { Lane, Log, Mark, Timing } from './timing.ts'

type Span = Extract<Mark, { to: number }>

/** Runs the calls in the lane, one millisecond at a time, and returns the marks. */
export async function record({ calls, endMs }: Timing, { make }: Lane): Promise<Mark[]> {
  const clock = createManualClock()
  const marks: Mark[] = []
  const open = new Set<Span>()
  let state: Span | undefined
  let pending: Span | undefined

  function begin<Kind extends Span>(span: Kind): Kind {
    marks.push(span)
    open.add(span)
    return span
  }

  function end(span: Span | undefined): void {
    if (!span || !open.delete(span)) return
    span.to = clock.now()
  }

  const log: Log = {
    run: (text) => void marks.push({ kind: 'run', text, at: clock.now() }),
    refused: (text) => void marks.push({ kind: 'refused', text, at: clock.now() }),
    wait(text) {
      const span = begin({
        kind: 'wait',
        text,
        from: clock.now(),
        to: endMs,
        end: undefined as 'run' | undefined,
      })
      return (how) => {
        end(span)
        Object.assign(span, { end: how })
      }
    },
    task(text) {
      const span = begin({
        kind: 'task',
        text,
        from: clock.now(),
        to: endMs,
        end: undefined as 'done' | undefined,
      })
      return (how) => {
        end(span)
        Object.assign(span, { end: how })
      }
    },
    state(text) {
      end(state)
      state = begin({ kind: 'state', text, from: clock.now(), to: endMs })
    },
  }

  const { call, isPending, look: lookOf } = make(clock, log)

  function look(): void {
    lookOf?.()
    if (!!pending === !!isPending?.()) return
    end(pending)
    pending = pending ? undefined : begin({ kind: 'pending', text: '', from: clock.now(), to: endMs })
  }

  for (let now = 0; ; now++) {
    for (const { at, text } of calls) if (at === now) call(text)
    // Promise continuations may change the state too.
    await clock.advanceAsync(0)
    look()
    if (now === endMs) return marks
    await clock.advanceAsync(1)
    look()
  }
}
