import type { ManualClock } from 'lull/testing'

/** Replaces the platform's fetch: responds after 20 ms by the script, then 200; logs aborts. */
export function createScriptedFetch(
  clock: ManualClock,
  script: readonly ResponseInit[] = [],
): { fetch: typeof fetch; sentAt: number[]; aborted: unknown[] } {
  const sentAt: number[] = []
  const aborted: unknown[] = []
  return {
    sentAt,
    aborted,
    fetch(input, init) {
      const response = script[sentAt.length] ?? { status: 200 }
      sentAt.push(clock.now())
      const { signal } = new Request(input, init)
      return new Promise((resolve, reject) => {
        const stop = clock.after(20, () => resolve(new Response('body', response)))
        signal.addEventListener('abort', () => {
          stop()
          aborted.push(signal.reason)
          reject(signal.reason as Error)
        })
      })
    },
  }
}

export const refusal: ResponseInit = { status: 429, headers: { 'Retry-After': '2' } }
