import type { KeyboardEvent, ReactNode } from 'react'

interface HoldButtonProps {
  isOn: boolean
  /** Called with true on press and false on release, by pointer or key; may repeat the same value. */
  onHold: (isOn: boolean) => void
  children: ReactNode
}

export function HoldButton({ isOn, onHold, children }: HoldButtonProps): ReactNode {
  const release = () => onHold(false)

  function onKey(event: KeyboardEvent): void {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    onHold(event.type === 'keydown')
  }

  return (
    <button
      type="button"
      className={isOn ? 'button hold-button is-on' : 'button hold-button'}
      aria-pressed={isOn}
      onPointerDown={(event) => {
        // The button gets the release even if the pointer has left it.
        event.currentTarget.setPointerCapture(event.pointerId)
        onHold(event.button === 0)
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={onKey}
      onKeyUp={onKey}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      {children}
    </button>
  )
}
