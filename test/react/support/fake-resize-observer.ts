import { vi } from 'vitest'

/** Stubs `ResizeObserver` until `vi.unstubAllGlobals`, or sets that of another window: jsdom has no sizes. */
export function stubResizeObserver(popup?: Window) {
  const observers = new Map<ResizeObserver, { call: ResizeObserverCallback; elements: Set<Element> }>()
  const observed = { now: 0, boxes: [] as unknown[] }
  let isDelivering = false

  class FakeResizeObserver implements ResizeObserver {
    readonly elements = new Set<Element>()
    constructor(call: ResizeObserverCallback) {
      observers.set(this, { call, elements: this.elements })
    }
    observe(element: Element, options?: ResizeObserverOptions): void {
      this.elements.add(element)
      observed.now++
      observed.boxes.push(options?.box)
    }
    unobserve(element: Element): void {
      if (this.elements.delete(element)) observed.now--
    }
    disconnect(): void {
      observed.now -= this.elements.size
      this.elements.clear()
    }
  }
  if (popup) Object.assign(popup, { ResizeObserver: FakeResizeObserver })
  else vi.stubGlobal('ResizeObserver', FakeResizeObserver)

  return {
    /** The number of elements observed now, and the box of each observation. */
    observed,
    /** Whether an observer's callback is running. */
    isDelivering: () => isDelivering,
    /** Calls all observers of `element` with its new width, as the browser does between layout and paint. */
    resize: (element: Element, width: number) => {
      isDelivering = true
      for (const [observer, { call, elements }] of observers)
        if (elements.has(element)) call([entryOf(element, width)], observer)
      isDelivering = false
    },
  }
}

export type FakeLayout = ReturnType<typeof stubResizeObserver>

function entryOf(target: Element, width: number): ResizeObserverEntry {
  const box = [{ inlineSize: width, blockSize: 10 }]
  const contentRect = { width } as DOMRectReadOnly
  return { target, contentRect, borderBoxSize: box, contentBoxSize: box, devicePixelContentBoxSize: box }
}
