// The JSON of the API's requests and responses. The page imports this file too.

/** How the name of a city matches a query, best first. */
export const matchKinds = ['exact', 'prefix', 'word', 'substring'] as const
export type MatchKind = (typeof matchKinds)[number]

export interface CityResult {
  id: number
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** 0 if unknown. */
  population: number
  lat: number
  lon: number
  match: MatchKind
}

/** `GET /api/search?q=` with status 200. */
export interface SearchResponse {
  /** The query as received. */
  query: string
  /** The number of matching cities; `results` has the best 10. */
  total: number
  results: CityResult[]
  /** The duration of the search itself, without the configured delay. */
  tookMs: number
}

/** `GET /api/search` with status 429. */
export interface RefusalResponse {
  error: string
  retryAfterMs: number
}

/** Every other response with a status of 400 or more. */
export interface ErrorResponse {
  error: string
}

/** `GET /api/about`: the source of the data, and its attribution. */
export interface AboutResponse {
  source: string
  sourceUrl: string
  attribution: string
  license: string
  licenseUrl: string
  cities: number
}

/** The header fields that describe the limit to a client. */
export const headerStyles = ['both', 'retry-after', 'date', 'ratelimit', 'x-ratelimit', 'none'] as const
export type HeaderStyle = (typeof headerStyles)[number]

/** The settings of searches: the body of `GET` and `PUT /api/settings`. */
export interface Settings {
  ratePerSecond: number
  /** The number of searches allowed at once after a pause. */
  burst: number
  /** The average delay of a response; each is up to a third shorter or longer. */
  delayMs: number
  /** The share of searches that fail, from 0 to 1. */
  faultRate: number
  headers: HeaderStyle
}

/** The body of `POST /api/settings/refuse` and of its response: refuses this client for `ms` from its next search. */
export interface RefuseOrder {
  /** A whole number, at most 60000; 0 ends a refusal. */
  ms: number
}

/** The body of `PUT /api/note`. */
export interface NoteOrder {
  /** At most 1000 characters. */
  text: string
  /** A whole number, at least 1. The server keeps the note with the greater revision. */
  revision: number
}

/** `GET` and `PUT /api/note`: the client's note on the server. */
export interface NoteResponse extends NoteOrder {
  /** The time since the save; null, with `revision` 0, if it was never saved. */
  ageMs: number | null
}
