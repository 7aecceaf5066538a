import { useId, type ReactNode } from 'react'
import type { BucketSnapshot, PaceSnapshot } from 'lull/fetch'
import { number } from '../number.ts'
import { PauseList } from './pause-list.tsx'
import { PolicyList } from './policy-list.tsx'
import type { Pause } from '../status/pauses.ts'
import { WindowSteps } from './window-steps.tsx'

interface OriginFactsProps {
  /** Shown in the heading; undefined for the page's own origin. */
  origin: string | undefined
  /** Undefined before the first request. */
  bucket: BucketSnapshot | undefined
  /** Whether the last response named the server's limit; undefined if none has. */
  isNamed: boolean | undefined
  pauses: readonly Pause[]
}

/** The server's limit, the learned rate, the window of parallel requests, and the last pauses. */
export function OriginFacts({ origin, bucket, isNamed, pauses }: OriginFactsProps): ReactNode {
  const id = useId()
  return (
    <section className="origin" aria-labelledby={id}>
      <h2 id={id}>What lull has learned about this server{origin && `: ${origin}`}</h2>
      <dl>
        <div>
          <dt>{bucket?.policies?.length ? limitName(isNamed) : 'The server’s limit'}</dt>
          <dd data-testid="policies">
            <PolicyList policies={bucket?.policies ?? []} quota={bucket?.quota ?? []} />
          </dd>
        </div>
        <div>
          <dt>Learned rate</dt>
          <dd data-testid="pace">
            <PaceWords pace={bucket?.pace} isNamed={isNamed} />
          </dd>
        </div>
        <div>
          <dt>Allowed in parallel</dt>
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

function limitName(isNamed: boolean | undefined): string {
  // Another tab may have learned it too.
  if (isNamed === undefined) return 'Limit kept from before'
  return isNamed ? 'The server’s limit' : 'Limit last named'
}

interface PaceWordsProps extends Pick<OriginFactsProps, 'isNamed'> {
  pace: PaceSnapshot | undefined
}

function PaceWords({ pace, isNamed }: PaceWordsProps): ReactNode {
  if (!pace) return 'nothing learned yet'
  const { from, ratePerSecond, burst } = pace
  return (
    <p className="fact">
      <span>
        {number.format(ratePerSecond)}/s, burst {number.format(burst)}
      </span>
      <span>{from === 'refusals' ? 'from refusals' : isNamed ? 'from headers' : 'from old headers'}</span>
    </p>
  )
}
