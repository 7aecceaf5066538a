// Code of a project that strictly checks its types, and those of its libraries.
import {
  ClockProvider,
  RateLimitProvider,
  useDebounce,
  useDebouncedCallback,
  useRateLimitedFetch,
} from 'lull'
import { createLimiter, debounce, tokenBucket, type Debounced, type Limiter } from 'lull/core'
import { createRateLimitedFetch, isRateLimitError, type RateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { useState, type ReactElement } from 'react'

// Every entry, so that the compiler reads all declarations.
export * as hooks from 'lull'
export * as core from 'lull/core'
export * as fetches from 'lull/fetch'
export * as redis from 'lull/redis'
export * as tabs from 'lull/tabs'
export * as testing from 'lull/testing'

export function Search({ find }: { find: (text: string) => void }): ReactElement {
  const [text, setText] = useState('')
  const rested: string = useDebounce(text, 300)
  const findSoon: Debounced<(text: string) => void> = useDebouncedCallback(find, 300, {
    maxWait: 1000,
  })
  const paced: typeof fetch = useRateLimitedFetch()
  // @ts-expect-error -- the function takes a string
  const findNumber = () => findSoon(1)
  return (
    <input
      value={text}
      title={`${rested} ${paced.name} ${findNumber.name}`}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        findSoon(value)
      }}
    />
  )
}

const clock = createManualClock()
export const page = (
  <RateLimitProvider options={{ concurrency: 2 }}>
    <ClockProvider clock={clock}>
      <Search find={() => undefined} />
    </ClockProvider>
  </RateLimitProvider>
)
const limiter: Limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
export const isAllowed: boolean = limiter.allow()
// @ts-expect-error -- a token bucket has a burst
export const without = tokenBucket({ ratePerSecond: 1 })

export const length: number | undefined = debounce((text: string) => text.length, 100)('text')

export const paced: RateLimitedFetch = createRateLimitedFetch({ ratePerSecond: 5 })
export async function get(url: string): Promise<unknown> {
  try {
    return await (await paced(url)).json()
  } catch (error) {
    if (isRateLimitError(error)) return error.retryAfterMs
    throw error
  }
}
