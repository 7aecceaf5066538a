import { useCallback, useState } from 'react'
import type { SearchResponse } from '../../server/api.ts'
import { failureWords } from './failure-words.ts'
import { searchCities } from './search-cities.ts'

export interface SearchState {
  /** The last response; may be for an older text. */
  response: SearchResponse | undefined
  /** Why `query` failed. */
  failure: { query: string; words: string } | undefined
}

const none: SearchState = { response: undefined, failure: undefined }

/** Keeps the last response until the next one. An aborted search changes nothing. */
export function useSearchResponse(client: string) {
  const [state, setState] = useState(none)

  const show = useCallback(
    async (query: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<void> => {
      if (query.trim() === '') {
        setState(none)
        return
      }
      setState(({ response }) => ({ response, failure: undefined }))
      try {
        const response = await searchCities(query, { fetch, client, signal })
        if (!signal.aborted) setState({ response, failure: undefined })
      } catch (error) {
        const failure = { query, words: failureWords(error) }
        if (!signal.aborted) setState(({ response }) => ({ response, failure }))
      }
    },
    [client],
  )

  return { ...state, show }
}
