// Renders a component, runs user actions, and logs what the page shows, on fake platform timers.
import { act, fireEvent, render } from '@testing-library/react'
import { RateLimitProvider } from 'lull'
import { setImmediate } from 'node:timers/promises'
import type { ComponentType } from 'react'
import { onTestFinished, vi } from 'vitest'
import { stubResizeObserver } from '../react/support/fake-resize-observer.ts'

export type Note = (what: string) => void
export type Props = object

/**
 * Runs the steps in the text in order, as in `type a | 300`. A number advances by as many ms, in steps of 10,
 * or of 50 with `300/50`. An object or function rerenders with other props.
 */
export type Step = number | string | Props | ((note: Note) => Props)
/** What the page shows and what `note` gets, each after its instant, as `0 "a" | 300 saved`. */
export type Log = string | string[]

export interface Script {
  Part: ComponentType<Props>
  /** The props of the component; called once, before the mount. */
  props: (note: Note) => Props
  steps: string | readonly Step[]
  /** @default the text of the `<output>` */
  see?: ((page: HTMLElement) => string) | undefined
  isStrict?: boolean
}

type Find = (selector: string) => HTMLElement

const verbs: Record<
  string,
  (what: string, find: Find, layout: ReturnType<typeof stubResizeObserver>) => void
> = {
  type: (value, find) => fireEvent.change(find('input, textarea'), { target: { value } }),
  key: (key, find) => fireEvent.keyDown(find('input, textarea'), { key }),
  compose: (_, find) => fireEvent.compositionStart(find('input')),
  composed(value, find) {
    fireEvent.compositionEnd(find('input'))
    fireEvent.change(find('input'), { target: { value } })
  },
  press: (_, find) => fireEvent.click(find('button')),
  hover: (text, find) => fireEvent.mouseEnter(withText(find, text)),
  click: (text, find) => fireEvent.click(withText(find, text)),
  resize: (width, find, { resize }) => act(() => resize(find('div > div'), Number(width))),
  scroll(top) {
    vi.stubGlobal('scrollY', Number(top))
    fireEvent.scroll(window)
  },
  /** Scrolls the text in the page, not the page. */
  'scroll-text': (top, find) =>
    fireEvent.scroll(find('[role=region]'), { target: { scrollTop: Number(top) } }),
  /** Switches to another browser tab. */
  hide() {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(document, 'visibilityState'))
    fireEvent(document, new Event('visibilitychange'))
  },
  leave: () => fireEvent(window, new Event('pagehide')),
}

function withText(find: Find, text: string): Element {
  const all = [...find('*').parentElement!.querySelectorAll('button, li')]
  return all.find(({ textContent }) => textContent === text)!
}

export const piecesOf = (log: Log): string[] => [log].flat().flatMap((text) => text.split(' | '))

const textOfOutput = (page: HTMLElement): string => page.querySelector('output')?.textContent ?? ''

/** Returns what the page shows after each step and what `note` gets, each with the instant of the change. */
export async function play({
  Part,
  props,
  steps,
  see = textOfOutput,
  isStrict = false,
}: Script): Promise<string[]> {
  const layout = stubResizeObserver()
  onTestFinished(() => void vi.unstubAllGlobals())
  const log: string[] = []
  const start = Date.now()
  const note: Note = (what) => void log.push(`${Date.now() - start} ${what}`)
  const given = props(note)
  const page = (others?: Props) => (
    <RateLimitProvider options={{ random: () => 0 }}>
      <Part {...given} {...others} />
    </RateLimitProvider>
  )
  const { container, rerender, unmount } = render(page(), { reactStrictMode: isStrict })
  const find: Find = (selector) => container.querySelector<HTMLElement>(selector)!
  let seen = ''
  function look(): void {
    if (!container.firstChild) return
    const now = see(container)
    if (now !== seen) note(`"${now}"`)
    seen = now
  }
  async function pass(ms: number): Promise<void> {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(ms)
      // A response body is read in a turn of the event loop.
      await setImmediate()
    })
    look()
  }
  look()
  async function passIn(ms: number, stepMs = 10): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) await pass(stepMs)
  }
  async function take(step: Step): Promise<void> {
    if (typeof step === 'number') return passIn(step)
    if (typeof step === 'string') {
      if (/^[\d/]+$/.test(step)) return passIn(...(step.split('/').map(Number) as [number, number?]))
      const [verb, ...rest] = step.split(' ')
      if (verb === 'unmount') {
        unmount()
        return
      }
      verbs[verb!]!(rest.join(' '), find, layout)
    } else rerender(page(typeof step === 'function' ? (step as (note: Note) => Props)(note) : step))
    look()
    await pass(0)
  }
  for (const step of [steps].flat())
    for (const one of typeof step === 'string' ? piecesOf(step) : [step]) await take(one)
  unmount()
  vi.unstubAllGlobals()
  return log
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
export const typing = (texts: string[], ms: number): Step[] => texts.flatMap((text) => [`type ${text}`, ms])

export const noting =
  (...names: string[]) =>
  (note: Note): Props =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (what: unknown) =>
          note(typeof what === 'string' || typeof what === 'number' ? `${name} ${what}`.trim() : name),
      ]),
    )
