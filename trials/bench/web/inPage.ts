/** These functions run within the page, so they take nothing from outside themselves. */

export interface Paints {
  /** The frame of the page is there: its title, or its form. */
  readonly framedMs: number
  readonly usableMs: number
  /** Both are times of the wall clock. */
  readonly framedAtMs: number
  readonly usableAtMs: number
  readonly firstPaintMs: number
  readonly largestPaintMs: number
  /** Names the largest thing painted. */
  readonly largest: string
  /** The sum of what tasks take beyond 50 ms, from the first paint on. */
  readonly blockedMs: number
  readonly shift: number
  /** Names what moved most at once, and how far. */
  readonly shifted: string
}

interface Shift {
  readonly value: number
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

declare global {
  interface Window {
    benchPaints: {
      framedMs: number
      usableMs: number
      firstPaintMs: number
      largestPaintMs: number
      largest: string
      shift: number
      shifted: string
      largestShift: number
      readonly tasks: { startMs: number; ms: number }[]
    }
  }
}

/** Its frame is there, and it is usable, once an element matches these. */
export function watchPaints({ frame, usable }: { readonly frame: string; readonly usable: string }) {
  const seen: Window['benchPaints'] = {
    framedMs: 0,
    usableMs: 0,
    firstPaintMs: 0,
    largestPaintMs: 0,
    largest: '',
    shift: 0,
    shifted: '',
    largestShift: 0,
    tasks: [],
  }
  window.benchPaints = seen
  const nameOf = (node?: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    return `${element?.localName ?? '?'}.${element?.className ?? ''} "${(element?.textContent ?? '').slice(0, 40)}"`
  }
  const observe = (type: string, each: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.firstPaintMs = startTime
  })
  observe('largest-contentful-paint', (entry) => {
    seen.largestPaintMs = entry.startTime
    seen.largest = nameOf((entry as PerformanceEntry & { readonly element?: Element }).element)
  })
  observe('longtask', ({ startTime, duration }) => seen.tasks.push({ startMs: startTime, ms: duration }))
  observe('layout-shift', (entry) => {
    const { value, sources } = entry as PerformanceEntry & Shift
    seen.shift += value
    const [moved] = sources
    if (value <= seen.largestShift || moved === undefined) return
    seen.largestShift = value
    seen.shifted = `${nameOf(moved.node)} from ${moved.previousRect.top} to ${moved.currentRect.top}`
  })
  const look = () => {
    if (seen.framedMs === 0 && document.querySelector(frame) !== null) seen.framedMs = performance.now()
    if (seen.framedMs === 0 || seen.usableMs > 0 || document.querySelector(usable) === null) return
    seen.usableMs = performance.now()
    changes.disconnect()
  }
  const changes = new MutationObserver(look)
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

export function paintsSeen(): Paints {
  const { tasks, largestShift: _, ...seen } = window.benchPaints
  const blockedMs = tasks
    .filter(({ startMs, ms }) => startMs + ms > seen.firstPaintMs)
    .reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0)
  const [framedAtMs, usableAtMs] = [seen.framedMs, seen.usableMs].map((ms) => performance.timeOrigin + ms) as [
    number,
    number,
  ]
  return { ...seen, framedAtMs, usableAtMs, blockedMs }
}
