import { createRateLimitedFetch } from 'lull/fetch'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../fetch/servers/loopback.ts'
import { startReal, type StartedReal } from '../fetch/servers/start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

/** Installs the fetch globally, as an application does to limit all its requests. */
function install({ f }: Pick<StartedReal, 'f'>): () => void {
  const before = globalThis.fetch
  const restore = (): void => void (globalThis.fetch = before)
  globalThis.fetch = f
  onTestFinished(restore)
  return restore
}

it('sends each request once while installed as the global fetch, and none after the old fetch is restored', async () => {
  const { origin, paths } = await listen()
  const native = globalThis.fetch
  const started = startReal()
  const restore = install(started)
  expect(await (await fetch(`${origin}/global`)).text()).toBe('')
  expect((await started.f(`${origin}/direct`)).status).toBe(200)
  restore()
  expect(globalThis.fetch).toBe(native)
  expect((await fetch(`${origin}/native`)).status).toBe(200)
  expect((await started.f(`${origin}/kept`)).status).toBe(200)
  expect(paths()).toEqual(['/global', '/direct', '/native', '/kept'])
  expect(started.events.filter(({ type }) => type === 'dispatch')).toHaveLength(3)
})

it('sends each request once when two are installed over each other and the inner one is removed first', async () => {
  const { origin, arrived } = await listen()
  const outer = startReal()
  const restoreInner = install({ f: createRateLimitedFetch() })
  install(outer)
  expect((await fetch(`${origin}/`)).status).toBe(200)
  expect(arrived).toHaveLength(1)
  restoreInner()
  expect((await outer.f(`${origin}/`)).status).toBe(200)
  expect(arrived).toHaveLength(2)
})
