import { Hono } from 'hono'
import type { NoteResponse, NoteOrder } from './api.ts'
import { badRequest } from './bad-request.ts'
import type { ClientEnv } from './client-gates.ts'
import { createLruMap } from './lru-map.ts'
import { readJsonObject } from './read-json-object.ts'
import { isWholeNumber } from './settings.ts'

interface NotesOptions {
  /** The maximum number of notes; the least recently used is evicted. */
  maxNotes: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** The maximum length of a note, in characters. */
const MAX_LENGTH = 1000

/** One note for each client, in memory. */
export function notes({ maxNotes, now }: NotesOptions): Hono<ClientEnv> {
  const app = new Hono<ClientEnv>()
  const kept = createLruMap<string, NoteOrder & { savedAt: number }>(maxNotes)

  function responseTo(key: string): NoteResponse {
    const note = kept.get(key)
    if (!note) return { text: '', revision: 0, ageMs: null }
    const { text, revision, savedAt } = note
    return { text, revision, ageMs: now() - savedAt }
  }

  app.get('/', (c) => c.json(responseTo(c.var.key)))

  app.put('/', async (c) => {
    const order = parseNote(await readJsonObject(c.req))
    const last = kept.get(c.var.key)
    // Saves may arrive out of order: keep the higher revision.
    if (!last || order.revision > last.revision) kept.set(c.var.key, { ...order, savedAt: now() })
    return c.json(responseTo(c.var.key))
  })

  return app
}

function parseNote({ text, revision, ...others }: Record<string, unknown>): NoteOrder {
  if (typeof text !== 'string' || text.length > MAX_LENGTH)
    throw badRequest(`Expected text to be a string of at most ${MAX_LENGTH} characters`)
  if (!isWholeNumber(revision, 1, Number.MAX_SAFE_INTEGER))
    throw badRequest('Expected revision to be a whole number from 1')
  if (Object.keys(others).length > 0) throw badRequest('Expected no members but text and revision')
  return { text, revision }
}
