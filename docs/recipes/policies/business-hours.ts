import type { Policy } from 'lull/fetch'

/** A policy that sends nothing but between the hours `from` and `to` of the day, UTC. */
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
