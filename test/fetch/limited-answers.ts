import type { RateLimitedFetchOptions } from 'lull/fetch'
import type { Answer } from './fake-server.ts'
import { callAll, paths, start, type Started } from './start.ts'

const post: RequestInit = { method: 'POST' }

export const says = (headers: Record<string, string>, { status = 200, latencyMs = 10 } = {}): Answer => ({
  status,
  headers,
  latencyMs,
})
export const limited = (ratelimit: string, more: { status?: number; latencyMs?: number } = {}): Answer =>
  says({ ratelimit }, more)

/** One call that is answered so, then `count` more at 10 ms; when each of those was sent. */
export async function afterwards(
  answer: Answer,
  count: number,
  options: RateLimitedFetchOptions = {},
): Promise<Started & { sent: () => number[] }> {
  const started = start({ pace: 'fixed', maxWaitMs: Infinity, ...options }, [answer])
  callAll(started, ['/0'], post)
  await started.clock.advanceAsync(10)
  callAll(started, paths(count))
  return { ...started, sent: () => started.server.at().slice(1) }
}
