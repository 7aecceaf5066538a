import { debounceAsync, type DebounceAsyncOptions } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { createDeferred, settled, track, type Deferred } from '../shared/promises.ts'

// Laws that it shares with other call shapers are in laws.test.ts.

/** A run of the task, which ends when the test settles it. */
interface Run extends Deferred<string> {
  at: number
  text: string
  signal: AbortSignal
}

/** A debounced task whose runs end when the test calls `end`. */
function setUp(wait: number, options: DebounceAsyncOptions = {}, inside?: (run: Run) => void) {
  const clock = createTestClock()
  const runs: Run[] = []
  const debounced = debounceAsync(
    (signal, text: string) => {
      const run = { ...createDeferred<string>(), at: clock.now(), text, signal }
      runs.push(run)
      inside?.(run)
      return run.promise
    },
    wait,
    { clock, ...options },
  )
  const call = (text: string) => track(debounced(text))
  /** Ends the run of `text` with its text in capitals. */
  const end = async (text: string) => {
    runs.find((run) => run.text === text)!.resolve(text.toUpperCase())
    await settled()
  }
  return { clock, debounced, runs, call, end }
}

const done = (value: string) => ({ state: 'resolved', value: { status: 'done', value } })
const superseded = { state: 'resolved', value: { status: 'superseded' } }
const cancelled = { state: 'resolved', value: { status: 'cancelled' } }

it.each([{ leading: false, trailing: false }, { trailing: false }])(
  'never runs without an edge: %j',
  async (edges) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { debounced, runs, call } = setUp(50, edges)
    const first = call('a')
    await settled()
    expect(first).toEqual(cancelled)
    expect(debounced.isPending()).toBe(false)
    expect(runs).toEqual([])
  },
)
describe('dispose, the shutdown with wait', () => {
  it('waits for a save that was flushed while another was in flight', async () => {
    const { clock, debounced, runs, call, end } = setUp(100, { overlap: 'queue' })
    const first = call('a')
    clock.advance(100)
    const second = call('b')
    void debounced.flush()
    const disposal = track(debounced.dispose())
    await end('a')
    expect(runs.map(({ text }) => text)).toEqual(['a', 'b'])
    expect(disposal.state).toBe('pending')
    await end('b')
    expect([first, second]).toEqual([done('A'), done('B')])
    expect(disposal.state).toBe('resolved')
  })

  it('waits for the run whose task calls it', async () => {
    const disposals: { state: string }[] = []
    const { debounced, call, end } = setUp(100, { leading: true }, () => {
      disposals.push(track(debounced.dispose()))
    })
    call('a')
    await settled()
    expect(disposals).toMatchObject([{ state: 'pending' }])
    await end('a')
    expect(disposals).toMatchObject([{ state: 'resolved' }])
  })

  it('is called and awaited at the end of a block by await using', async () => {
    const { clock, debounced, call, end } = setUp(100)
    const first = call('a')
    const block = track(
      (async () => {
        await using inBlock = debounced
        await inBlock.flush()
        void inBlock('b')
        void inBlock.flush()
      })(),
    )
    await end('a')
    expect(first).toEqual(done('A'))
    expect(block.state).toBe('pending')
    await end('b')
    expect(block.state).toBe('resolved')
    {
      using again = debounced
      again.configure({ trailing: true })
      void again('c')
      expect(clock.pending).toBe(1)
    }
    expect(clock.pending).toBe(0)
  })
})

it('lets an abort listener start a newer run, which stays the only active one', async () => {
  const inner: { state: string }[] = []
  const all = setUp(100, {}, ({ text, signal }) => {
    if (text !== 'a') return
    signal.addEventListener('abort', () => {
      inner.push(all.call('c'))
      void all.debounced.flush()
    })
  })
  const first = all.call('a')
  all.clock.advance(100)
  const second = all.call('b')
  all.clock.advance(100)
  expect(all.runs.map(({ text }) => text)).toEqual(['a', 'c'])
  await all.end('c')
  expect([first, second, ...inner]).toEqual([superseded, superseded, done('C')])
})
