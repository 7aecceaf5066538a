import type { ReactNode } from 'react'

interface TickBoxProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function TickBox({ label, checked, onChange }: TickBoxProps): ReactNode {
  return (
    <label className="tick-box">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}
