// Renders a component, runs user actions, and logs what the page shows, on fake platform timers.
import { act, fireEvent, render } from '@testing-library/react'
import { RateLimitProvider } from 'lull'
import { setImmediate } from 'node:timers/promises'
import type { ComponentType } from 'react'
import { onTestFinished, vi } from 'vitest'
import { stubResizeObserver } from '../react/support/fake-resize-observer.ts'

export type Note = (what: string) => void
export type Props = object

/** As in `type a` or `300`, which advances by as many ms, in steps of 10; `300/50` in steps of 50. Props rerender with them. */
type Step = string | Props | ((note: Note) => Props)

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
  blur: (_, find) => fireEvent.blur(find('input')),
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

const textOfOutput = (page: HTMLElement): string => page.querySelector('output')?.textContent ?? ''

/**
 * A row of a table of recipes, with its script as text: the steps, `→`, and what the page shows and `note` gets, each
 * after its instant, as in `type a | 300 → 0 "a" | 300 saved`. After `before:` comes the log of the code before a
 * migration, where it differs. Values are pieces of the text, or lists of them; objects and functions are props.
 *
 * @param props the props of the component; called once, before the mount
 */
export const row =
  (what: string, props: (note: Note) => Props, see: (page: HTMLElement) => string = textOfOutput) =>
  (texts: TemplateStringsArray, ...values: unknown[]) => {
    const given: Props[] = []
    const textOf = (value: unknown): string => {
      if (Array.isArray(value)) return value.map(textOf).join(' | ')
      if (typeof value === 'string' || typeof value === 'number') return String(value)
      return `props ${given.push(value as Props) - 1}`
    }
    const text = String.raw({ raw: texts }, ...values.map(textOf))
    const [pieces, log, before] = text
      .split(/→ ?|before: ?/)
      .map((part) => part.split(/ \| |\s*\n\s*/).filter(Boolean))
    const steps = pieces!.map((piece): Step => given[Number(/^props (\d+)$/.exec(piece)?.[1])] ?? piece)
    return { what, props, see, steps, log: log!, before: before ?? log! }
  }

export type Row = ReturnType<ReturnType<typeof row>>

/** Returns what the page shows after each step and what `note` gets, each with the instant of the change. */
export async function play(Part: ComponentType<Props>, { props, steps, see }: Row, isStrict = false) {
  const layout = stubResizeObserver()
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
  for (const step of steps) {
    if (typeof step === 'string' && /^[\d/]+$/.test(step)) {
      const [ms, stepMs = 10] = step.split('/').map(Number)
      for (let passed = 0; passed < ms!; passed += stepMs) await pass(stepMs)
      continue
    }
    if (typeof step === 'string') {
      const [verb, ...rest] = step.split(' ')
      if (verb === 'unmount') unmount()
      else verbs[verb!]!(rest.join(' '), find, layout)
    } else rerender(page(typeof step === 'function' ? (step as (note: Note) => Props)(note) : step))
    look()
    await pass(0)
  }
  unmount()
  return log
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
export const typing = (texts: string[], ms: number): unknown[] =>
  texts.flatMap((text) => [`type ${text}`, ms])

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
