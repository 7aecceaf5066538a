import type { ReactNode } from 'react'
import sizes from 'virtual:policy-sizes'
import { number } from '../number.ts'
import { policyWords, type PolicyName } from './policies.ts'
import { useSettings } from '../settings/settings-provider.tsx'

/** A switch for each policy, with the bytes that its import adds, minified and gzipped. */
export function PolicySwitches(): ReactNode {
  const [on, change] = useSettings('policies')
  const names = Object.keys(policyWords) as PolicyName[]
  const total = names.reduce((sum, name) => sum + (on[name] ? sizes[name]! : 0), sizes['kernel']!)
  return (
    <>
      <ul className="policy-switches">
        {names.map((name) => (
          <li key={name}>
            <label className="tick-box">
              <input
                type="checkbox"
                role="switch"
                checked={on[name]}
                onChange={({ target }) => change({ [name]: target.checked })}
              />
              {policyWords[name]}
            </label>
            <span className="note">+{number.format(sizes[name]!)} B</span>
          </li>
        ))}
      </ul>
      <p className="note" data-testid="policy-total">
        The fetch alone is {number.format(sizes['kernel']!)} B; with these policies up to{' '}
        {number.format(total)} B, minified by Vite and gzipped.
      </p>
    </>
  )
}
