/** Metrics get their colours in this order (rules/analytics 4), and addresses keep them as written here. */
export const METRIC_COLOURS = ['00FFD7', 'feb019', '1485cc', 'ff4560', 'ff19ff'] as const
type OfferedColour = (typeof METRIC_COLOURS)[number]
/** It is `rrggbb`, one of the offered colours or one that somebody chose. */
export type MetricColour = OfferedColour | (string & {})

const NAMES: Record<OfferedColour, string> = {
  '00FFD7': 'Turquoise',
  feb019: 'Amber',
  '1485cc': 'Blue',
  ff4560: 'Red',
  ff19ff: 'Magenta',
}

/** The specified colours are made for a dark background: on white 00FFD7 has a contrast of only 1.3. */
const DARKER_TWINS: Record<OfferedColour, string> = {
  '00FFD7': '#007f6d',
  feb019: '#9c6400',
  '1485cc': '#0f6ea8',
  ff4560: '#d61f3c',
  ff19ff: '#c000c0',
}

const LAST_COLOUR = METRIC_COLOURS[METRIC_COLOURS.length - 1] as OfferedColour

/** It returns the first free colour; the last is reused when all are taken (rules/analytics 4). */
export function nextColour(taken: readonly MetricColour[]): MetricColour {
  return METRIC_COLOURS.find((colour) => !taken.includes(colour)) ?? LAST_COLOUR
}

export function readColour(value: unknown): MetricColour | undefined {
  if (typeof value !== 'string') return undefined
  const wanted = value.replace(/^#/, '').toLowerCase()
  return (
    METRIC_COLOURS.find((colour) => colour.toLowerCase() === wanted) ??
    (/^[0-9a-f]{6}$/.test(wanted) ? wanted : undefined)
  )
}

const isOffered = (colour: MetricColour): colour is OfferedColour => METRIC_COLOURS.some((one) => one === colour)

export function colourName(colour: OfferedColour): string {
  return NAMES[colour]
}

export function drawnColour(colour: MetricColour, scheme: 'dark' | 'light'): string {
  return scheme === 'light' && isOffered(colour) ? DARKER_TWINS[colour] : `#${colour}`
}
