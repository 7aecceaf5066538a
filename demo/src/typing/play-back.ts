import { systemClock } from 'lull/core'
import type { Step } from './typing-script.ts'

interface Player {
  type: (text: string) => void
  refuse: () => void
  /** After the last step. */
  end: () => void
}

/** Plays `steps` in their rhythm, starting from an empty text. The function returned stops that. */
export function playBack(steps: readonly Step[], { type, refuse, end }: Player): () => void {
  let text = ''
  let index = 0
  let dueAt = systemClock.now()
  let cancel: () => void

  function press(key: string): void {
    if (key === 'Refuse') return refuse()
    if (key === 'Rest') return
    text = key === 'Backspace' ? text.slice(0, -1) : text + key
    type(text)
  }

  function next(): void {
    const step = steps[index++]
    if (!step) return end()
    const [key, ms] = step
    // From the instant that the last step was due at, so that late timers do not add up.
    dueAt += ms
    cancel = systemClock.after(dueAt - systemClock.now(), () => {
      press(key)
      next()
    })
  }

  next()
  return () => cancel()
}
