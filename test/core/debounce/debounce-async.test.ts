import { debounceAsync, type DebounceAsyncOptions, type Outcome } from 'lull/core'
import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createBusyClock, createTestClock } from '../time/clocks.ts'
import { named } from '../shared/named.ts'
import {
  createDeferred,
  settled,
  track,
  unhandledRejections,
  type Deferred,
  type Tracked,
} from '../shared/promises.ts'

// Laws are in debounce-async-laws.test.ts.

/** A run of the task, which ends when the test says so. */
interface Run extends Deferred<string> {
  at: number
  text: string
  signal: AbortSignal
}

/** A debounced task whose runs end when they are told to. */
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
const pending = { state: 'pending' }
const bad = new Error('bad')

describe('theme 2, an older response overwrites a newer one', () => {
  it('lets the result of the older run reach nobody, though it comes after that of the newer', async () => {
    const { clock, runs, call, end } = setUp(100)
    const first = call('a')
    clock.advance(100)
    const second = call('ab')
    clock.advance(100)
    await end('ab')
    await end('a')
    expect(runs).toHaveLength(2)
    expect([first, second]).toEqual([superseded, done('AB')])
  })

  it('lets it reach nobody either where it comes before, once the newer run has started', async () => {
    const { clock, call, end } = setUp(100)
    const first = call('a')
    clock.advance(100)
    const second = call('ab')
    clock.advance(100)
    await settled()
    expect([first, second]).toEqual([superseded, pending])
    await end('a')
    await end('ab')
    expect([first, second]).toEqual([superseded, done('AB')])
  })

  it('gives each run a signal of its own, which aborts when the next starts, before its task is called', () => {
    const aborted: boolean[][] = []
    const { clock, runs, call } = setUp(100, {}, () => aborted.push(runs.map(({ signal }) => signal.aborted)))
    for (const text of ['a', 'ab', 'abc']) {
      call(text)
      clock.advance(100)
    }
    expect(aborted).toEqual([[false], [true, false], [true, true, false]])
    const { reason } = runs[0]!.signal as { reason: unknown }
    expect(reason).toBeInstanceOf(DOMException)
    expect((reason as DOMException).name).toBe('AbortError')
  })

  it('does not abort the run in flight for a call that is still held back', async () => {
    const { clock, runs, call, end } = setUp(100)
    const first = call('a')
    clock.advance(100)
    const second = call('ab')
    clock.advance(99)
    await end('a')
    expect(first).toEqual(done('A'))
    clock.advance(1)
    await end('ab')
    expect(second).toEqual(done('AB'))
    // What has ended is not aborted: its result may be in use.
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  it('does not abort what has ended where its caller starts the next run at once', async () => {
    const { clock, debounced, runs, end } = setUp(100)
    const both = debounced('a').then(async () => {
      const second = debounced('b')
      void debounced.flush()
      return second
    })
    clock.advance(100)
    await end('a')
    await end('b')
    expect(await both).toEqual({ status: 'done', value: 'B' })
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  it('swallows the error of the run that was aborted', async () => {
    const { clock, runs, call, end } = setUp(100)
    const reasons = await unhandledRejections(async () => {
      const first = call('a')
      clock.advance(100)
      const second = call('ab')
      clock.advance(100)
      runs[0]!.reject(bad)
      await end('ab')
      expect([first, second]).toEqual([superseded, done('AB')])
    })
    expect(reasons).toEqual([])
  })
})

describe('theme 8, the promise that a call returns', () => {
  it('settles for every one of five calls that make one run', async () => {
    const { clock, runs, call, end } = setUp(100)
    const calls = ['a', 'b', 'c', 'd', 'e'].map(call)
    clock.advance(100)
    await end('e')
    expect(runs).toHaveLength(1)
    expect(calls).toEqual([...Array<unknown>(4).fill(superseded), done('E')])
  })

  it('settles as soon as another call takes its place', async () => {
    const { clock, call, end } = setUp(100)
    const first = call('a')
    clock.advance(50)
    await settled()
    expect(first).toEqual(pending)
    const second = call('b')
    await settled()
    expect([first, second]).toEqual([superseded, pending])
    clock.advance(100)
    await end('b')
  })

  it('settles for five calls that are cancelled, and is no unhandled rejection where it is ignored', async () => {
    const { clock, debounced, call } = setUp(100)
    const reasons = await unhandledRejections(async () => {
      const calls = ['a', 'b', 'c', 'd', 'e'].map(call)
      for (const text of ['f', 'g']) void debounced(text)
      debounced.cancel()
      await settled()
      expect(calls).toEqual(Array(5).fill(superseded))
      const last = call('h')
      debounced.cancel()
      await settled()
      expect(last).toEqual(cancelled)
    })
    expect(reasons).toEqual([])
    clock.advance(1000)
  })

  it('is the first answer for the first call, not undefined, and never the answer before', async () => {
    const { clock, call, end } = setUp(100, { leading: true })
    const first = call('a')
    await end('a')
    expect(first).toEqual(done('A'))
    clock.advance(100)
    const second = call('b')
    await settled()
    expect(second).toEqual(pending)
    await end('b')
    expect(second).toEqual(done('B'))
  })

  it('rejects with what its own task rejects with, and for its own caller alone', async () => {
    const { clock, runs, call, end } = setUp(100)
    const first = call('a')
    const second = call('b')
    clock.advance(100)
    const third = call('c')
    runs[0]!.reject(bad)
    await settled()
    expect([first, second, third]).toEqual([superseded, { state: 'rejected', error: bad }, pending])
    clock.advance(100)
    await end('c')
    expect(third).toEqual(done('C'))
  })

  it('rejects with what its own task throws', async () => {
    const { clock, call } = setUp(100, {}, () => {
      throw bad
    })
    const first = call('a')
    clock.advance(100)
    await settled()
    expect(first).toEqual({ state: 'rejected', error: bad })
  })

  it('is an unhandled rejection if it is ignored and its own task fails, once', async () => {
    const { clock, debounced, runs } = setUp(100)
    const reasons = await unhandledRejections(() => {
      void debounced('a')
      void debounced('b')
      clock.advance(100)
      runs[0]!.reject(bad)
    })
    expect(reasons).toEqual([bad])
  })

  it('is that of a value that is no promise too', async () => {
    const clock = createTestClock()
    const debounced = debounceAsync((_signal, n: number) => n * 2, 100, { clock })
    const call = track(debounced(2))
    clock.advance(100)
    await settled()
    expect(call.value).toEqual({ status: 'done', value: 4 })
  })
})

describe('theme 14, a run that comes due while another is in flight', () => {
  const overlaps = ['abort', 'queue'] as const
  const calls = [
    ['before the run', 0],
    ['during the run', 110],
    ['after the run', 250],
  ] as const
  const ends = [
    ['before', 0],
    ['after', 1],
  ] as const
  const rows = overlaps.flatMap((overlap) =>
    calls.flatMap(([when, at]) => ends.map(([then, order]) => [overlap, when, then, at, order] as const)),
  )

  // A is called at 0 and due at 100. Its run ends either just before or just after B comes due.
  it.each(rows)(
    'is not lost with %s: B is called %s of A, which ends %s B is due',
    async (overlap, _, __, at, order) => {
      const { clock, runs, call } = setUp(100, { overlap })
      const a = call('a')
      const goTo = (to: number) => {
        clock.advance(to - clock.now())
      }
      if (at > 0) goTo(at)
      if (at === 250) await endOf('a')
      const b = call('b')
      if (order === 0 && at > 0) await endOf('a')
      goTo(at + 100)
      await endOf('a')
      await endOf('b')
      expect(b).toEqual(done('B'))
      expect(runs.filter(({ text }) => text === 'b')).toHaveLength(1)
      const isReplaced = at === 0 || (at === 110 && order === 1 && overlap === 'abort')
      expect(a).toEqual(isReplaced ? superseded : done('A'))

      async function endOf(text: string) {
        runs.find((run) => run.text === text)?.resolve(text.toUpperCase())
        await settled()
      }
    },
  )

  it('runs B once, with its own arguments, where A takes 100 ms and B comes 60 ms later', async () => {
    const clock = createTestClock()
    const saved: string[] = []
    const save = debounceAsync(
      async (_signal, text: string) => {
        await new Promise<void>((resolve) => clock.after(100, resolve))
        saved.push(text)
      },
      50,
      { overlap: 'queue', clock },
    )
    const a = track(save('a'))
    await clock.advanceAsync(60)
    const b = track(save('b'))
    await clock.advanceAsync(1000)
    expect(saved).toEqual(['a', 'b'])
    expect([a.value?.status, b.value?.status]).toEqual(['done', 'done'])
  })
})

describe('theme 15, overlapping saves', () => {
  /** Saves that take three times the wait. */
  function setUpSaves() {
    const clock = createTestClock()
    const started: [at: number, text: string][] = []
    const ended: [at: number, text: string][] = []
    const save = debounceAsync(
      async (_signal, text: string) => {
        started.push([clock.now(), text])
        await new Promise<void>((resolve) => clock.after(300, resolve))
        ended.push([clock.now(), text])
        return text
      },
      100,
      { overlap: 'queue', clock },
    )
    return { clock, save, started, ended }
  }

  it('end in the order in which they start, one at a time, and the last typed is the last saved', async () => {
    const { clock, save, started, ended } = setUpSaves()
    const calls: Tracked<Outcome<string>>[] = []
    for (let n = 1; n <= 10; n++) {
      calls.push(track(save(`text ${n}`)))
      // Each save is due before the next comes.
      await clock.advanceAsync(110)
    }
    await clock.advanceAsync(10_000)
    expect(started.map(([, text]) => text)).toEqual(ended.map(([, text]) => text))
    expect(ended.at(-1)![1]).toBe('text 10')
    for (const [index, [at]] of started.entries()) expect(at).toBe(ended[index - 1]?.[0] ?? 100)
    const byStatus = (status: string) => calls.filter(({ value }) => value?.status === status)
    expect(byStatus('done')).toHaveLength(started.length)
    expect(byStatus('superseded')).toHaveLength(10 - started.length)
  })

  it('supersede the save that waits when the next is due, not the one in flight', async () => {
    const { clock, runs, call, end } = setUp(100, { overlap: 'queue' })
    const texts = ['a', 'b', 'c', 'd']
    const calls = texts.map((text) => {
      const tracked = call(text)
      clock.advance(100)
      return tracked
    })
    await settled()
    expect(runs.map(({ text }) => text)).toEqual(['a'])
    expect(calls).toEqual([pending, superseded, superseded, pending])
    await end('a')
    expect(runs.map(({ text }) => text)).toEqual(['a', 'd'])
    expect(runs[0]!.signal.aborted).toBe(false)
    await end('d')
    expect(calls).toEqual([done('A'), superseded, superseded, done('D')])
  })

  it('go on after one that fails', async () => {
    const { clock, runs, call, end } = setUp(100, { overlap: 'queue' })
    const a = call('a')
    clock.advance(100)
    const b = call('b')
    clock.advance(100)
    runs[0]!.reject(bad)
    await settled()
    await end('b')
    expect([a, b]).toEqual([{ state: 'rejected', error: bad }, done('B')])
  })
})

describe('seed 001, appendix D', () => {
  it.each(
    named<{
      does: string
      wait?: number
      options: DebounceAsyncOptions
      gap?: number
      runs: [number, string][]
    }>([
      { does: 'runs the last of three with the trailing edge', options: {}, runs: [[50, 'c']] },
      {
        does: 'runs the first of three with the leading edge alone',
        options: { leading: true, trailing: false },
        runs: [[0, 'a']],
      },
      {
        does: 'runs the first and the last with both edges',
        options: { leading: true },
        runs: [
          [0, 'a'],
          [50, 'c'],
        ],
      },
      {
        does: 'runs by maxWait while the calls go on',
        wait: 100,
        options: { maxWait: 150 },
        gap: 80,
        runs: [
          [150, 'b'],
          [260, 'c'],
        ],
      },
    ]),
  )('%s', async (_, { wait = 50, options, gap = 0, runs: expected }) => {
    const { clock, runs, call } = setUp(wait, options)
    for (const text of ['a', 'b', 'c']) {
      call(text)
      if (gap) clock.advance(gap)
    }
    await clock.advanceAsync(1000)
    expect(runs.map(({ at, text }) => [at, text])).toEqual(expected)
  })

  it('is done with the leading run, and superseded, with the leading edge alone', async () => {
    const { clock, call, end } = setUp(50, { leading: true, trailing: false })
    const calls = ['a', 'b', 'c'].map(call)
    await settled()
    expect(calls).toEqual([pending, superseded, superseded])
    await end('a')
    expect(calls[0]).toEqual(done('A'))
    clock.advance(50)
  })

  it.each([{ leading: false, trailing: false }, { trailing: false }])(
    'never runs without an edge: %j',
    async (edges) => {
      const { debounced, runs, call } = setUp(50, edges)
      const first = call('a')
      await settled()
      expect(first).toEqual(cancelled)
      expect(debounced.isPending()).toBe(false)
      expect(runs).toEqual([])
    },
  )
})

describe('dispose, the shutdown with wait', () => {
  it('cancels the call that is held back, and ignores later ones', async () => {
    const { clock, debounced, runs, call } = setUp(100)
    const first = call('a')
    const disposal = track(debounced.dispose())
    const second = call('b')
    await settled()
    expect([first, second]).toEqual([cancelled, cancelled])
    expect(disposal.state).toBe('resolved')
    expect(clock.pending).toBe(0)
    clock.advance(1000)
    expect(runs).toEqual([])
    expect(debounced.isPending()).toBe(false)
  })

  it('waits for the run in flight, which is not aborted', async () => {
    const { clock, debounced, runs, call, end } = setUp(100)
    const first = call('a')
    clock.advance(100)
    const second = call('b')
    const disposal = track(debounced.dispose())
    await settled()
    expect([first, second]).toEqual([pending, cancelled])
    expect(disposal.state).toBe('pending')
    await end('a')
    expect(first).toEqual(done('A'))
    expect(disposal.state).toBe('resolved')
    expect(runs[0]!.signal.aborted).toBe(false)
  })

  it('waits for a run in flight that fails, and does not fail with it', async () => {
    const { clock, debounced, runs, call } = setUp(100)
    const first = call('a')
    clock.advance(100)
    const disposal = track(debounced.dispose())
    runs[0]!.reject(bad)
    await settled()
    expect(first).toEqual({ state: 'rejected', error: bad })
    expect(disposal.state).toBe('resolved')
  })

  it('waits for runs that were aborted but go on', async () => {
    const { clock, debounced, call, end } = setUp(100)
    call('a')
    clock.advance(100)
    call('b')
    clock.advance(100)
    debounced.cancel()
    const disposal = track(debounced.dispose())
    await end('b')
    expect(disposal.state).toBe('pending')
    await end('a')
    expect(disposal.state).toBe('resolved')
  })

  it('waits for the save that was flushed behind one in flight, so that no text is lost', async () => {
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

  it('leaves it to cancel to give up a run that does not end', async () => {
    const { clock, debounced, runs, call } = setUp(100, {}, ({ signal, reject }) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    const first = call('a')
    clock.advance(100)
    const disposal = track(debounced.dispose())
    await settled()
    expect(disposal.state).toBe('pending')
    debounced.cancel()
    await settled()
    expect(runs[0]!.signal.aborted).toBe(true)
    expect([first, disposal.state]).toEqual([cancelled, 'resolved'])
  })

  it('may be called twice', async () => {
    const { debounced } = setUp(100)
    await debounced.dispose()
    await debounced.dispose()
  })

  it('comes at the end of a block, which waits with await using', async () => {
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

  it('ends when configure turns an edge on', async () => {
    const { clock, debounced, runs, call, end } = setUp(100)
    await debounced.dispose()
    debounced.configure({ trailing: true })
    const first = call('a')
    clock.advance(100)
    expect(runs).toHaveLength(1)
    await end('a')
    expect(first).toEqual(done('A'))
  })
})

describe('cancel', () => {
  it.each(['abort', 'queue'] as const)(
    'settles every call and aborts the run in flight with %s',
    async (overlap) => {
      const { clock, debounced, runs, call, end } = setUp(100, { overlap })
      const texts = overlap === 'abort' ? ['a'] : ['a', 'b']
      const calls = texts.map((text) => {
        const tracked = call(text)
        clock.advance(100)
        return tracked
      })
      calls.push(call('c'))
      debounced.cancel()
      expect(clock.pending).toBe(0)
      expect(debounced.isPending()).toBe(false)
      await settled()
      expect(calls).toEqual(calls.map(() => cancelled))
      expect(runs.map(({ signal }) => signal.aborted)).toEqual([true])
      await end('a')
      clock.advance(1000)
      await settled()
      expect(runs).toHaveLength(1)
      expect(calls).toEqual(calls.map(() => cancelled))
    },
  )

  it('begins anew: the next call is the first of a burst', async () => {
    const { debounced, runs, call, end } = setUp(100, { leading: true })
    call('a')
    debounced.cancel()
    const second = call('b')
    expect(runs.map(({ text }) => text)).toEqual(['a', 'b'])
    await end('b')
    expect(second).toEqual(done('B'))
  })

  it('keeps the next run with queue waiting until the run that it aborted has ended', async () => {
    const { clock, debounced, runs, call, end } = setUp(100, { overlap: 'queue' })
    call('a')
    clock.advance(100)
    debounced.cancel()
    const second = call('b')
    clock.advance(100)
    await settled()
    expect(runs).toHaveLength(1)
    await end('a')
    await end('b')
    expect(second).toEqual(done('B'))
  })

  it('swallows the error of the run that it aborts', async () => {
    const { clock, debounced, runs } = setUp(100)
    const reasons = await unhandledRejections(() => {
      void debounced('a')
      clock.advance(100)
      debounced.cancel()
      runs[0]!.reject(bad)
    })
    expect(reasons).toEqual([])
  })

  it('does nothing where nothing is going on', () => {
    const { clock, debounced } = setUp(100)
    const listener = vi.fn()
    debounced.subscribe(listener)
    debounced.cancel()
    expect(clock.pending).toBe(0)
    expect(listener).not.toHaveBeenCalled()
  })
})

describe('flush', () => {
  it('runs what is held back at once, and answers its promise', async () => {
    const { clock, debounced, runs, end } = setUp(100)
    const first = debounced('a')
    clock.advance(30)
    expect(debounced.flush()).toBe(first)
    expect(runs.map(({ at }) => at)).toEqual([30])
    expect(clock.pending).toBe(0)
    await end('a')
    expect(await first).toEqual({ status: 'done', value: 'A' })
  })

  it('answers the promise of the run in flight where nothing is held back, and nothing where none is', async () => {
    const { clock, debounced, end } = setUp(100)
    expect(debounced.flush()).toBe(undefined)
    const first = debounced('a')
    clock.advance(100)
    expect(debounced.flush()).toBe(first)
    await end('a')
    expect(debounced.flush()).toBe(undefined)
  })

  it('puts a save behind the one in flight with queue', async () => {
    const { clock, debounced, runs, call, end } = setUp(100, { overlap: 'queue' })
    call('a')
    clock.advance(100)
    const second = call('b')
    const flushed = track(debounced.flush()!)
    expect(runs).toHaveLength(1)
    await end('a')
    await end('b')
    expect([second, flushed]).toEqual([done('B'), done('B')])
  })
})

describe('isPending and subscribe', () => {
  it('tell of a call until it is settled, each change once', async () => {
    const { clock, debounced, call, end } = setUp(100)
    const told: boolean[] = []
    const unsubscribe = debounced.subscribe(() => told.push(debounced.isPending()))
    call('a')
    call('b')
    clock.advance(100)
    expect(debounced.isPending()).toBe(true)
    call('c')
    clock.advance(100)
    await end('b')
    expect(told).toEqual([true])
    await end('c')
    expect(debounced.isPending()).toBe(false)
    call('d')
    debounced.cancel()
    expect(told).toEqual([true, false, true, false])
    unsubscribe()
    call('e')
    debounced.cancel()
    expect(told).toHaveLength(4)
  })

  it('have nothing pending when a run that failed is over', async () => {
    const { clock, debounced, runs, call } = setUp(100)
    call('a')
    clock.advance(100)
    runs[0]!.reject(bad)
    await settled()
    expect(debounced.isPending()).toBe(false)
  })
})

describe('configure', () => {
  it('re-times what is pending', async () => {
    const { clock, debounced, runs, call, end } = setUp(1000)
    const first = call('a')
    clock.advance(50)
    debounced.configure({ wait: 100 })
    clock.advance(50)
    expect(runs.map(({ at }) => at)).toEqual([100])
    await end('a')
    expect(first).toEqual(done('A'))
  })

  it('loses no call where the trailing edge goes while one is held back', async () => {
    const { clock, debounced, runs, call, end } = setUp(100)
    const first = call('a')
    debounced.configure({ leading: true, trailing: false })
    const second = call('b')
    clock.advance(200)
    expect(runs.map(({ text }) => text)).toEqual(['b'])
    await end('b')
    expect([first, second]).toEqual([superseded, done('B')])
  })

  it('refuses what debounce refuses', () => {
    const { debounced } = setUp(100)
    expect(() => debounced.configure({ wait: -1 })).toThrow(RangeError)
    expect(() => debounced.configure({ wait: -1 })).toThrow('wait >= 0, got -1')
  })
})

describe('signal', () => {
  it('cancels every call when it aborts, hands its reason on, and ignores later calls', async () => {
    const abort = new AbortController()
    const { clock, debounced, runs, call } = setUp(100, { signal: abort.signal })
    const first = call('a')
    clock.advance(100)
    const second = call('b')
    abort.abort(bad)
    expect([clock.pending, debounced.isPending()]).toEqual([0, false])
    const third = call('c')
    expect(debounced.flush()).toBe(undefined)
    await settled()
    expect([first, second, third]).toEqual([cancelled, cancelled, cancelled])
    expect(runs.map(({ signal }) => signal.reason as unknown)).toEqual([bad])
    clock.advance(1000)
    expect(runs).toHaveLength(1)
  })

  it('ignores calls from the start where it has aborted', async () => {
    const { debounced, runs, call } = setUp(100, { signal: AbortSignal.abort(), leading: true })
    const first = call('a')
    await settled()
    expect(first).toEqual(cancelled)
    expect(debounced.isPending()).toBe(false)
    expect(runs).toEqual([])
  })

  it('runs nothing for a flush by another listener of the abort', async () => {
    const abort = new AbortController()
    const { debounced, runs, call } = setUp(100, { signal: abort.signal })
    abort.signal.addEventListener('abort', () => void debounced.flush())
    const first = call('a')
    abort.abort()
    await settled()
    expect(first).toEqual(cancelled)
    expect(runs).toEqual([])
  })

  it('is listened to while a call is not settled, once', async () => {
    const { signal } = new AbortController()
    const { clock, debounced, call, end } = setUp(100, { signal })
    const listeners = () => getEventListeners(signal, 'abort').length
    expect(listeners()).toBe(0)
    for (const text of ['a', 'b']) call(text)
    expect(listeners()).toBe(1)
    clock.advance(100)
    expect(listeners()).toBe(1)
    await end('b')
    expect(listeners()).toBe(0)
    call('c')
    debounced.cancel()
    expect(listeners()).toBe(0)
  })

  it('takes an abort by the task itself, at the leading edge', async () => {
    const abort = new AbortController()
    const { debounced, call } = setUp(100, { leading: true, signal: abort.signal }, () => abort.abort())
    const listener = vi.fn()
    debounced.subscribe(listener)
    const first = call('a')
    await settled()
    expect(first).toEqual(cancelled)
    expect(debounced.isPending()).toBe(false)
    expect(listener).not.toHaveBeenCalled()
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
  })
})

describe('from inside a run', () => {
  it.each(['abort', 'queue'] as const)('takes a call of itself with %s', async (overlap) => {
    const inner: { state: string }[] = []
    const all = setUp(100, { overlap }, ({ text }) => {
      if (text === 'a') inner.push(all.call('b'))
    })
    const first = all.call('a')
    all.clock.advance(100)
    await all.end('a')
    all.clock.advance(100)
    await all.end('b')
    expect([first, ...inner]).toEqual([done('A'), done('B')])
  })

  it('takes a call and a flush at the leading edge', async () => {
    const inner: { state: string }[] = []
    const all = setUp(100, { leading: true }, ({ text }) => {
      if (text !== 'a') return
      inner.push(all.call('b'))
      void all.debounced.flush()
    })
    const first = all.call('a')
    await all.end('b')
    await all.end('a')
    expect([first, ...inner]).toEqual([superseded, done('B')])
  })

  it('takes a cancel', async () => {
    const all = setUp(100, {}, () => all.debounced.cancel())
    const first = all.call('a')
    all.clock.advance(100)
    await settled()
    expect(first).toEqual(cancelled)
    expect(all.debounced.isPending()).toBe(false)
  })

  it('lets who hears of the abort start a newer run, which stays the only one', async () => {
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
})

it('runs the newest call, and supersedes the older, where it comes before a late timer past maxWait', async () => {
  const { clock, advance, block } = createBusyClock()
  const texts: string[] = []
  const debounced = debounceAsync((_signal, text: string) => texts.push(text), 100, { maxWait: 150, clock })
  const first = track(debounced('a'))
  block(500)
  const second = track(debounced('b'))
  await settled()
  expect(texts).toEqual(['b'])
  expect([first, second]).toEqual([superseded, { state: 'resolved', value: { status: 'done', value: 1 } }])
  advance(1000)
})

it('lets a listener call, flush and cancel', async () => {
  const { debounced, runs, call } = setUp(100)
  let told = 0
  const inner: { state: string }[] = []
  debounced.subscribe(() => {
    told++
    if (told === 1) void debounced.flush()
    if (told === 2) inner.push(call('b'))
    if (told === 3) debounced.cancel()
  })
  const first = call('a')
  runs[0]!.resolve('A')
  await settled()
  expect([first, ...inner]).toEqual([done('A'), cancelled])
})

it('has methods that may be taken off it', async () => {
  const { clock, debounced, runs, call } = setUp(100)
  const { cancel, flush, isPending, configure, subscribe, dispose } = debounced
  const listener = vi.fn()
  subscribe(listener)()
  call('a')
  expect(isPending()).toBe(true)
  void flush()
  cancel()
  configure({ wait: 50 })
  call('b')
  const disposal = dispose()
  runs[0]!.resolve('A')
  await disposal
  clock.advance(1000)
  expect(runs).toHaveLength(1)
  expect(listener).not.toHaveBeenCalled()
})

describe('memory', () => {
  it.each(
    (['abort', 'queue'] as const).flatMap((overlap) =>
      (['flush', 'cancel', 'dispose'] as const).map((end) => [overlap, end] as const),
    ),
  )('keeps neither arguments nor results with %s after %s', async (overlap, end) => {
    const clock = createTestClock()
    const debounced = debounceAsync((_signal, item: object) => ({ item }), 100, { overlap, clock })
    const use = async () => {
      const items = [{}, {}]
      const calls = items.map((item) => debounced(item))
      await debounced[end]()
      return [...items, ...(await Promise.all(calls))].map((object) => new WeakRef(object))
    }
    const refs = await use()
    await setImmediate()
    globalThis.gc!()
    expect(refs.filter((ref) => ref.deref())).toEqual([])
    expect(debounced.isPending()).toBe(false)
  })
})

it('runs one task at a time with queue, also if the task itself makes the next call due', async () => {
  const clock = createTestClock()
  let inFlight = 0
  let most = 0
  const save = debounceAsync(
    async (_, text: string) => {
      most = Math.max(most, ++inFlight)
      if (text === 'first') {
        void save('second')
        void save.flush()
      }
      await Promise.resolve()
      inFlight--
      return text
    },
    0,
    { overlap: 'queue', clock },
  )
  const first = save('first')
  await clock.advanceAsync(0)
  await expect(first).resolves.toEqual({ status: 'done', value: 'first' })
  await clock.advanceAsync(0)
  await save.dispose()
  expect(most).toBe(1)
})
