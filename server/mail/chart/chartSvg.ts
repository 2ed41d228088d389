import { formatNumber } from '#domain/units/numbers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { wallClock } from '#domain/units/wallClock.ts'

/** A chart shows readings of one measurement, and what they are compared with. */
export interface ChartToDraw {
  readonly fromMs: number
  readonly toMs: number
  readonly timesMs: readonly number[]
  readonly values: readonly number[]
  readonly level: number | undefined
  readonly openedMs: number
  /** The condition was met until then; undefined while it is met. */
  readonly overMs?: number | undefined
  readonly unit: string
  readonly timeZone: string
}

export const CHART_WIDTH = 560
const HEIGHT = 190
const PLOT = { left: 52, top: 12, right: CHART_WIDTH - 12, bottom: HEIGHT - 24 }
const COLOURS = { platform: '#ffffff', grid: '#d9e1e8', text: '#526272', line: '#00708f', level: '#c2261d' }
/** No line crosses a silence. */
const SILENCE_MS = 30 * MINUTE_MS
const TIME_STEPS_MS = [10, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS)
const MOST_TIMES = 7

/** Draws a line chart as SVG for a white page. Its texts are numbers, a unit and times: nothing from outside. */
export function chartSvg(chart: ChartToDraw): string {
  const { fromMs, toMs, level, openedMs, overMs = toMs } = chart
  const [low, high] = rangeOf(chart)
  const x = (ms: number) => PLOT.left + ((ms - fromMs) / (toMs - fromMs)) * (PLOT.right - PLOT.left)
  const y = (value: number) => PLOT.bottom - ((value - low) / (high - low)) * (PLOT.bottom - PLOT.top)
  const shade = Math.max(PLOT.left, x(openedMs))
  const shadeEnd = Math.min(PLOT.right, x(overMs))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CHART_WIDTH}" height="${HEIGHT}" font-family="IBM Plex Sans" font-size="11" fill="${COLOURS.text}">`,
    `<rect width="${CHART_WIDTH}" height="${HEIGHT}" fill="${COLOURS.platform}"/>`,
    shade < shadeEnd
      ? `<rect x="${shade.toFixed(1)}" y="${PLOT.top}" width="${(shadeEnd - shade).toFixed(1)}" height="${PLOT.bottom - PLOT.top}" fill="${COLOURS.level}" fill-opacity="0.08"/>`
      : '',
    ...valueTicks(low, high).map(
      (value) =>
        `<path d="M${PLOT.left} ${y(value).toFixed(1)}H${PLOT.right}" stroke="${COLOURS.grid}"/><text x="${PLOT.left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${formatNumber(value)}</text>`,
    ),
    ...timeTicks(chart).map(
      ({ ms, text }) => `<text x="${x(ms).toFixed(1)}" y="${HEIGHT - 6}" text-anchor="middle">${text}</text>`,
    ),
    `<path d="${lineOf(chart, x, y)}" fill="none" stroke="${COLOURS.line}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"/>`,
    level === undefined
      ? ''
      : `<path d="M${PLOT.left} ${y(level).toFixed(1)}H${PLOT.right}" stroke="${COLOURS.level}" stroke-width="1.4" stroke-dasharray="5 4"/>`,
    `<text x="12" y="${(PLOT.top + PLOT.bottom) / 2}" transform="rotate(-90 12 ${(PLOT.top + PLOT.bottom) / 2})" text-anchor="middle">${xmlText(chart.unit)}</text>`,
    '</svg>',
  ].join('')
}

/** Spans the lowest to the highest of readings and limit, with a little room. */
function rangeOf({ values, level }: ChartToDraw): readonly [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of level === undefined ? values : [...values, level]) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const room = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1
  return [low - room, high + room]
}

/** Returns three to six round numbers. */
function valueTicks(low: number, high: number): readonly number[] {
  const rough = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** Returns round times of the reader's clock, or days of a longer stretch. */
function timeTicks({ fromMs, toMs, timeZone }: ChartToDraw) {
  const step =
    TIME_STEPS_MS.find((ms) => (toMs - fromMs) / ms <= MOST_TIMES) ??
    Math.ceil((toMs - fromMs) / MOST_TIMES / DAY_MS) * DAY_MS
  const wallMs = (ms: number) =>
    Date.parse(`${wallClock(new Date(ms), timeZone).date}T${wallClock(new Date(ms), timeZone).time}Z`)
  const ahead = wallMs(Math.floor(fromMs / MINUTE_MS) * MINUTE_MS) - Math.floor(fromMs / MINUTE_MS) * MINUTE_MS
  const ticks: { ms: number; text: string }[] = []
  const edge = HOUR_MS / 60
  for (let ms = Math.ceil((fromMs + ahead) / step) * step - ahead; ms <= toMs - edge; ms += step) {
    const { date, time } = wallClock(new Date(ms), timeZone)
    ticks.push({ ms, text: step >= DAY_MS ? `${date.slice(8)}.${date.slice(5, 7)}.` : time })
  }
  return ticks
}

type Scale = (value: number) => number

/** Each column of pixels shows its lowest and its highest reading, however many there are. */
function lineOf({ timesMs, values }: ChartToDraw, x: Scale, y: Scale): string {
  let path = ''
  let lastMs = Number.NEGATIVE_INFINITY
  for (let index = 0; index < timesMs.length; ) {
    const column = Math.floor(x(timesMs[index] ?? 0) * 2)
    const first = index
    let [lowest, highest] = [index, index]
    for (; index < timesMs.length && Math.floor(x(timesMs[index] ?? 0) * 2) === column; index++) {
      if ((values[index] ?? 0) < (values[lowest] ?? 0)) lowest = index
      if ((values[index] ?? 0) > (values[highest] ?? 0)) highest = index
    }
    const isBroken = (timesMs[first] ?? 0) - lastMs > SILENCE_MS
    const kept = [...new Set([lowest, highest])].sort((one, other) => one - other)
    kept.forEach((at, order) => {
      path += `${isBroken && order === 0 ? 'M' : 'L'}${x(timesMs[at] ?? 0).toFixed(1)} ${y(values[at] ?? 0).toFixed(1)}`
    })
    // A lone reading is drawn as a dot.
    if (isBroken && kept.length === 1) path += 'h.1'
    lastMs = timesMs[index - 1] ?? lastMs
  }
  return path
}

const xmlText = (text: string) => text.replace(/[<>&]/g, '')

/** Chooses the period of a chart, with what led to the alert and what came of it. */
export function chartPeriod(openedMs: number, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = openedMs - 3 * HOUR_MS
  // The first day of an old alert says more than the last.
  return { fromMs, toMs: Math.max(fromMs + HOUR_MS, Math.min(nowMs, openedMs + DAY_MS)) + SECOND_MS }
}
