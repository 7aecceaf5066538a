import type { ReactNode } from 'react'
import { drivers, type Driver } from '../settings/schema.ts'

const labels: Record<Driver, string> = {
  keystroke: 'Every keystroke',
  debounced: 'Debounced',
  throttled: 'Throttled',
}

interface DriverChoiceProps {
  driver: Driver
  onChange: (driver: Driver) => void
}

export function DriverChoice({ driver, onChange }: DriverChoiceProps): ReactNode {
  return (
    <fieldset className="choice">
      <legend>What sends the requests</legend>
      {drivers.map((each) => (
        <label key={each}>
          <input type="radio" name="driver" checked={each === driver} onChange={() => onChange(each)} />
          <span>{labels[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
