import { useCallback, useState } from 'react'
import type { SearchAnswer } from '../../server/api.ts'
import { failureWords } from './failure-words.ts'
import { searchCities } from './search-cities.ts'

export interface Answers {
  /** The last one: for an older text than is typed now, perhaps. */
  answer: SearchAnswer | undefined
  /** Why there is none for `query`. */
  failure: { query: string; words: string } | undefined
}

const none: Answers = { answer: undefined, failure: undefined }

/** Keeps the last answer until there is another. A search whose signal has aborted changes nothing. */
export function useAnswer(client: string) {
  const [answers, setAnswers] = useState(none)

  const show = useCallback(
    async (query: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<void> => {
      if (query.trim() === '') {
        setAnswers(none)
        return
      }
      setAnswers(({ answer }) => ({ answer, failure: undefined }))
      try {
        const answer = await searchCities(query, { fetch, client, signal })
        if (!signal.aborted) setAnswers({ answer, failure: undefined })
      } catch (error) {
        const failure = { query, words: failureWords(error) }
        if (!signal.aborted) setAnswers(({ answer }) => ({ answer, failure }))
      }
    },
    [client],
  )

  return { ...answers, show }
}
