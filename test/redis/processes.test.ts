import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { build } from 'vite'
import { packageAlias } from '../../vite.config.ts'
import { startServer } from './servers/server.ts'

interface Said {
  passed: Record<string, [from: number, to: number][]>
  outages: number
}

it('four processes share one limit and together pass only what the rule allows', async () => {
  const server = await startServer()
  const folder = mkdtempSync(join(tmpdir(), 'lull-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: packageAlias('src') },
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('servers/process.ts', import.meta.url)),
      outDir: folder,
      emptyOutDir: true,
    },
  })
  const children = Array.from({ length: 4 }, () =>
    fork(join(folder, 'process.js'), [String(server.port), '1000']),
  )
  onTestFinished(() => children.forEach((child) => child.kill()))
  const said = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0] as Said))
  expect(said.map(({ outages }) => outages)).toEqual([0, 0, 0, 0])

  const passed = (name: string) => said.flatMap((one) => one.passed[name] ?? [])
  // A call counts as within a window only if it certainly passed within it.
  const mostWithin = (name: string, ms: number): number => {
    const all = passed(name)
    return Math.max(
      ...all.map(([from]) => all.filter((other) => other[0] >= from && other[1] < from + ms).length),
    )
  }
  for (const name of ['tokenBucket', 'gcra', 'leakyBucket']) {
    for (const ms of [1, 50, 250, 1000]) expect(mostWithin(name, ms), name).toBeLessThanOrEqual(50 + 0.2 * ms)
    expect(passed(name).length).toBeGreaterThanOrEqual(50)
  }
  expect(mostWithin('slidingWindowLog', 250)).toBeLessThanOrEqual(50)
  expect(mostWithin('slidingWindowCounter', 250)).toBeLessThanOrEqual(100)
  const windows = new Map<number, number>()
  for (const [from, to] of passed('fixedWindow')) {
    const index = Math.floor(from / 250)
    if (Math.floor(to / 250) === index) windows.set(index, (windows.get(index) ?? 0) + 1)
  }
  for (const count of windows.values()) expect(count).toBeLessThanOrEqual(50)
  for (const name of ['fixedWindow', 'slidingWindowLog', 'slidingWindowCounter'])
    expect(passed(name).length, name).toBeGreaterThanOrEqual(50)
})
