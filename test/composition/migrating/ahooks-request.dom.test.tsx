import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { People as PeopleAfter } from '../../../docs/recipes/migrating/ahooks-request.after.tsx'
import { People as PeopleBefore } from '../../../docs/recipes/migrating/ahooks-request.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'

stopTime()

function createServer() {
  const asked: string[] = []
  const aborted: string[] = []
  /** The first name takes long, the others do not. */
  function find(name: string, signal?: AbortSignal): Promise<string> {
    asked.push(name)
    const ms = asked.length === 1 ? 500 : 100
    return new Promise((resolve, reject) => {
      if (signal)
        signal.onabort = () => {
          aborted.push(name)
        }
      setTimeout(() => (name ? resolve(`${name}!`) : reject(new Error('no name'))), ms)
    })
  }
  return { find, asked, aborted }
}

const type = (text: string) =>
  act(async () => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: text } })
    await Promise.resolve()
  })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shown = () => screen.getByRole('status').textContent
const isBusy = () => screen.queryByRole('progressbar') !== null

const both: [string, (props: { find: ReturnType<typeof createServer>['find'] }) => ReactNode][] = [
  ['before', PeopleBefore],
  ['after', PeopleAfter],
]

it.each(both)(
  '%s: a search is made once the typing rests, and the newest answer is shown',
  async (_, People) => {
    const { find, asked } = createServer()
    render(<People find={find} />)
    await type('A')
    await pass(100)
    await type('Ann')
    await pass(299)
    expect(asked).toEqual([])
    await pass(1)
    expect(asked).toEqual(['Ann'])
    // The second one is answered before the first.
    await type('Bob')
    await pass(400)
    expect(asked).toEqual(['Ann', 'Bob'])
    expect(shown()).toBe('Bob!')
    await pass(1000)
    expect(shown()).toBe('Bob!')
  },
)

it.each(both)('%s: an error is shown, and gone with the next answer', async (_, People) => {
  // Where ahooks reports it.
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => report.mockRestore())
  const { find } = createServer()
  render(<People find={find} />)
  await type('Ann')
  await pass(1000)
  await type('')
  await pass(1000)
  expect(shown()).toBe('no name')
  await type('Bob')
  await pass(1000)
  expect(shown()).toBe('Bob!')
})

it('differs: it is busy from the first key on, not only while the server is asked', async () => {
  const busy: boolean[][] = []
  for (const [, People] of both) {
    const { unmount } = render(<People find={createServer().find} />)
    const seen = [isBusy()]
    for (const step of [() => type('Ann'), () => pass(300), () => pass(500)]) {
      await step()
      seen.push(isBusy())
    }
    busy.push(seen)
    unmount()
  }
  expect(busy).toEqual([
    [false, false, true, false],
    [false, true, true, false],
  ])
})

it('differs: the search that is overtaken is aborted, and so is one that is left', async () => {
  const { find, aborted } = createServer()
  const { unmount } = render(<PeopleAfter find={find} />)
  await type('Ann')
  await pass(300)
  await type('Bob')
  await pass(300)
  expect(aborted).toEqual(['Ann'])
  unmount()
  expect(aborted).toEqual(['Ann', 'Bob'])
})
