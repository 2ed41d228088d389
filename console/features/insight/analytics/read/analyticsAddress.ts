import { type Fields, id, moment, on, oneOf } from '#console/router/addressFields.ts'
import type { Given, WrittenValues } from '#console/router/addressText.ts'
import { isReversed, REVERSED_PERIOD, unreadParameters } from '#console/router/unread.ts'
import { readAddress, readFields } from '#console/router/useAddress.ts'
import { readColour } from '#console/ui/chart/series/metricColours.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { allowedStepsMinutes, type StepMinutes } from '#domain/analytics/step.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { type MetricChoice, MOST_METRICS, type WantedMetric, type YAxis } from './metricChoice.ts'

const DEFAULT_STEP_MINUTES = 60

/** Anybody may have written the parameter `data`, so invalid parts are left out (rules/addresses 7). */
export interface RouteData {
  readonly metrics: readonly WantedMetric[]
  readonly period?: Period
  /** If true, these metrics replace those kept from the last visit; otherwise they are added to them. */
  readonly removeExisting: boolean
}

export interface AnalyticsLooks {
  readonly stepMinutes: StepMinutes
  /** The y-axes fit the values shown; otherwise they start at zero. */
  readonly isAutoScaled: boolean
  /** It is undefined until somebody chooses: then the number of metrics decides. */
  readonly band: boolean | undefined
  readonly showsAlerts: boolean
  /** Planned darkness is shaded where the chart is of one device. */
  readonly showsPlanned: boolean
  readonly showsLimits: boolean
  readonly comparesWeek: boolean
  readonly view: 'chart' | 'table'
  /** The timeline of this device stands below the chart. */
  readonly lanesOf?: DeviceId | undefined
  readonly zoom?: Period | undefined
}

const AXES = oneOf<YAxis>([1, 2])
const METRIC = { deviceId: id<DeviceId>(), metricId: id<FieldId>(), yAxis: AXES, isHidden: on } satisfies Fields

/** It returns undefined when the address has no usable `data`. */
export function readRouteData(value: unknown): RouteData | undefined {
  const content = contentOf(value)
  if (!content) return undefined
  const period = periodOf(content.dateFrom, content.dateTo)
  return {
    metrics: readMetrics(content.metric),
    removeExisting: on(content.removeExisting) ?? false,
    ...(period ? { period } : {}),
  }
}

/** It words the parts of `data` that cannot be drawn. */
export function unreadInRouteData(value: unknown): readonly string[] {
  if (value === undefined) return []
  const content = contentOf(value)
  if (!content) return unreadParameters({ data: value }, ['data'], {})
  const { metric: wanted, dateFrom, dateTo } = content
  const metrics = wanted === undefined ? [] : Array.isArray(wanted) ? wanted : [wanted]
  const lost = metrics.length - readMetrics(metrics).length
  const period = periodOf(dateFrom, dateTo) ? { dateFrom, dateTo } : {}
  return [
    ...(lost > 0 ? [`${lost} of ${metrics.length} metrics`] : []),
    ...(isReversed(content) ? [REVERSED_PERIOD] : unreadParameters(content, ['dateFrom', 'dateTo'], period)),
  ]
}

/** `metrics` may be one metric or a list of them. */
export function readMetrics(value: unknown): readonly WantedMetric[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MOST_METRICS) : [value]
  return list.flatMap((one) => {
    if (!isRecord(one)) return []
    const { deviceId, metricId, yAxis, isHidden } = readFields(METRIC, one)
    if (deviceId === undefined || metricId === undefined) return []
    return { deviceId, metricId, color: readColour(one.color), yAxis, ...(isHidden && { isHidden }) }
  })
}

export function readLooks(given: Given): AnalyticsLooks {
  const { step, autoScale, band, alerts, planned, limits, compare, view, lanes, ...read } = readAddress(
    '/analytics',
    given,
  )
  const [dateFrom, dateTo] = (read.zoom ?? '').split('/')
  const zoom = periodOf(dateFrom, dateTo)
  return {
    stepMinutes: step ?? DEFAULT_STEP_MINUTES,
    isAutoScaled: autoScale ?? true,
    band,
    showsAlerts: alerts ?? true,
    showsPlanned: planned ?? true,
    showsLimits: limits ?? true,
    comparesWeek: compare === 'week',
    view: view ?? 'chart',
    ...(lanes === undefined ? {} : { lanesOf: lanes }),
    ...(zoom ? { zoom } : {}),
  }
}

/** The written parameter is complete in itself, so a reload or a pasted link shows the same whatever was kept. */
export function writeRouteData(metrics: readonly MetricChoice[], period: Period) {
  return {
    dateFrom: period.from.toISOString(),
    dateTo: period.to.toISOString(),
    metric: metrics.map(({ deviceId, metricId, color, yAxis, isHidden }) => ({
      ...{ deviceId, metricId, color, yAxis },
      ...(isHidden && { isHidden }),
    })),
    removeExisting: true,
  }
}

/** A default value is absent from the address. */
export function writeLooks({
  stepMinutes,
  isAutoScaled,
  band,
  showsAlerts,
  showsPlanned,
  showsLimits,
  comparesWeek,
  view,
  zoom,
  lanesOf,
}: AnalyticsLooks): WrittenValues<'/analytics'> {
  return {
    step: stepMinutes === DEFAULT_STEP_MINUTES ? undefined : stepMinutes,
    autoScale: isAutoScaled ? undefined : false,
    band,
    alerts: showsAlerts ? undefined : false,
    planned: showsPlanned ? undefined : false,
    limits: showsLimits ? undefined : false,
    compare: comparesWeek ? 'week' : undefined,
    view: view === 'table' ? view : undefined,
    lanes: lanesOf,
    zoom: zoom ? `${zoom.from.toISOString()}/${zoom.to.toISOString()}` : undefined,
  }
}

/** Bands of more lines would hide each other. */
const MOST_BANDS = 2

/** It returns undefined where there are no bands: only hours have a lowest and a highest reading. */
export function bandInUse(
  chosen: boolean | undefined,
  stepMinutes: StepMinutes,
  metrics: readonly MetricChoice[],
): boolean | undefined {
  if (stepMinutes !== 60 || metrics.length === 0) return undefined
  return chosen ?? metrics.filter(({ isHidden }) => !isHidden).length <= MOST_BANDS
}

/** Beyond three days the step is one hour; a shorter period restores the choice (rules/analytics 5). */
export function stepInUse(chosen: StepMinutes, { from, to }: Period): StepMinutes {
  return allowedStepsMinutes(from, to).includes(chosen) ? chosen : 60
}

function periodOf(dateFrom: unknown, dateTo: unknown): Period | undefined {
  const [from, to] = [moment(dateFrom), moment(dateTo)]
  return from && to && from < to ? { from, to } : undefined
}

function contentOf(value: unknown): Given | undefined {
  const content = typeof value === 'string' ? parsed(value) : value
  return isRecord(content) ? content : undefined
}

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
