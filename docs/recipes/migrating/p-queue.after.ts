import {
  createLimiter,
  createQueue,
  slidingWindowLog,
  systemClock,
} from 'lull/core'

/** Downloads two at a time, four in any second, the most urgent first. */
export function createDownloads(
  download: (url: string) => Promise<string>,
  clock = systemClock,
) {
  // new PQueue({ concurrency: 2, interval: 1000, intervalCap: 4,
  //   strict: true })
  const limiter = createLimiter(
    slidingWindowLog({ limit: 4, windowMs: 1000 }),
    { clock },
  )
  const queue = createQueue({ limiter, concurrency: 2 })
  return {
    // queue.add(() => download(url), { priority, signal })
    add: (url: string, priority = 0, signal?: AbortSignal) =>
      queue.add(() => download(url), { priority, signal }),
    onIdle: queue.onIdle,
  }
}
// Six downloads of 100 ms start at 0, 0, 100, 100, 1000 and 1000 ms.
