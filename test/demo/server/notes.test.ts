import { expect, it } from 'vitest'
import { createApp } from '../../../demo/server/create-app.ts'

function setUp(maxClients = 3) {
  const time = { now: 1000 }
  const app = createApp({ now: () => time.now, maxClients })
  const path = (client: string) => `/api/note?client=${client}`
  return {
    time,
    read: async (client: string): Promise<unknown> => (await app.request(path(client))).json(),
    write: async (client: string, body: unknown): Promise<unknown[]> => {
      const response = await app.request(path(client), { method: 'PUT', body: JSON.stringify(body) })
      return [response.status, (await response.json()) as unknown]
    },
  }
}

it('keeps a note for each client, and returns its age', async () => {
  const { time, read, write } = setUp()
  expect(await read('a')).toEqual({ text: '', revision: 0, ageMs: null })
  const note = { text: 'mine', revision: 1 }
  expect(await write('a', note)).toEqual([200, { ...note, ageMs: 0 }])
  time.now += 2500
  expect(await read('a')).toEqual({ ...note, ageMs: 2500 })
  expect(await read('b')).toEqual({ text: '', revision: 0, ageMs: null })
})

it('does not replace a newer note with a late one', async () => {
  const { read, write } = setUp()
  await write('a', { text: 'newer', revision: 7 })
  const kept = { text: 'newer', revision: 7, ageMs: 0 }
  expect(await write('a', { text: 'older', revision: 6 })).toEqual([200, kept])
  expect(await write('a', { text: 'the same', revision: 7 })).toEqual([200, kept])
  expect(await read('a')).toEqual(kept)
})

it('evicts the least recently used note', async () => {
  const { read, write } = setUp(2)
  await write('a', { text: 'a', revision: 1 })
  await write('b', { text: 'b', revision: 1 })
  await read('a')
  await write('c', { text: 'c', revision: 1 })
  expect(await read('b')).toMatchObject({ revision: 0 })
  expect(await read('a')).toMatchObject({ text: 'a' })
})

it.each([
  [{ text: 'x'.repeat(1001), revision: 1 }, 'Expected text to be a string of at most 1000 characters'],
  [{ text: 1, revision: 1 }, 'Expected text to be a string of at most 1000 characters'],
  [{ text: 'a' }, 'Expected revision to be a whole number from 1'],
  [{ text: 'a', revision: 0 }, 'Expected revision to be a whole number from 1'],
  [{ text: 'a', revision: 1, more: 1 }, 'Expected no members but text and revision'],
])('refuses %j', async (body, error) => {
  const { read, write } = setUp()
  expect(await write('a', body)).toEqual([400, { error }])
  expect(await read('a')).toMatchObject({ revision: 0 })
})
