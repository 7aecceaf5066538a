import type {
  DebouncedAsyncOptions,
  DebouncedCallbackOptions,
  DebouncedStateOptions,
  DebounceValueOptions,
  RateMeterViewOptions,
  ThrottledCallbackOptions,
  ThrottledEventOptions,
  ThrottledResizeOptions,
  ThrottleValueOptions,
  UseBatchOptions,
} from 'lull'
import type {
  CallOptions,
  DedupeFetchOptions,
  LearnPaceOptions,
  legacyRateLimitFields,
  pageLifecycle,
  PolicyHooks,
  priorities,
  rateLimitFields,
  ReadRateLimitOptions,
  retryBudget,
  RetryAfterOptions,
  SupersedeFetchOptions,
} from 'lull/fetch'
import { expect, it } from 'vitest'
import { read } from './markdown.ts'

/** The names of all options; the compiler checks that none is missing. */
const all = <Options>(options: Record<keyof Options, true>): string[] => Object.keys(options)

type Given<Make extends (options?: never) => unknown> = NonNullable<Parameters<Make>[0]>

const throttling = { leading: true, trailing: true, holdWhile: true } as const
const timing = { ...throttling, maxWait: true } as const
const leaving = { onUnmount: true, flushOn: true } as const
const edge = { leading: true, holdWhile: true, flushOn: true } as const
const value = { equals: true, commit: true } as const

it.each([
  ['use-debounce', all<DebounceValueOptions<unknown>>({ ...edge, maxWait: true, ...value })],
  ['use-throttle', all<ThrottleValueOptions<unknown>>({ ...edge, trailing: true, ...value })],
  ['use-debounced-callback', all<DebouncedCallbackOptions>({ ...timing, ...leaving })],
  ['use-throttled-callback', all<ThrottledCallbackOptions>({ ...throttling, ...leaving })],
  ['use-debounced-state', all<DebouncedStateOptions<unknown>>({ ...timing, ...leaving, ...value })],
  ['use-debounced-async', all<DebouncedAsyncOptions>({ ...timing, ...leaving, overlap: true, commit: true })],
  [
    'use-batch',
    all<UseBatchOptions<unknown>>({ wait: true, maxWait: true, maxSize: true, key: true, ...leaving }),
  ],
  ['use-throttled-event', all<ThrottledEventOptions>({ leading: true, capture: true, ...leaving })],
  ['use-throttled-resize', all<ThrottledResizeOptions>({ leading: true, box: true, ...leaving })],
  ['use-rate-meter', all<RateMeterViewOptions>({ intervalMs: true })],
  ['dedupe-fetch', all<DedupeFetchOptions>({ dedupeKey: true })],
  ['supersede-fetch', all<SupersedeFetchOptions>({ key: true })],
  ['learn-pace', all<LearnPaceOptions>({ firstWindow: true })],
  ['rate-limit-fields', all<Given<typeof rateLimitFields>>({ spread: true })],
  ['rate-limit-fields', all<Given<typeof legacyRateLimitFields>>({ maxPreemptiveMs: true })],
  ['priorities', all<Given<typeof priorities>>({ ageingMs: true })],
  ['retry-budget', all<Given<typeof retryBudget>>({ capacity: true, deposit: true, reserveMs: true })],
  ['page-lifecycle', all<Given<typeof pageLifecycle>>({ hidden: true, offline: true })],
  ['parse-retry-after', all<RetryAfterOptions>({ now: true, date: true, strict: true })],
  ['read-rate-limit', all<ReadRateLimitOptions>({ now: true, strict: true })],
])('the page %s lists each option', (page, options) => {
  const section = /^## Options\n(.*?)^## /ms.exec(read(`docs/functions/${page}.md`))![1]!
  for (const option of options) expect(section).toContain(`\`${option}\``)
})

it('the guide to policies lists each hook', () => {
  const text = read('docs/guides/write-a-policy.md')
  const hooks = all<PolicyHooks>({
    countsOthers: true,
    admit: true,
    overflow: true,
    readyAt: true,
    before: true,
    sent: true,
    read: true,
    ended: true,
    closed: true,
    delay: true,
    veto: true,
    left: true,
    reset: true,
    isIdle: true,
    dispose: true,
    snapshot: true,
  })
  for (const hook of hooks) expect(text).toMatch(new RegExp(`^\\| \`${hook}[(\`]`, 'm'))
})

it('the page of composeRateLimitedFetch lists each option of a call', () => {
  const text = read('docs/functions/compose-rate-limited-fetch.md')
  const section = /^## Returns\n(.*?)^## /ms.exec(text)![1]!
  const options = all<Omit<CallOptions, 'promotion'>>({
    priority: true,
    maxWaitMs: true,
    totalTimeoutMs: true,
    queueTimeoutMs: true,
  })
  for (const option of options) expect(section).toMatch(new RegExp(`\\b${option}\\b`))
})
