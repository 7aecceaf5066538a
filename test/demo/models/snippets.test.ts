// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import * as lull from 'lull'
import * as core from 'lull/core'
import * as fetchEntry from 'lull/fetch'
import * as tabs from 'lull/tabs'
import { beforeEach, expect, it, vi } from 'vitest'
import { changeIn } from '../../../demo/src/code/live-code.tsx'
import { readLink } from '../../../demo/src/settings/link.ts'
import { laneNames, type LaneName } from '../../../demo/src/playground/modes/mode-lanes.ts'
import { stubResizeObserver } from '../../react/support/fake-resize-observer.ts'
import { snippets, type Snippet } from '../../../demo/src/code/snippets.ts'

beforeEach(() => void vi.useFakeTimers())

const modules = { lull, 'lull/core': core, 'lull/fetch': fetchEntry, 'lull/tabs': tabs }

const AsyncFunction = (async () => {}).constructor as new (
  ...code: string[]
) => (...values: unknown[]) => Promise<never>

/** Runs the code of a panel, and returns what it declares. */
function run<Declared>(panel: Snippet, link: string, globals: object = {}): Promise<Declared> {
  const code = snippets[panel](readLink(link))
  for (const line of code.split('\n')) expect(line.length, line).toBeLessThanOrEqual(60)
  const body = code
    .replace(/import \* as (\w+) from '(.+)'/g, "const $1 = modules['$2']")
    .replace(/import (\{[^}]+\}) from '(.+)'/g, "const $1 = modules['$2']")
  const declared = [...code.matchAll(/^(?:const|function) (\w+)/gm)].map(([, name]) => name!)
  const all = { modules, ...globals }
  return new AsyncFunction(...Object.keys(all), `${body}\nreturn { ${declared.join(', ')} }`)(
    ...Object.values(all),
  )
}

type Search = { search: (text: string) => void }

it.each([
  '',
  '#page.driver=keystroke',
  '#page.driver=throttled&page.wait=500',
  '#page.leading=on&page.trailing=off&page.maxWait=3000&page.wait=2000',
  '#page.ratePerSecond=2.5&page.burst=10',
  '#policies.learn=off&policies.fields=off&policies.legacy=off&policies.priorities=off&policies.tabs=off',
  '#policies.breaker=on',
  '#policies.breaker=on&page.driver=keystroke&page.ratePerSecond=0.1&page.burst=100',
  '#policies.breaker=on&page.leading=on&page.trailing=off&page.maxWait=3000&page.ratePerSecond=2.5',
])('search: the code sends the typed text, %s', async (link) => {
  const sent = vi.fn(() => Promise.resolve(new Response('cities')))
  vi.stubGlobal('fetch', sent)
  const show = vi.fn()
  const { search } = await run<Search>('search', link, { show })
  search('rome')
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toHaveBeenCalledOnce()
  expect(show).toHaveBeenCalledOnce()
})

it('search: the code shows no older response after a newer one', async () => {
  const pending: (() => void)[] = []
  const respond = (url: string) => new Promise((resolve) => pending.push(() => resolve(new Response(url))))
  vi.stubGlobal('fetch', vi.fn(respond))
  const show = vi.fn((response: Response) => response.text())
  const { search } = await run<Search>('search', '', { show })
  search('ro')
  await vi.advanceTimersByTimeAsync(1000)
  search('rome')
  await vi.advanceTimersByTimeAsync(1000)
  for (const respondNow of pending.reverse()) respondNow()
  await vi.advanceTimersByTimeAsync(1000)
  expect(show).toHaveBeenCalledOnce()
  expect(await show.mock.results[0]!.value).toContain('q=rome')
})

it.each(['', '#modes.wait=500&modes.maxWait=700'])('modes: the code runs each lane, %s', async (link) => {
  const runs = vi.fn()
  const lanes = await run<Record<LaneName, () => void>>('modes', link, { run: runs })
  expect(Object.keys(lanes)).toEqual(laneNames)
  for (const lane of Object.values(lanes)) lane()
  // Only the leading edges run at once.
  expect(runs).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(5000)
  expect(runs).toHaveBeenCalledTimes(6)
})

it('scroll: the code runs for an event', async () => {
  type Code = { useBox: (box: Element, onThrottled: () => void, onFrame: () => void) => void }
  const { useBox } = await run<Code>('scroll', '#scroll.wait=400')
  stubResizeObserver()
  const onThrottled = vi.fn()
  const onFrame = vi.fn()
  const box = document.createElement('div')
  renderHook(() => useBox(box, onThrottled, onFrame))
  box.dispatchEvent(new Event('scroll'))
  expect(onThrottled).toHaveBeenCalledOnce()
  vi.advanceTimersToNextFrame()
  expect(onFrame).toHaveBeenCalledOnce()
})

it('batching: the code gets the result of its item', async () => {
  const getUsers = vi.fn((ids: number[]) => Promise.resolve(ids.map((id) => ({ id }))))
  const done = run('batching', '#batch.wait=1000', { getUsers })
  await vi.advanceTimersByTimeAsync(1000)
  expect(await done).toMatchObject({ user: { id: 7 } })
  expect(getUsers).toHaveBeenCalledExactlyOnceWith([7])
})

it('limits: the code decides', async () => {
  const { limiter } = await run<{ limiter: core.Limiter }>('limits', '#limits.burst=4')
  // The code takes one of four tokens.
  expect(limiter.remaining()).toBe(3)
})

it('adaptive: the code learns from a call', async () => {
  const isServed = vi.fn(() => Promise.resolve(false))
  type Code = { limiter: core.AdaptiveLimiter }
  const { limiter } = await run<Code>('adaptive', '#adaptive.load=7', { isServed })
  expect(isServed).toHaveBeenCalledOnce()
  expect(limiter.ratePerSecond).toBeLessThan(5)
})

it('autosave: the code saves after the wait', async () => {
  type Code = { useAutosave: (save: () => Promise<void>) => lull.DebouncedAsyncState<[string], void> }
  const { useAutosave } = await run<Code>('autosave', '#autosave.wait=250')
  const save = vi.fn(() => Promise.resolve())
  const { result } = renderHook(() => useAutosave(save))
  void result.current.run('note')
  await vi.advanceTimersByTimeAsync(250)
  expect(save).toHaveBeenCalledOnce()
})

it.each([
  ['}, 500)', ['a', '}, 300)'], ['}, ', '500', ')']],
  ['  wait: 500,', ['  wait: 500,'], ['  wait: 500,', '', '']],
  [
    'debounce(run, 300, { leading: true })',
    ['debounce(run, 300)'],
    ['debounce(run, 300', ', { leading: true }', ')'],
  ],
])('highlights the change in %j', (line, others, parts) => {
  expect(changeIn(line, others)).toEqual(parts)
})
