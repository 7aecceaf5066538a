import type { ReactNode } from 'react'
import { number } from '../number.ts'
import { VOLLEY } from '../typing/use-volley.ts'
import { ResultList } from './result-list.tsx'
import type { SearchState } from './use-search-response.ts'

interface ResultAreaProps extends SearchState {
  text: string
  cities: number | undefined
  /** Whether the debounced or throttled request is pending. */
  isHeld: boolean
  /** Whether the debounce has no edge on which it sends. */
  isOff: boolean
  onRetry: () => void
}

const OFF = 'Neither leading nor trailing is on: nothing is ever sent'

/** The results, hints or error, in an area of constant size. */
export function ResultArea({
  text,
  response,
  failure,
  cities,
  isHeld,
  isOff,
  onRetry,
}: ResultAreaProps): ReactNode {
  const isBlank = text.trim() === ''
  const isStale = response?.query !== text
  const failed = failure?.query === text ? failure : undefined
  return (
    <>
      <p className="result-line">
        <span role="status">{!isBlank && !isStale && totalWords(response)}</span>
        {isBlank && cities && `${number.format(cities)} cities to choose from.`}
        {!isBlank && isStale && !failed && (
          <span className="waiting">
            {isOff ? OFF : isHeld ? 'Waiting for you to stop typing' : 'Searching'}
            {response && <>. Still showing “{response.query}”</>}
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
        {!isBlank && response && <ResultList response={response} isStale={isStale} />}
      </div>
    </>
  )
}

/** Suggestions, shown in place of the results. */
function Hints(): ReactNode {
  return (
    <ol className="hints">
      <li>Type a city: one request is sent when you stop.</li>
      <li>Press Refuse and keep typing: nothing is sent until the server’s pause is over.</li>
      <li>Send {VOLLEY} calls, and see lull keep to the server’s limit.</li>
    </ol>
  )
}

function totalWords(response: SearchState['response']): string {
  if (!response) return ''
  const { total, query } = response
  if (total === 0) return `No city matches “${query}”.`
  if (total === 1) return `1 city matches “${query}”.`
  return `${number.format(total)} cities match “${query}”.`
}
