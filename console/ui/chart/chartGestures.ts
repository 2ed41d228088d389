import type uPlot from 'uplot'
import { panned, pinched, type View, zoomed } from './series/chartView.ts'

const ZOOM_PER_PX = 0.0025
/** Some wheels count in lines or pages instead of pixels. */
const PX_PER_DELTA = [1, 16, 400] as const

export interface Gestures {
  readonly view: () => View
  readonly whole: () => View
  readonly look: (view: View) => void
}

/**
 * Ctrl (or ⌘, or a pinch on a touchpad) with the wheel zooms at the pointer; Shift with the wheel, a sideways wheel, or
 * Shift with a drag pans. The wheel alone still scrolls the page. On a touch screen one finger pans and two zoom;
 * moving up and down scrolls the page.
 *
 * @returns a function that removes the listeners
 */
export function followGestures(chart: uPlot, { view, whole, look }: Gestures): () => void {
  const { over } = chart
  const secondsPerPx = () => (view().max - view().min) / over.clientWidth

  const onWheel = (event: WheelEvent) => {
    const unit = PX_PER_DELTA[event.deltaMode] ?? 1
    const [x, y] = [event.deltaX * unit, event.deltaY * unit]
    if (event.ctrlKey || event.metaKey) {
      const atS = view().min + (event.clientX - over.getBoundingClientRect().left) * secondsPerPx()
      look(zoomed(view(), atS, Math.exp(y * ZOOM_PER_PX), whole()))
    } else {
      const sidewaysPx = event.shiftKey ? x || y : x
      const isAlong = event.shiftKey || Math.abs(x) > Math.abs(y)
      const next = panned(view(), sidewaysPx * secondsPerPx(), whole())
      // The page may scroll at the end of the period, and with all of it in view.
      if (!isAlong || next.min === view().min) return
      look(next)
    }
    event.preventDefault()
  }

  let dragged: { readonly fromX: number; readonly view: View; readonly secondsPerPx: number } | undefined
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !event.shiftKey || event.pointerType === 'touch') return
    dragged = { fromX: event.clientX, view: view(), secondsPerPx: secondsPerPx() }
    over.setPointerCapture(event.pointerId)
    over.dataset.moves = ''
  }
  const onPointerMove = (event: PointerEvent) => {
    if (dragged) look(panned(dragged.view, (dragged.fromX - event.clientX) * dragged.secondsPerPx, whole()))
  }
  const onPointerEnd = () => {
    dragged = undefined
    delete over.dataset.moves
  }

  const fingers = followFingers(chart, { view, whole, look })
  const end = new AbortController()
  const { signal } = end
  over.addEventListener('wheel', onWheel, { passive: false, signal })
  over.addEventListener('pointerdown', onPointerDown, { signal })
  over.addEventListener('pointermove', onPointerMove, { signal })
  over.addEventListener('pointerup', onPointerEnd, { signal })
  over.addEventListener('pointercancel', onPointerEnd, { signal })
  return () => {
    end.abort()
    fingers.end()
  }
}

interface Finger {
  readonly fromX: number
  x: number
}

function followFingers({ over }: uPlot, { view, whole, look }: Gestures) {
  const fingers = new Map<number, Finger>()
  let begin = view()
  const xOf = (event: PointerEvent) => event.clientX - over.getBoundingClientRect().left
  const beginAnew = () => {
    begin = view()
    for (const [id, { x }] of fingers) fingers.set(id, { fromX: x, x })
  }
  const onDown = (event: PointerEvent) => {
    if (event.pointerType !== 'touch' || fingers.size === 2) return
    fingers.set(event.pointerId, { fromX: xOf(event), x: xOf(event) })
    beginAnew()
  }
  const onMove = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    finger.x = xOf(event)
    const [first, second] = [...fingers.values()]
    if (!first) return
    // One finger counts as two that move alike.
    const other = second ?? { fromX: first.fromX + over.clientWidth, x: first.x + over.clientWidth }
    look(pinched(begin, [first.fromX, other.fromX], [first.x, other.x], over.clientWidth, whole()))
  }
  const onEnd = (event: PointerEvent) => {
    if (fingers.delete(event.pointerId)) beginAnew()
  }
  const end = new AbortController()
  const { signal } = end
  over.addEventListener('pointerdown', onDown, { signal })
  over.addEventListener('pointermove', onMove, { signal })
  over.addEventListener('pointerup', onEnd, { signal })
  over.addEventListener('pointercancel', onEnd, { signal })
  return { end: () => end.abort() }
}
