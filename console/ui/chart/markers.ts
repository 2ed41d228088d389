export interface ChartMarker {
  readonly key: string | number
  readonly atS: number
  readonly text: string
  readonly color: string
  readonly href: string
}

/** Markers that would cover each other are drawn as one. */
export interface MarkerGroup {
  /** The position is in pixels from the left edge of the plot. */
  readonly x: number
  readonly markers: readonly ChartMarker[]
}

/** Markers closer than `closestPx` to the first of a group join it, and the group stands there. */
export function markerGroups(
  markers: readonly ChartMarker[],
  xOf: (atS: number) => number,
  { widthPx, closestPx }: { readonly widthPx: number; readonly closestPx: number },
): readonly MarkerGroup[] {
  const groups: { x: number; markers: ChartMarker[] }[] = []
  for (const marker of markers.toSorted((one, other) => one.atS - other.atS)) {
    const x = xOf(marker.atS)
    if (!(x >= 0 && x <= widthPx)) continue
    const last = groups.at(-1)
    if (last && x - last.x < closestPx) last.markers.push(marker)
    else groups.push({ x, markers: [marker] })
  }
  return groups
}

/** More lines than one in this many pixels on average would hide the readings. */
const LEAST_PX_APART = 40

/** It returns whether there are too many markers for full lines, so that ticks at the edge are drawn instead. */
export const areMany = (groups: readonly MarkerGroup[], widthPx: number): boolean =>
  groups.length > Math.max(6, widthPx / LEAST_PX_APART)
