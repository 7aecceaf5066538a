import type { Policy } from 'lull/fetch'

/** Sends requests only between the hours `from` and `to`, UTC. */
export const businessHours =
  (from = 8, to = 18): Policy =>
  ({ clock }) => ({
    readyAt(now) {
      const wallMs = clock.wall()
      const opening = new Date(wallMs)
      const hour = opening.getUTCHours()
      if (hour >= from && hour < to) return now
      opening.setUTCHours(hour < from ? from : from + 24, 0, 0, 0)
      return now + opening.getTime() - wallMs
    },
  })
