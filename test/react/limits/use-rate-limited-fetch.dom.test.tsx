import { act } from '@testing-library/react'
import { RateLimitProvider, useRateLimitedFetch, useRateLimitStatus } from 'lull'
import { slidingWindowLog, tokenBucket } from 'lull/core'
import { createRateLimitedFetch, limitRate, type RateLimitedFetchOptions } from 'lull/fetch'
import { resetSharedFetch } from 'lull/testing'
import { use, useEffect, useInsertionEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createOnClock, createStage, inTask, modes, renderHookOn } from '../support/render.tsx'
import { createFakeServer, tooMany } from '../../fetch/fixtures/fake-server.ts'
import { endOf, statusesOf, watch, type Outcome } from '../../fetch/fixtures/start.ts'

type Fetch = typeof globalThis.fetch

const url = 'http://api.test/'

/** Calls inside `act` without waiting for the response. */
function callIn(fetch: Fetch): Promise<Response> {
  let response!: Promise<Response>
  act(() => void (response = fetch(url)))
  return response
}

describe.each(modes)('useRateLimitedFetch, %s', (mode) => {
  /** Renders the hook in a component below `Around`, on a clock, with a server. */
  function renderBeside<Result, Props>(
    useHook: (props: Props, fetch: Fetch) => Result,
    props?: Props,
    Around: typeof RateLimitProvider = ({ children }) => <>{children}</>,
  ) {
    const { wrapper: Wrapper, ...onClock } = createOnClock(mode)
    const server = createFakeServer(onClock.clock)
    const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
      <Wrapper>
        <Around options={{ fetch: server.fetch }}>{children}</Around>
      </Wrapper>
    )
    const rendered = renderHookOn({ ...onClock, wrapper }, (all: Props) => useHook(all, server.fetch), props)
    return { ...rendered, server }
  }

  it('returns a given instance, and does not abort its calls on unmount', async () => {
    const { clock, ...onClock } = createOnClock(mode)
    const instance = createRateLimitedFetch({ clock, fetch: createFakeServer(clock).fetch })
    const { result, unmount } = renderHookOn(onClock, () => useRateLimitedFetch(instance))
    expect(result.current).toBe(instance)
    const response = result.current(url)
    unmount()
    await clock.advanceAsync(20)
    expect((await response).status).toBe(200)
  })

  it('returns one instance for the page, or that of the provider', () => {
    const onClock = createOnClock(mode)
    const useBoth = () => [useRateLimitedFetch(), useRateLimitedFetch()]
    const one = renderHookOn(onClock, useBoth).result.current
    expect(new Set([...one, ...renderHookOn(onClock, useBoth).result.current]).size).toBe(1)
    const instance = createRateLimitedFetch({ clock: onClock.clock })
    const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
      <RateLimitProvider fetch={instance}>{children}</RateLimitProvider>
    )
    const { current } = renderHookOn({ ...onClock, wrapper }, useBoth).result
    expect(current).toEqual([instance, instance])
  })

  it('keeps its own function with options, on the clock and with the options of the last commit', async () => {
    const { server, advanceAsync, result, rerender, unmount } = renderBeside(
      (ratePerSecond: number | undefined, fetch) =>
        useRateLimitedFetch({ fetch, clock: undefined, ...(ratePerSecond && { ratePerSecond, burst: 1 }) }),
      1,
    )
    const first = result.current
    const calls = Promise.all([first(url), first(url), first(url)])
    await advanceAsync(0)
    expect(server.at()).toEqual([0])
    rerender(10)
    expect(result.current).toBe(first)
    await advanceAsync(150)
    expect(server.at()).toEqual([0, 100])
    rerender(undefined)
    await advanceAsync(20)
    expect(server.at()).toEqual([0, 100, 150])
    await calls
    unmount()
  })

  it.each([
    ['made by options', (fetch: Fetch) => useRateLimitedFetch({ fetch, concurrency: 1 }), undefined],
    ["that is the provider's own", () => useRateLimitedFetch(), RateLimitProvider],
  ])('%s aborts its calls at unmount, sent or queued, and rejects others', async (_, useFetch, Around) => {
    const useTwo = (_: unknown, fetch: Fetch) => [useFetch(fetch), useFetch(fetch)][0]!
    const { result, unmount, server } = renderBeside(useTwo, undefined, Around)
    const fetch = result.current
    const calls = [fetch(url), fetch(url, new Request(url))]
    const sent = server.at().length
    unmount()
    expect(server.inFlight).toBe(0)
    calls.push(fetch(url))
    const outcomes = await Promise.allSettled(calls)
    const error = { name: 'AbortError', message: 'The component was unmounted' }
    const reason = expect.objectContaining(error) as unknown
    expect(outcomes).toEqual(Array(3).fill({ status: 'rejected', reason }))
    expect(server.at()).toHaveLength(sent)
  })

  it('with options aborts its calls when hidden, rejects others until shown, and then works as before', async () => {
    const stage = createStage(mode)
    const server = createFakeServer(stage.clock)
    const calls: Outcome[] = []
    const call = () => calls.push(watch(fetch(url), stage.clock))
    let fetch!: ReturnType<typeof useRateLimitedFetch>
    function Page({ concurrency }: { concurrency: number }): ReactNode {
      const own = useRateLimitedFetch({ fetch: server.fetch, concurrency })
      useInsertionEffect(() => void (fetch = own))
      return null
    }
    await stage.render(<Page concurrency={1} />)
    for (const state of ['visible', 'hidden', 'visible'] as const) {
      await inTask(() => [call(), call()])
      if (state === 'visible') await stage.hide()
      else {
        await stage.render(<Page concurrency={2} />)
        await stage.show()
      }
      expect(calls.splice(0).map(endOf)).toEqual(['AbortError@0', 'AbortError@0'])
    }
    expect(server.at()).toHaveLength(1 + 2)
    await stage.show()
    call()
    await stage.advance(20)
    expect([calls.map(endOf), fetch.snapshot().inFlight, stage.clock.pending]).toEqual([['200@10'], 0, 0])
  })

  it.each([useLayoutEffect, useEffect])(
    'aborts no call of the provider’s fetch that a child makes in its effect, on mount or shown again',
    async (useItsEffect) => {
      const stage = createStage(mode)
      const server = createFakeServer(stage.clock)
      const calls: Outcome[] = []
      function Child(): ReactNode {
        const fetch = useRateLimitedFetch()
        useItsEffect(() => void calls.push(watch(fetch(url), stage.clock)), [fetch])
        return null
      }
      await stage.render(
        <RateLimitProvider options={{ fetch: server.fetch }}>
          <Child />
        </RateLimitProvider>,
      )
      await stage.advance(1000)
      await stage.hide()
      await stage.show()
      await stage.advance(1000)
      expect(calls.length).toBeGreaterThan(1)
      expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    },
  )

  it("with options also follows the caller's signal, from the init or a request", async () => {
    const { result } = renderBeside((_: unknown, fetch) => useRateLimitedFetch({ fetch }))
    const reason = new Error('mine')
    const controller = new AbortController()
    const { signal } = controller
    const calls = [result.current(url, { signal }), result.current(new Request(url, { signal }))]
    controller.abort(reason)
    for (const call of calls) await expect(call).rejects.toBe(reason)
  })

  it('with options keeps the referrer of a request', async () => {
    const inner = vi.fn<typeof fetch>(() => Promise.resolve(new Response()))
    const { result } = renderHookOn(createOnClock(mode), () => useRateLimitedFetch({ fetch: inner }))
    const init = { referrer: '', referrerPolicy: 'origin' } as const
    await result.current(new Request(url, init))
    await result.current(new Request(url, init), { rateLimit: {} })
    await result.current(url, new Request(url, init))
    for (const sent of inner.mock.calls) expect(new Request(...sent)).toMatchObject(init)
  })

  it('with options keeps the state of a rule and of policies recreated in each render', async () => {
    const { server, advanceAsync, result, rerender, unmount } = renderBeside(
      (_: number, fetch) =>
        useRateLimitedFetch({
          fetch,
          rule: slidingWindowLog({ limit: 2, windowMs: 100 }),
          policies: [limitRate(tokenBucket({ ratePerSecond: 5, burst: 1 }))],
        }),
      0,
    )
    const calls = Promise.all([1, 2, 3].map(() => result.current(url)))
    for (let at = 0; at < 600; at += 50) {
      rerender(at)
      await advanceAsync(50)
    }
    expect(server.at()).toEqual([0, 200, 400])
    await calls
    unmount()
  })

  it('with options releases its policies on unmount, or if there are more or fewer', async () => {
    const dispose = vi.fn()
    const { result, advanceAsync, rerender, unmount } = renderBeside(
      (count: number, fetch) =>
        useRateLimitedFetch({ fetch, policies: Array.from({ length: count }, () => () => ({ dispose })) }),
      2,
    )
    void result.current(url)
    await advanceAsync(20)
    for (const [count, disposals] of [
      [2, 0],
      [1, 2],
    ] as const) {
      rerender(count)
      await advanceAsync(0)
      expect(dispose).toHaveBeenCalledTimes(disposals)
    }
    unmount()
    await advanceAsync(0)
    expect(dispose).toHaveBeenCalledTimes(3)
  })

  it('with options works without Request, which a test page may lack', async () => {
    vi.stubGlobal('Request', undefined)
    const options: RateLimitedFetchOptions = { fetch: () => Promise.resolve(new Response()) }
    const { result } = renderHookOn(createOnClock(mode), () => useRateLimitedFetch(options))
    const calls = [result.current(url), result.current(new URL(url))]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('aborts nothing while the fallback shows during its response', async () => {
    const stage = createStage(mode, 'Suspense')
    const server = createFakeServer(stage.clock, [{ status: 200, body: 'body' }])
    let show!: (text: Promise<string>) => void
    let fetch!: Fetch
    function Page(): ReactNode {
      const [text, setText] = useState<Promise<string>>()
      const own = useRateLimitedFetch()
      useInsertionEffect(() => {
        show = setText
        fetch = own
      })
      return text ? use(text) : 'nothing yet'
    }
    await stage.render(
      <RateLimitProvider options={{ fetch: server.fetch }}>
        <Page />
      </RateLimitProvider>,
    )
    await inTask(() => show(fetch(url).then((response) => response.text())))
    expect(stage.container.textContent).toContain('waiting')
    expect(server.inFlight).toBe(1)
    await stage.advance(20)
    expect(stage.container.textContent).toBe('body')
  })
})

describe.each(modes)('resetSharedFetch, %s', (mode) => {
  it('leaves no cooldown, timer or queued call to the next test', async () => {
    const { clock, advanceAsync, ...onClock } = createOnClock(mode)
    const server = createFakeServer(clock, [tooMany(2)])
    vi.stubGlobal('fetch', server.fetch)
    const useShared = () => [useRateLimitedFetch(), useRateLimitStatus().gate.open] as const
    const before = renderHookOn(onClock, useShared)
    const [first] = before.result.current
    const refused = callIn(first)
    await advanceAsync(20)
    expect([before.result.current[1], clock.pending]).toEqual([false, 1])
    before.unmount()

    resetSharedFetch()
    await expect(refused).rejects.toMatchObject({ name: 'AbortError' })
    expect(clock.pending).toBe(0)

    const { result } = renderHookOn(onClock, useShared)
    expect(result.current).toEqual([expect.any(Function), true])
    expect(result.current[0]).not.toBe(first)
    const response = callIn(result.current[0])
    await advanceAsync(20)
    expect((await response).status).toBe(200)
    expect(server.at()).toEqual([0, 20])
  })

  it('may come before the first call of the fetch', () => {
    renderHookOn(createOnClock(mode), () => useRateLimitStatus())
    expect(resetSharedFetch).not.toThrow()
  })

  it('does not affect a given fetch, or one made by options', async () => {
    const { clock, advanceAsync, ...onClock } = createOnClock(mode)
    const { fetch } = createFakeServer(clock)
    const instance = createRateLimitedFetch({ clock, fetch })
    const { result } = renderHookOn(onClock, () => [
      useRateLimitedFetch(instance),
      useRateLimitedFetch({ fetch }),
    ])
    resetSharedFetch()
    const responses = result.current.map(callIn)
    await advanceAsync(20)
    for (const response of responses) expect((await response).status).toBe(200)
  })
})

describe.each(modes)('useRateLimitStatus, %s', (mode) => {
  it('shows a change of the shared fetch made in the commit that created it', async () => {
    const stage = createStage(mode)
    const Status = (): ReactNode => useRateLimitStatus().gate.source ?? 'open'
    function Pausing(): ReactNode {
      const fetch = useRateLimitedFetch()
      useLayoutEffect(() => fetch.pause(new URL(url).origin), [fetch])
      return null
    }
    // The same element, which React does not rerender.
    const status = <Status key="status" />
    await stage.render([status])
    expect(stage.container.textContent).toBe('open')
    await stage.render([status, <Pausing key="pausing" />])
    expect(stage.container.textContent).toBe('manual')
  })

  it('sees a fetch that is created later, also with a fake queueMicrotask, as of Jest and Sinon', async () => {
    vi.useFakeTimers({ toFake: ['queueMicrotask'] })
    const onClock = createOnClock(mode)
    const shown = renderHookOn(onClock, () => useRateLimitStatus(undefined, ({ inFlight }) => inFlight))
    const { result } = renderHookOn(onClock, () => useRateLimitedFetch())
    vi.stubGlobal('fetch', () => new Promise(() => undefined))
    await act(() => Promise.resolve(void result.current(url)))
    expect(shown.result.current).toBe(1)
    resetSharedFetch()
  })
})
