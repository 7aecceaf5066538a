import { useId, type ReactNode } from 'react'

interface SliderProps {
  label: string
  value: number
  min: number
  max: number
  step: number
  /** The value with its unit. */
  format: (value: number) => string
  disabled?: boolean
  onChange: (value: number) => void
}

export function Slider({ label, value, min, max, step, format, disabled, onChange }: SliderProps): ReactNode {
  const id = useId()
  return (
    <div className="slider">
      <label htmlFor={id}>{label}</label>
      {/* The slider itself is announced. */}
      <output htmlFor={id} aria-live="off">
        {format(value)}
      </output>
      <input
        id={id}
        type="range"
        value={value}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        aria-valuetext={format(value)}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </div>
  )
}
