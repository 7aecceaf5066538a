// The JSON that the API takes and gives. The page imports this file too.

/** How the name of a city matches a query; the first in this list is the best. */
export const matchKinds = ['exact', 'prefix', 'word', 'substring'] as const
export type MatchKind = (typeof matchKinds)[number]

export interface CityResult {
  id: number
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** 0 where it is not known. */
  population: number
  lat: number
  lon: number
  match: MatchKind
}

/** `GET /api/search?q=` with status 200. */
export interface SearchAnswer {
  /** As it was sent. */
  query: string
  /** How many cities match; `results` holds the best 10. */
  total: number
  results: CityResult[]
  /** How long the search itself took, without the delay that the settings ask for. */
  tookMs: number
}

/** `GET /api/search` with status 429. */
export interface RefusalAnswer {
  error: string
  retryAfterMs: number
}

/** Every answer with another status of 400 or more. */
export interface ErrorAnswer {
  error: string
}

/** `GET /api/about`: where the data is from, and what is to be said of it. */
export interface AboutAnswer {
  source: string
  sourceUrl: string
  attribution: string
  license: string
  licenseUrl: string
  cities: number
}

/** Which header fields tell a client about the limit. */
export const headerStyles = ['both', 'retry-after', 'date', 'ratelimit', 'x-ratelimit', 'none'] as const
export type HeaderStyle = (typeof headerStyles)[number]

/** How the server treats searches: the body of `GET` and `PUT /api/settings`. */
export interface Settings {
  ratePerSecond: number
  /** How many searches may come at once after a pause. */
  burst: number
  /** How long an answer takes on average; each is up to a third shorter or longer. */
  delayMs: number
  /** The share of searches that fail, from 0 to 1. */
  faultRate: number
  headers: HeaderStyle
}

/** The body of `POST /api/settings/refuse`, and its answer: refuse this client for so long. */
export interface RefuseOrder {
  /** A whole number up to 60000; 0 ends a refusal. */
  ms: number
}

/** The body of `PUT /api/note`. */
export interface NoteOrder {
  /** At most 1000 characters. */
  text: string
  /** A whole number from 1: of two notes the server keeps the one with the greater. */
  revision: number
}

/** `GET` and `PUT /api/note`: the client's note as the server has it. */
export interface NoteAnswer extends NoteOrder {
  /** How long ago it was saved; null if it never was, and then `revision` is 0. */
  ageMs: number | null
}
