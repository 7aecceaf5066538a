import { act, fireEvent, screen } from '@testing-library/react'
import type { ManualClock } from 'lull/testing'
import type { ReactNode } from 'react'
import { createOnClock, renderOn, type Mode } from '../../react/support/render-on-clock.tsx'

/** A component on a manual clock, and what a user does to it. */
export interface Stage {
  clock: ManualClock
  /** What `note` was told, and each new text of the `<output>`, behind the instant at which it was seen. */
  log: string[]
  note: (what: string) => void
  show: (element: ReactNode) => void
  type: (label: string, text: string) => void
  click: (name: string) => void
  /** Lets time pass, and looks at the end of each step. @param stepMs @default 10 */
  pass: (ms: number, stepMs?: number) => Promise<void>
  unmount: () => void
}

export function createStage(mode: Mode): Stage {
  const onClock = createOnClock(mode)
  const { clock } = onClock
  const log: string[] = []
  let rendered: ReturnType<typeof renderOn> | undefined
  let seen = ''

  const note = (what: string): void => void log.push(`${clock.now()} ${what}`)

  function look(): void {
    if (!rendered) return
    const output = rendered.container.querySelector('output')?.textContent ?? ''
    if (output !== seen) note(output ? `"${output}"` : 'nothing')
    seen = output
  }

  return {
    clock,
    log,
    note,
    show(element) {
      if (rendered) rendered.rerender(element)
      else rendered = renderOn(onClock, element)
      look()
    },
    type(label, text) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
      look()
    },
    click(name) {
      fireEvent.click(screen.getByText(name))
      look()
    },
    async pass(ms, stepMs = 10) {
      const end = clock.now() + ms
      while (clock.now() < end) {
        await act(() => clock.advanceAsync(Math.min(stepMs, end - clock.now())))
        look()
      }
    },
    unmount() {
      rendered?.unmount()
      rendered = undefined
    },
  }
}
