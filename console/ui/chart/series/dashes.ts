const [STROKE_PX, DOT_PX, GAP_PX] = [7, 2, 3]

/**
 * The dashes stand in this order, the plainest first. With the whole line they suffice for 16 lines of one colour: of
 * the 20 metrics of a chart the first four have colours of their own (rules/analytics 4). Each mixes strokes and dots:
 * strokes alone mark a limit, and dots alone the week before (rules/analytics 14).
 */
const STROKES_AND_DOTS = [
  ...([
    [1, 1],
    [1, 2],
    [2, 1],
    [1, 3],
    [2, 2],
    [3, 1],
    [2, 3],
    [3, 2],
  ] as const),
  ...([
    [1, 4],
    [4, 1],
    [3, 3],
    [2, 4],
    [4, 2],
    [3, 4],
    [4, 3],
  ] as const),
] as const

const PATTERNS = STROKES_AND_DOTS.map(([strokes, dots]) =>
  [...Array(strokes).fill(STROKE_PX), ...Array(dots).fill(DOT_PX)].flatMap((px: number) => [px, GAP_PX]),
)

/** The first line of a colour is whole, and each further one has a dash of its own. */
export function dashesOf(colors: readonly string[]): readonly (readonly number[] | undefined)[] {
  const seen = new Map<string, number>()
  return colors.map((color) => {
    const before = seen.get(color.toLowerCase()) ?? 0
    seen.set(color.toLowerCase(), before + 1)
    return before === 0 ? undefined : PATTERNS[(before - 1) % PATTERNS.length]
  })
}

/** It returns whether a dashed line is drawn at this many pixels from its beginning. */
export function isStroke(dash: readonly number[] | undefined, atPx: number): boolean {
  if (!dash) return true
  let rest = atPx % dash.reduce((sum, px) => sum + px, 0)
  const at = dash.findIndex((px) => {
    rest -= px
    return rest < 0
  })
  return at % 2 === 0
}
