import { useId, type ReactNode } from 'react'
import type { BucketSnapshot, PaceSnapshot } from 'lull/fetch'
import { PauseList } from './pause-list.tsx'
import { PolicyList } from './policy-list.tsx'
import type { Pause } from './pauses.ts'
import { WindowSteps } from './window-steps.tsx'

interface OriginFactsProps {
  origin: string
  /** Undefined before the first request. */
  bucket: BucketSnapshot | undefined
  pauses: readonly Pause[]
}

/** What the server says, what was learnt, how many may be in flight, and what was waited for. */
export function OriginFacts({ origin, bucket, pauses }: OriginFactsProps): ReactNode {
  const id = useId()
  return (
    <section className="origin" aria-labelledby={id}>
      <h2 id={id}>What is known of {origin}</h2>
      <dl>
        <div>
          <dt>Policy</dt>
          <dd data-testid="policies">
            <PolicyList policies={bucket?.policies ?? []} quota={bucket?.quota ?? []} />
          </dd>
        </div>
        <div>
          <dt>Pace</dt>
          <dd data-testid="pace">
            <PaceWords pace={bucket?.pace} />
          </dd>
        </div>
        <div>
          <dt>Window</dt>
          <dd data-testid="window">
            <WindowSteps window={bucket?.window} isClosed={bucket?.gate.open === false} />
          </dd>
        </div>
      </dl>
      <div>
        <h3>Last pauses</h3>
        <PauseList pauses={pauses} />
      </div>
    </section>
  )
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

function PaceWords({ pace }: { pace: PaceSnapshot | undefined }): ReactNode {
  if (!pace) return 'nothing learnt yet'
  const { from, ratePerSecond, burst } = pace
  return (
    <p className="told">
      <span>
        {number.format(ratePerSecond)}/s, burst {number.format(burst)}
      </span>
      <span>{from === 'fields' ? 'from its policy' : 'from refusals'}</span>
    </p>
  )
}
