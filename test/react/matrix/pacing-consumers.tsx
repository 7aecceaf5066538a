// Components as users write them. Some projects compile this file and the hooks with React Compiler.
import {
  pageHidden,
  pageHide,
  RateLimitProvider,
  useBatch,
  useCountdown,
  useDebouncedAsync,
  useLimiter,
  useRateLimitedFetch,
  useRateLimitStatus,
  useRateMeter,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import type { Limiter, RateMeter } from 'lull/core'
import type { RateLimitedFetch } from 'lull/fetch'
import { useRef, useState, type ReactNode } from 'react'
import type { Logging } from './value-consumers.tsx'

export function Suggest({ ask }: { ask: (signal: AbortSignal, text: string) => Promise<string> }): ReactNode {
  const { run, data, status, isStale } = useDebouncedAsync(ask, 100)
  return (
    <>
      <input onChange={(event) => void run(event.target.value)} />
      <p>{`${status}: ${data ?? 'nothing'}${isStale ? ', stale' : ''}`}</p>
    </>
  )
}

export function Save({ save }: { save: (text: string) => Promise<void> }): ReactNode {
  const [text, setText] = useState('')
  const { run, status } = useDebouncedAsync((_signal, draft: string) => save(draft), 100, {
    overlap: 'queue',
    onUnmount: 'flush',
    flushOn: [pageHidden, pageHide],
  })
  return (
    <>
      <input
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          void run(event.target.value)
        }}
      />
      <p>{status}</p>
    </>
  )
}

export function Page({ log }: Logging): ReactNode {
  const [renders, setRenders] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  useThrottledEvent(
    () => window,
    'scroll',
    () => log(`scroll in ${renders}`),
    100,
  )
  useThrottledEvent(box, 'pointermove', (event) => log(`pointer at ${event.clientX}`))
  useThrottledResize(box, (entry) => log(`${entry.contentRect.width} wide`))
  return (
    <div ref={box}>
      <button onClick={() => setRenders(renders + 1)}>Render</button>
    </div>
  )
}

export function Likes({ log }: Logging): ReactNode {
  const [likes, setLikes] = useState(0)
  const { add } = useBatch(
    (items: number[]) => {
      log(`${items.join()} of ${likes}`)
    },
    {
      wait: 100,
      onUnmount: 'flush',
    },
  )
  const like = (): void => {
    setLikes(likes + 1)
    void add(likes + 1)
  }
  return <button onClick={like}>Like</button>
}

export function Limits({ limiter, meter }: { limiter: Limiter; meter: RateMeter }): ReactNode {
  const denied = useLimiter(limiter, (snapshot) => snapshot.denied)
  const rate = useRateMeter(meter)
  return (
    <>
      <button
        onClick={() => {
          limiter.allow()
          meter.add()
        }}
      >
        Try
      </button>
      <p>{`${denied} denied, ${rate > 0 ? 'busy' : 'idle'}`}</p>
    </>
  )
}

function Waiting(): ReactNode {
  const fetch = useRateLimitedFetch()
  const until = useRateLimitStatus(fetch, ({ gate }) => gate.until)
  const seconds = useCountdown(until)
  return (
    <>
      <button onClick={() => void fetch('http://api.test/')}>Fetch</button>
      <p>{seconds > 0 ? `in ${seconds} s` : 'open'}</p>
    </>
  )
}

export function Limited({ fetch }: { fetch: RateLimitedFetch }): ReactNode {
  return (
    <RateLimitProvider fetch={fetch}>
      <Waiting />
    </RateLimitProvider>
  )
}
