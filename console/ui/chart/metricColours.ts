/** P1 §9: the order in which metrics get their colours; kept in addresses as written here. */
export const METRIC_COLOURS = ['00FFD7', 'feb019', '1485cc', 'ff4560', 'ff19ff'] as const
export type MetricColour = (typeof METRIC_COLOURS)[number]

const NAMES: Record<MetricColour, string> = {
  '00FFD7': 'Turquoise',
  feb019: 'Amber',
  '1485cc': 'Blue',
  ff4560: 'Red',
  ff19ff: 'Magenta',
}

/** The specified colours are made for a dark ground: on white 00FFD7 has a contrast of only 1.3. */
const DARKER_TWINS: Record<MetricColour, string> = {
  '00FFD7': '#007f6d',
  feb019: '#9c6400',
  '1485cc': '#0f6ea8',
  ff4560: '#d61f3c',
  ff19ff: '#c000c0',
}

const LAST_COLOUR = METRIC_COLOURS[METRIC_COLOURS.length - 1] as MetricColour

/** The first colour that nobody has; the last is reused when all are taken (P1 §9). */
export function nextColour(taken: readonly MetricColour[]): MetricColour {
  return METRIC_COLOURS.find((colour) => !taken.includes(colour)) ?? LAST_COLOUR
}

/** A colour as somebody may have written it, with or without `#`, in any case. */
export function readColour(value: unknown): MetricColour | undefined {
  if (typeof value !== 'string') return undefined
  const wanted = value.replace(/^#/, '').toLowerCase()
  return METRIC_COLOURS.find((colour) => colour.toLowerCase() === wanted)
}

export function colourName(colour: MetricColour): string {
  return NAMES[colour]
}

/** How the colour is drawn in this theme. */
export function drawnColour(colour: MetricColour, scheme: 'dark' | 'light'): string {
  return scheme === 'dark' ? `#${colour}` : DARKER_TWINS[colour]
}
