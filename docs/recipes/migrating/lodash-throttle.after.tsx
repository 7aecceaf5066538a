import { useThrottledEvent } from 'lull'

const page = () => window

export function Tracker({ track }: { track: (top: number) => void }) {
  useThrottledEvent(page, 'scroll', () => track(window.scrollY), 100)
  return null
}
