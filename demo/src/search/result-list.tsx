import { memo, type ReactNode } from 'react'
import type { CityResult, SearchResponse } from '../../server/api.ts'
import { number } from '../number.ts'
import { matchRange } from './match-range.ts'

interface ResultListProps {
  response: SearchResponse
  isStale: boolean
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

/** The key is the row number: new results change the text of the rows, and no element moves. */
export const ResultList = memo(function ResultList({ response, isStale }: ResultListProps): ReactNode {
  return (
    <ol className="result-list" aria-label="Cities" aria-busy={isStale} data-query={response.query}>
      {response.results.map((city, place) => (
        <li key={place}>
          <MatchedName city={city} query={response.query} />
          <span className="country">{countries.of(city.country) ?? city.country}</span>
          <span className="population">
            {city.population > 0 ? number.format(city.population) : <span title="not known">–</span>}
          </span>
        </li>
      ))}
    </ol>
  )
})

function MatchedName({ city: { name }, query }: { city: CityResult; query: string }): ReactNode {
  const [from, to] = matchRange(name, query)
  return (
    <span className="name" title={name}>
      {name.slice(0, from)}
      <mark>{name.slice(from, to)}</mark>
      {name.slice(to)}
    </span>
  )
}
