// A renderer of our own, of a few lines: it takes whichever React the project runs with.
import { ClockProvider } from 'lull'
import { createManualClock, type ManualClock } from 'lull/testing'
import * as React from 'react'
import {
  act,
  lazy,
  Profiler,
  StrictMode,
  Suspense,
  useState,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// Not in React 18.
const { Activity } = React as Partial<typeof React>

/** The ways in which a component may live; each hook does the same in all of them. */
export const modes = ['plain', 'StrictMode', 'Suspense', ...(Activity ? ['Activity'] : [])]

export interface Mounted {
  clock: ManualClock
  container: HTMLElement
  /** How often the consumer has been committed since it was first shown. */
  commits: () => number
  advance: (ms: number) => Promise<void>
  /** Types `text` into the one field, a character every `everyMs`. */
  type: (text: string, everyMs?: number) => Promise<void>
  click: (label: string) => Promise<void>
  /** Hides the consumer as `<Activity>` does, or has its Suspense boundary show the fallback; and shows it again. */
  hide: () => Promise<void>
  show: () => Promise<void>
  unmount: () => Promise<void>
}

interface Late {
  Component: ComponentType
  arrive: () => Promise<void>
}

/** A component that is waited for until it arrives. */
function createLate(): Late {
  let resolve: (module: { default: FunctionComponent }) => void
  const module = new Promise<{ default: FunctionComponent }>((settle) => (resolve = settle))
  return {
    Component: lazy(() => module),
    arrive: () => inTask(() => resolve({ default: () => null })),
  }
}

/** In a task of its own, with what that makes React do. */
const inTask = (callback: () => void): Promise<void> =>
  act(async () => {
    callback()
    await Promise.resolve()
  })

const mounted = new Set<() => Promise<void>>()

async function unmountAll(): Promise<void> {
  for (const unmount of mounted) await unmount()
}

export async function mount(mode: string, make: (clock: ManualClock) => ReactNode): Promise<Mounted> {
  const clock = createManualClock()
  const element = make(clock)
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  let commits = 0
  let late: Late | undefined = mode === 'Suspense' ? createLate() : undefined
  let setHidden: (isHidden: boolean) => void
  let setLate: (late: Late | undefined) => void

  function Shell(): ReactNode {
    const [isHidden, set] = useState(false)
    const [awaited, setAwaited] = useState(late)
    React.useInsertionEffect(() => {
      setHidden = set
      setLate = setAwaited
    })
    const consumer = (
      <Profiler id="consumer" onRender={() => commits++}>
        {element}
      </Profiler>
    )
    if (mode === 'Activity' && Activity)
      return <Activity mode={isHidden ? 'hidden' : 'visible'}>{consumer}</Activity>
    if (mode === 'Suspense')
      return (
        <Suspense fallback="waiting">
          {consumer}
          {awaited && <awaited.Component />}
        </Suspense>
      )
    return consumer
  }

  async function hide(): Promise<void> {
    late = createLate()
    await inTask(() => (mode === 'Suspense' ? setLate(late) : setHidden(true)))
  }

  async function show(): Promise<void> {
    if (mode === 'Suspense') await late!.arrive()
    else await inTask(() => setHidden(false))
  }

  async function unmount(): Promise<void> {
    mounted.delete(unmount)
    await inTask(() => root.unmount())
    container.remove()
  }

  if (mounted.size === 0) onTestFinished(unmountAll)
  mounted.add(unmount)
  const page = (
    <ClockProvider clock={clock}>
      <Shell />
    </ClockProvider>
  )
  // At the root: only there does React take every effect back once, and make it again.
  await inTask(() => root.render(mode === 'StrictMode' ? <StrictMode>{page}</StrictMode> : page))
  if (mode === 'Suspense') await show()
  // Once away and back, before anything is called, changes nothing of what comes after.
  if (mode === 'Suspense' || mode === 'Activity') {
    await hide()
    await show()
  }
  const commitsAtFirst = commits

  async function type(text: string, everyMs = 30): Promise<void> {
    const field = container.querySelector('input')!
    for (const character of text) {
      await inTask(() => {
        // Past the setter by which React knows what the field held.
        Reflect.set(HTMLInputElement.prototype, 'value', field.value + character, field)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
      await act(() => clock.advanceAsync(everyMs))
    }
  }

  return {
    clock,
    container,
    commits: () => commits - commitsAtFirst,
    advance: (ms) => act(() => clock.advanceAsync(ms)),
    type,
    click: (label) =>
      inTask(() => {
        const buttons = [...container.querySelectorAll('button')]
        buttons.find(({ textContent }) => textContent === label)!.click()
      }),
    hide,
    show,
    unmount,
  }
}
