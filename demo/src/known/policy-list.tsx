import type { ReactNode } from 'react'
import { useCountdown } from 'lull'
import type { QuotaSnapshot, RateLimitPolicy } from 'lull/fetch'

interface PolicyListProps {
  policies: readonly RateLimitPolicy[]
  quota: readonly QuotaSnapshot[]
}

/** The server's limits by name, and the remaining quota of each. */
export function PolicyList({ policies, quota }: PolicyListProps): ReactNode {
  const names = [...new Set([...policies, ...quota].map(({ name }) => name))]
  if (names.length === 0) return 'Not named by the server yet'
  return (
    <ul className="policies">
      {names.map((name) => (
        <Policy
          key={name}
          name={name}
          policy={policies.find((one) => one.name === name)}
          left={quota.find((one) => one.name === name)}
        />
      ))}
    </ul>
  )
}

interface PolicyProps {
  name: string
  /** Undefined if the server sends only the remaining quota. */
  policy: RateLimitPolicy | undefined
  /** Undefined if no quota is in force. */
  left: QuotaSnapshot | undefined
}

function Policy({ name, policy, left }: PolicyProps): ReactNode {
  // The snapshot keeps a quota after it has expired.
  const seconds = useCountdown(left?.until)
  const available = left && seconds > 0 ? Math.max(left.available, 0) : undefined
  const most = policy?.quota ?? available ?? 1
  return (
    <li className="fact">
      <span>
        “{name}”{policy && `: ${quotaWords(policy)}`}
      </span>
      <span>{available === undefined ? '–' : `${available} left for ${seconds} s`}</span>
      <span aria-hidden="true" className="track">
        <span style={{ transform: `scaleX(${available ? Math.min(available / most, 1) : 0})` }} />
      </span>
    </li>
  )
}

function quotaWords({ quota, windowMs, unit }: RateLimitPolicy): string {
  const amount = unit === 'requests' ? String(quota) : `${quota} ${unit}`
  return windowMs === undefined ? amount : `${amount} in ${windowMs / 1000} s`
}
