import { useSyncExternalStore, type ReactNode } from 'react'
import { number } from '../number.ts'
import type { Driver } from '../settings/schema.ts'
import type { EventLog } from './event-log.ts'

/** The counts of events, and the requests saved. */
export function Counters({ log, driver }: { log: EventLog; driver: Driver }): ReactNode {
  const { keystroke, debounced, throttled, typed, requests, refused } = useSyncExternalStore(
    log.subscribe,
    log.totals,
  )
  const saved = Math.max(0, keystroke - typed)
  return (
    <>
      <p className="sum">
        Typed: {times(keystroke, 'keystroke')} → {times(typed, 'request')}
      </p>
      <dl className="counters">
        <Counter name="Keystrokes" mark="keystroke" id="count-keystrokes" value={keystroke} />
        <Counter
          name="Debounced"
          mark="debounced"
          id="count-debounced"
          value={debounced}
          isIdle={driver !== 'debounced'}
        />
        <Counter
          name="Throttled"
          mark="throttled"
          id="count-throttled"
          value={throttled}
          isIdle={driver !== 'throttled'}
        />
        <Counter name="Requests" mark="ok" id="count-requests" value={requests} />
        <Counter name="Refused" mark="refused" id="count-refused" value={refused} />
        <Counter name="Saved" id="count-saved" value={saved} />
      </dl>
    </>
  )
}

interface CounterProps {
  name: string
  /** Its colour in the timeline. */
  mark?: string
  id: string
  value: number
  /** Whether it currently sends no requests. */
  isIdle?: boolean
}

function Counter({ name, mark, id, value, isIdle = false }: CounterProps): ReactNode {
  return (
    <div className={isIdle ? 'is-idle' : undefined}>
      <dt className={mark && `marked ${mark}`}>{name}</dt>
      <dd>
        <span data-testid={id}>{number.format(value)}</span>
        {isIdle && (
          // Always in the layout, so that nothing moves.
          <span className="note" style={{ visibility: value > 0 ? 'visible' : 'hidden' }}>
            {' '}
            would have run
          </span>
        )}
      </dd>
    </div>
  )
}

const times = (count: number, noun: string) => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`
