import { useSyncExternalStore, type ReactNode } from 'react'
import type { EventLog } from './event-log.ts'

/** How often what happened, and what that saved. */
export function Counters({ log }: { log: EventLog }): ReactNode {
  const { keystroke, debounced, throttled, requests, refused } = useSyncExternalStore(
    log.subscribe,
    log.totals,
  )
  const saved = Math.max(0, keystroke - requests)
  return (
    <>
      <p className="sum">
        {times(keystroke, 'keystroke')} → {times(requests, 'request')}
      </p>
      <dl className="counters">
        <Counter name="Keystrokes" mark="keystroke" id="count-keystrokes" value={keystroke} />
        <Counter name="Debounced" mark="debounced" id="count-debounced" value={debounced} />
        <Counter name="Throttled" mark="throttled" id="count-throttled" value={throttled} />
        <Counter name="Requests" mark="ok" id="count-requests" value={requests} />
        <Counter name="Refused" mark="refused" id="count-refused" value={refused} />
        <Counter name="Saved" id="count-saved" value={saved} />
      </dl>
    </>
  )
}

interface CounterProps {
  name: string
  /** The colour it has in the timeline. */
  mark?: string
  id: string
  value: number
}

function Counter({ name, mark, id, value }: CounterProps): ReactNode {
  return (
    <div>
      <dt className={mark && `marked ${mark}`}>{name}</dt>
      <dd data-testid={id}>{value}</dd>
    </div>
  )
}

const times = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
