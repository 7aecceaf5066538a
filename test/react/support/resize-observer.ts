import { afterEach, beforeEach, vi } from 'vitest'

type Callback = (entries: { target: Element; size: number }[]) => void

/** An observer that observes when it is told to. */
export class Observer {
  static all: Observer[] = []
  readonly observed = new Set<Element>()
  readonly callback: Callback
  constructor(callback: Callback) {
    this.callback = callback
    Observer.all.push(this)
  }
  observe(element: Element): void {
    this.observed.add(element)
  }
  disconnect(): void {
    this.observed.clear()
  }
  static resize(target: Element, size: number): void {
    for (const { observed, callback } of Observer.all) if (observed.has(target)) callback([{ target, size }])
  }
}

/** Puts `Observer` in the place of the platform's, for every test of the file. */
export function stubResizeObserver(): void {
  beforeEach(() => {
    Observer.all = []
    vi.stubGlobal('ResizeObserver', Observer)
  })
  afterEach(() => vi.unstubAllGlobals())
}
