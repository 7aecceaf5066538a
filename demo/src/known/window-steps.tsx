import type { ReactNode } from 'react'

const steps = [1, 2, 4, 8, 16, 32, 64, Infinity]

interface WindowStepsProps {
  /** Undefined before the first request. */
  window: number | undefined
  isClosed: boolean
}

/** The steps of the window (the maximum in flight), with the current one highlighted. */
export function WindowSteps({ window, isClosed }: WindowStepsProps): ReactNode {
  return (
    <>
      <span className="visually-hidden">{windowWords(window, isClosed)}</span>
      <ol className="window-steps" aria-hidden="true">
        {steps.map((step) => (
          <li key={step} className={step === window && !isClosed ? 'is-on' : undefined}>
            {step === Infinity ? '∞' : step}
          </li>
        ))}
      </ol>
    </>
  )
}

function windowWords(window: number | undefined, isClosed: boolean): string {
  if (isClosed) return 'none in flight, then one'
  if (window === undefined) return 'no request yet'
  return window === Infinity ? 'any number in flight' : `at most ${window} in flight`
}
