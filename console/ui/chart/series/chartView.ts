/** Both ends are in seconds since 1970. */
export interface View {
  readonly min: number
  readonly max: number
}

const SHORTEST_S = 60

/**
 * It narrows (`factor` below 1) or widens the view around a moment, which keeps its place on the screen. The view is
 * never shorter than a minute and never beyond the whole.
 */
export function zoomed({ min, max }: View, atS: number, factor: number, whole: View): View {
  const spanS = Math.min(whole.max - whole.min, Math.max(SHORTEST_S, (max - min) * factor))
  const part = (atS - min) / (max - min)
  const from = atS - spanS * part
  return within({ min: from, max: from + spanS }, whole)
}

export function panned({ min, max }: View, byS: number, whole: View): View {
  return within({ min: min + byS, max: max + byS }, whole)
}

/** Two fingers closer than this give no reliable distance. */
const CLOSEST_FINGERS_PX = 16

/** It keeps what lay under two fingers under them, wherever they went; places are in pixels from the left. */
export function pinched(
  view: View,
  [fromA, fromB]: readonly [number, number],
  [toA, toB]: readonly [number, number],
  widthPx: number,
  whole: View,
): View {
  const secondsPerPx = (view.max - view.min) / widthPx
  const apartPx = (distance: number) => Math.max(CLOSEST_FINGERS_PX, Math.abs(distance))
  const atS = view.min + fromA * secondsPerPx
  const near = zoomed(view, atS, apartPx(fromB - fromA) / apartPx(toB - toA), whole)
  return panned(near, (fromA - toA) * ((near.max - near.min) / widthPx), whole)
}

export function viewWith(view: View, atS: number, whole: View): View {
  if (atS < view.min) return panned(view, atS - view.min, whole)
  return atS > view.max ? panned(view, atS - view.max, whole) : view
}

function within({ min, max }: View, whole: View): View {
  const spanS = Math.min(max - min, whole.max - whole.min)
  const from = Math.min(Math.max(min, whole.min), whole.max - spanS)
  return { min: from, max: from + spanS }
}
