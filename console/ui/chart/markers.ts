/** Something that happened at a moment of a chart. */
export interface ChartMarker {
  readonly key: string | number
  readonly atS: number
  /** What a pointer reads, and what the link says. */
  readonly text: string
  /** Of the line that it belongs to, `#rrggbb`. */
  readonly color: string
  readonly href: string
}

/** Markers that would cover each other are drawn as one. */
export interface MarkerGroup {
  /** In pixels from the left edge of what is drawn. */
  readonly x: number
  readonly markers: readonly ChartMarker[]
}

/**
 * Those within `widthPx`, by their place from left to right, joined where they lie closer than `closestPx` to the
 * first of a group. A group stands where its first one stands.
 */
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

/** On average one in so many pixels; beyond that, lines across the chart would hide what it draws. */
const LEAST_PX_APART = 40

/** Whether so many places are marked that ticks at the edge have to do. */
export const areMany = (groups: readonly MarkerGroup[], widthPx: number): boolean =>
  groups.length > Math.max(6, widthPx / LEAST_PX_APART)
