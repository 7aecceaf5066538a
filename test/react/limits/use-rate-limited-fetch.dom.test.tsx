import { act } from '@testing-library/react'
import { RateLimitProvider, useCountdown, useRateLimitedFetch, useRateLimitStatus } from 'lull'
import { createRateLimitedFetch } from 'lull/fetch'
import { resetSharedFetch } from 'lull/testing'
import { use, useInsertionEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createOnClock,
  createStage,
  inTask,
  modes,
  renderHookOn,
  type OnClock,
} from '../support/render-on-clock.tsx'
import { createScriptedFetch, refusal } from '../support/scripted-fetch.ts'

const url = 'http://api.test/'

/** Moves the clock on and lets promises run, inside `act`. */
const advanceAsync = (onClock: OnClock, ms: number): Promise<void> =>
  act(() => onClock.clock.advanceAsync(ms))

describe.each(modes)('useRateLimitedFetch, %s', (mode) => {
  it('answers the instance it is given, and lets its calls live on', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const server = createScriptedFetch(clock)
    const instance = createRateLimitedFetch({ clock, fetch: server.fetch })
    const { result, unmount } = renderHookOn(onClock, () => useRateLimitedFetch(instance), undefined)
    expect(result.current).toBe(instance)
    const response = result.current(url)
    unmount()
    await clock.advanceAsync(20)
    expect((await response).status).toBe(200)
    expect(clock.pending).toBe(0)
  })

  it('answers one instance for the page, the same in each component', () => {
    const onClock = createOnClock(mode)
    const one = renderHookOn(onClock, () => useRateLimitedFetch(), undefined)
    const other = renderHookOn(onClock, () => useRateLimitedFetch(), undefined)
    expect(one.result.current).toBe(other.result.current)
  })

  it('answers the instance of the provider', () => {
    const onClock = createOnClock(mode)
    const instance = createRateLimitedFetch({ clock: onClock.clock })
    const { result } = renderHookOn(
      { ...onClock, wrapper: ({ children }) => onClock.wrapper({ children: provide(instance, children) }) },
      () => useRateLimitedFetch(),
      undefined,
    )
    expect(result.current).toBe(instance)
  })

  it('with options keeps its own function over renders, and applies the options of the last commit', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock)
    const slow: { rate: number | undefined } = { rate: 1 }
    const { result, rerender, unmount } = renderHookOn(
      onClock,
      ({ rate }) =>
        useRateLimitedFetch({ fetch: server.fetch, ...(rate && { ratePerSecond: rate, burst: 1 }) }),
      slow,
    )
    const first = result.current
    const calls = Promise.all([first(url), first(url), first(url)])
    await advanceAsync(onClock, 0)
    expect(server.sentAt).toEqual([0])
    rerender({ rate: 10 })
    expect(result.current).toBe(first)
    await advanceAsync(onClock, 150)
    expect(server.sentAt).toEqual([0, 100])
    rerender({ rate: undefined })
    await advanceAsync(onClock, 20)
    expect(server.sentAt).toEqual([0, 100, 150])
    await calls
    unmount()
    expect(onClock.clock.pending).toBe(0)
  })

  it("with options that leave the clock undefined lives by the provider's", async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const server = createScriptedFetch(clock, [refusal])
    const { result, unmount } = renderHookOn(
      onClock,
      () => useRateLimitedFetch({ fetch: server.fetch, clock: undefined, random: () => 0 }),
      undefined,
    )
    const response = result.current(url)
    await advanceAsync(onClock, 20 + 2000 + 20)
    expect((await response).status).toBe(200)
    expect(server.sentAt).toEqual([0, 2020])
    unmount()
    expect(clock.pending).toBe(0)
  })

  it('with options aborts its calls, in flight and queued, when it is unmounted, and rejects later ones', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock)
    const { result, unmount } = renderHookOn(
      onClock,
      () => useRateLimitedFetch({ fetch: server.fetch, concurrency: 1 }),
      undefined,
    )
    const calls = [result.current(url), result.current(url)]
    unmount()
    calls.push(result.current(url))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason as Error)).toEqual([
      expect.objectContaining({ name: 'AbortError' }),
      expect.objectContaining({ name: 'AbortError' }),
      expect.objectContaining({ name: 'AbortError' }),
    ])
    expect(server.sentAt).toHaveLength(1)
    expect(server.aborted).toHaveLength(1)
    expect(onClock.clock.pending).toBe(0)
  })

  it("with options hears the caller's signal too, of the init and of a request", async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock)
    const { result } = renderHookOn(onClock, () => useRateLimitedFetch({ fetch: server.fetch }), undefined)
    const reason = new Error('mine')
    const controller = new AbortController()
    const { signal } = controller
    const calls = [result.current(url, { signal }), result.current(new Request(url, { signal }))]
    controller.abort(reason)
    for (const call of calls) await expect(call).rejects.toBe(reason)
    expect(onClock.clock.pending).toBe(0)
  })
})

/** Calls inside `act`, which is not to wait for the answer. */
function callIn(fetch: typeof globalThis.fetch): Promise<Response> {
  let response!: Promise<Response>
  act(() => {
    response = fetch(url)
  })
  return response
}

function provide(fetch: ReturnType<typeof createRateLimitedFetch>, children: ReactNode): ReactNode {
  return <RateLimitProvider fetch={fetch}>{children}</RateLimitProvider>
}

describe.each(modes)('resetSharedFetch, %s', (mode) => {
  it('leaves neither a cooldown nor a timer nor a waiting call to the next test', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock, [refusal])
    vi.stubGlobal('fetch', server.fetch)
    onTestFinished(() => void vi.unstubAllGlobals())
    const useShared = () => [useRateLimitedFetch(), useRateLimitStatus().gate.open] as const
    const before = renderHookOn(onClock, useShared, undefined)
    const [first] = before.result.current
    const refused = callIn(first)
    await advanceAsync(onClock, 20)
    expect(before.result.current[1]).toBe(false)
    before.unmount()

    resetSharedFetch()
    await expect(refused).rejects.toMatchObject({ name: 'AbortError' })
    expect(onClock.clock.pending).toBe(0)

    const { result } = renderHookOn(onClock, useShared, undefined)
    expect(result.current).toEqual([expect.any(Function), true])
    expect(result.current[0]).not.toBe(first)
    const response = callIn(result.current[0])
    await advanceAsync(onClock, 20)
    expect((await response).status).toBe(200)
    expect(server.sentAt).toEqual([0, 20])
  })

  it('leaves a fetch that is given, or made by options, as it is', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock)
    const instance = createRateLimitedFetch({ clock: onClock.clock, fetch: server.fetch })
    const { result } = renderHookOn(
      onClock,
      () => [useRateLimitedFetch(instance), useRateLimitedFetch({ fetch: server.fetch })] as const,
      undefined,
    )
    resetSharedFetch()
    const responses = result.current.map(callIn)
    await advanceAsync(onClock, 20)
    for (const response of responses) expect((await response).status).toBe(200)
  })
})

describe.each(modes)('RateLimitProvider with options, %s', (mode) => {
  it('makes one instance, and aborts its calls when it is unmounted', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock)
    const { result, unmount } = renderHookOn(
      {
        ...onClock,
        wrapper: ({ children }) =>
          onClock.wrapper({
            children: <RateLimitProvider options={{ fetch: server.fetch }}>{children}</RateLimitProvider>,
          }),
      },
      () => [useRateLimitedFetch(), useRateLimitedFetch()] as const,
      undefined,
    )
    expect(result.current[0]).toBe(result.current[1])
    const response = result.current[0](url)
    unmount()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    expect(onClock.clock.pending).toBe(0)
  })

  it('aborts nothing while the fallback is shown in which its answer is awaited', async () => {
    const stage = createStage(mode, 'Suspense')
    const server = createScriptedFetch(stage.clock)
    let show!: (answer: Promise<string>) => void
    let fetch!: typeof globalThis.fetch
    function Page(): ReactNode {
      const [answer, setAnswer] = useState<Promise<string>>()
      const paced = useRateLimitedFetch()
      useInsertionEffect(() => {
        show = setAnswer
        fetch = paced
      })
      return answer ? use(answer) : 'nothing yet'
    }
    await stage.render(
      <RateLimitProvider options={{ fetch: server.fetch }}>
        <Page />
      </RateLimitProvider>,
    )
    await inTask(() => show(fetch(url).then((response) => response.text())))
    expect(stage.container.textContent).toContain('waiting')
    expect(server.aborted).toEqual([])
    await stage.advance(20)
    expect(stage.container.textContent).toBe('answer')
  })
})

describe.each(modes)('useRateLimitStatus, %s', (mode) => {
  it('tells what is in flight and when the gate opens, and that it has opened', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const server = createScriptedFetch(clock, [refusal])
    const instance = createRateLimitedFetch({ clock, fetch: server.fetch, random: () => 0 })
    const { result, unmount } = renderHookOn(
      onClock,
      () => {
        const { inFlight, queued, gate } = useRateLimitStatus(instance)
        return { inFlight, queued, open: gate.open, seconds: useCountdown(gate.until) }
      },
      undefined,
    )
    expect(result.current).toEqual({ inFlight: 0, queued: 0, open: true, seconds: 0 })
    const response = callIn(instance)
    expect(result.current).toEqual({ inFlight: 1, queued: 0, open: true, seconds: 0 })
    await advanceAsync(onClock, 20)
    expect(result.current).toEqual({ inFlight: 0, queued: 1, open: false, seconds: 2 })
    await advanceAsync(onClock, 999)
    expect(result.current.seconds).toBe(2)
    await advanceAsync(onClock, 1)
    expect(result.current.seconds).toBe(1)
    await advanceAsync(onClock, 1000)
    expect(result.current).toEqual({ inFlight: 1, queued: 0, open: true, seconds: 0 })
    await advanceAsync(onClock, 20)
    expect(result.current).toEqual({ inFlight: 0, queued: 0, open: true, seconds: 0 })
    await response
    unmount()
    expect(clock.pending).toBe(0)
  })

  it('shows what was done to the shared fetch in the commit that made it', async () => {
    const stage = createStage(mode)
    const Status = (): ReactNode => useRateLimitStatus().gate.source ?? 'open'
    function Pausing(): ReactNode {
      const fetch = useRateLimitedFetch()
      useLayoutEffect(() => {
        fetch.pause(new URL(url).origin)
      }, [fetch])
      return null
    }
    // The same element, which React does not render again.
    const status = <Status key="status" />
    await stage.render([status])
    expect(stage.container.textContent).toBe('open')
    await stage.render([status, <Pausing key="pausing" />])
    expect(stage.container.textContent).toBe('manual')
  })

  it('renders only when what is selected changes', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const server = createScriptedFetch(clock)
    const instance = createRateLimitedFetch({ clock, fetch: server.fetch, concurrency: 1 })
    let renders = 0
    renderHookOn(
      onClock,
      () => {
        renders++
        return useRateLimitStatus(instance, ({ gate }) => gate.open)
      },
      undefined,
    )
    const mounted = renders
    const calls = [instance(url), instance(url), instance(url)]
    await advanceAsync(onClock, 60)
    await Promise.all(calls)
    expect(renders).toBe(mounted)
  })

  it('takes a selector that makes an object', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const server = createScriptedFetch(clock)
    const instance = createRateLimitedFetch({ clock, fetch: server.fetch })
    const { result } = renderHookOn(
      onClock,
      () => useRateLimitStatus(instance, ({ inFlight, queued }) => ({ busy: inFlight + queued })),
      undefined,
    )
    const response = callIn(instance)
    expect(result.current).toEqual({ busy: 1 })
    await advanceAsync(onClock, 20)
    expect(result.current).toEqual({ busy: 0 })
    await response
  })
})
