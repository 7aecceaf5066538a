import type { ReactNode } from 'react'
import { VOLLEY } from '../typing/use-volley.ts'
import { ResultList } from './result-list.tsx'
import type { Answers } from './use-answer.ts'

interface ResultAreaProps extends Answers {
  text: string
  cities: number | undefined
  /** Whether the run that asks is still to come. */
  isHeld: boolean
  onRetry: () => void
}

const count = new Intl.NumberFormat('en')

/** The answer, or what there is in its place, in a space whose size does not change. */
export function ResultArea({ text, answer, failure, cities, isHeld, onRetry }: ResultAreaProps): ReactNode {
  const isBlank = text.trim() === ''
  const isStale = answer?.query !== text
  const failed = failure?.query === text ? failure : undefined
  return (
    <>
      <p className="result-line">
        <span role="status">{!isBlank && !isStale && totalWords(answer)}</span>
        {isBlank && cities && `${count.format(cities)} cities to choose from.`}
        {!isBlank && isStale && !failed && (
          <span className="waiting">
            {isHeld ? 'Waiting for you to stop typing' : 'Searching'}
            {answer && <>. Still showing “{answer.query}”</>}
          </span>
        )}
      </p>
      <div className="results" role="region" aria-label="Results" tabIndex={0}>
        {failed && (
          <div className="failure" role="alert">
            <p>{failed.words}</p>
            <button type="button" className="button" onClick={onRetry}>
              Try again
            </button>
          </div>
        )}
        {isBlank && <Hints />}
        {!isBlank && answer && <ResultList answer={answer} isStale={isStale} />}
      </div>
    </>
  )
}

/** What there is to do here, in the place of the results. */
function Hints(): ReactNode {
  return (
    <ol className="hints">
      <li>Type a city: each pause makes one request.</li>
      <li>Press Refuse and type on: nothing is sent until the server’s pause is over.</li>
      <li>Send {VOLLEY} calls, and see the server’s limit being learned.</li>
      <li>Or let the autopilot type.</li>
    </ol>
  )
}

function totalWords(answer: Answers['answer']): string {
  if (!answer) return ''
  const { total, query, results } = answer
  if (total === 0) return `No city has “${query}” in its name.`
  if (total === 1) return `1 city has “${query}” in its name.`
  const shown = total > results.length ? `, the first ${results.length} here` : ''
  return `${count.format(total)} cities have “${query}” in their names${shown}.`
}
