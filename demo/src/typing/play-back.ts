import { systemClock } from 'lull/core'
import type { Step } from './typing-script.ts'

interface Player {
  type: (text: string) => void
  refuse: () => void
  /** Called after the last step. */
  end: () => void
}

/** Plays `steps` with their delays, starting from an empty text. Returns a function that stops. */
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
    // Relative to the due instant of the last step, so that timer delays do not accumulate.
    dueAt += ms
    cancel = systemClock.after(dueAt - systemClock.now(), () => {
      press(key)
      next()
    })
  }

  next()
  return () => cancel()
}
