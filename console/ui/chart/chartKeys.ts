import type { KeyboardEvent, RefObject } from 'react'
import type uPlot from 'uplot'
import { panned, viewWith, zoomed } from './series/chartView.ts'
import { firstIndexFrom } from './series/envelope.ts'
import type { ChartMoves } from './useChartView.ts'

const LONG_STEP = 10

interface Steered {
  readonly timesS: readonly number[]
  readonly chart: RefObject<uPlot | undefined>
  readonly moves: ChartMoves
  /** The cursor stands at this reading; undefined if it is nowhere. */
  readonly index: number | undefined
  readonly onCursor: (index: number) => void
}

/** Arrows move the cursor and the view with it, and the other keys zoom and move the view. */
export function chartKeys({ timesS, chart, moves, index, onCursor }: Steered) {
  const moveTo = (wanted: number) => {
    const target = Math.max(0, Math.min(timesS.length - 1, wanted))
    const timeS = timesS[target]
    const drawn = chart.current
    if (!drawn || timeS === undefined) return
    moves.look(viewWith(moves.view(), timeS, moves.whole()))
    // Otherwise the chart would know the new view only after this task.
    drawn.batch(() => {})
    drawn.setCursor({ left: drawn.valToPos(timeS, 'x'), top: drawn.over.clientHeight / 2 })
    onCursor(target)
  }
  const zoomBy = (factor: number) => {
    const { min, max } = moves.view()
    const atS = index === undefined ? undefined : timesS[index]
    const isInView = atS !== undefined && atS >= min && atS <= max
    moves.look(zoomed(moves.view(), isInView ? atS : (min + max) / 2, factor, moves.whole()))
  }
  const moveBy = (views: number) => {
    const { min, max } = moves.view()
    moves.look(panned(moves.view(), (max - min) * views, moves.whole()))
  }
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { min, max } = moves.view()
    const [first, last] = [firstIndexFrom(timesS, min), firstIndexFrom(timesS, max) - 1]
    const step = event.shiftKey ? LONG_STEP : 1
    const keys: Record<string, () => void> = {
      ArrowRight: () => moveTo(index === undefined ? first : index + step),
      ArrowLeft: () => moveTo(index === undefined ? last : index - step),
      Home: () => moveTo(first),
      End: () => moveTo(last),
      '+': () => zoomBy(0.5),
      '=': () => zoomBy(0.5),
      '-': () => zoomBy(2),
      PageUp: () => moveBy(-0.5),
      PageDown: () => moveBy(0.5),
      '0': moves.back,
      Escape: moves.back,
    }
    const perform = keys[event.key]
    if (!perform) return
    perform()
    event.preventDefault()
  }
}
