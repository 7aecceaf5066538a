export interface RaceServer {
  readonly received: number
  receive: () => { status: number; headers: Record<string, string> }
  msUntil: (count: number) => number
}

export function createBucketServer(
  options: {
    ratePerSecond?: number
    burst?: number
    changes?: { afterMs: number; factor: number }[]
    tells: { retryAfter?: boolean; rateLimit?: boolean }
  },
  now: () => number,
): RaceServer

export function createPausingServer(options: { pauseMs: number }, now: () => number): RaceServer
