import type { KeyboardEvent, ReactNode } from 'react'

interface HoldButtonProps {
  isOn: boolean
  /** True when it is pressed, by the pointer or by a key; false when it is let go. May be told the same twice. */
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
      onPointerDown={(event) => {
        // Also when it is let go elsewhere, this is told.
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
