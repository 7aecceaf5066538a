import {
  RateLimitProvider,
  useRateLimitedFetch,
  useRateLimitStatus,
} from 'lull'

const limits = { ratePerSecond: 2, burst: 1 }

/** Both buttons share one limit. */
export function Tools() {
  return (
    <RateLimitProvider options={limits}>
      <Tool name="lint" />
      <Tool name="build" />
      <Waiting />
    </RateLimitProvider>
  )
}

function Tool({ name }: { name: string }) {
  const fetch = useRateLimitedFetch()
  return (
    <button
      onClick={() =>
        void fetch(`https://api.test/${name}`, { method: 'POST' })
      }
    >
      {name}
    </button>
  )
}

function Waiting() {
  return (
    <output>
      {useRateLimitStatus(undefined, ({ queued }) => queued)} waiting
    </output>
  )
}
