import { z } from 'zod'
import type { Search } from '#console/lib/address.ts'
import { readAs } from '#console/lib/plainContract.ts'
import { isReversed, REVERSED_PERIOD, unreadParameters } from '#console/lib/unreadAddress.ts'
import { readColour } from '#console/ui/chart/metricColours.ts'
import type { Period } from '#console/ui/period.ts'
import { deviceIdValue, fieldIdValue } from '#contract/http/values.ts'
import { allowedStepsMinutes, STEPS_MINUTES, type StepMinutes } from '#domain/analytics/step.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { type MetricChoice, MOST_METRICS, type WantedMetric, type YAxis } from './metricChoice.ts'

const DEFAULT_STEP_MINUTES = 60
const EARLIEST = new Date('2000-01-01T00:00:00Z')
const LATEST = new Date('2100-01-01T00:00:00Z')

/** What P1 §2 calls the data route parameter. Anybody may have written it: what makes no sense is left out. */
export interface RouteData {
  readonly metrics: readonly WantedMetric[]
  readonly period?: Period
  /** True: these metrics replace those kept from the last visit; else they are added to them. */
  readonly removeExisting: boolean
}

/** Everything beside `data` that the page keeps in its address. */
export interface AnalyticsLooks {
  /** As chosen. A period beyond three days uses the hour, and a shorter one this choice again. */
  readonly stepMinutes: StepMinutes
  /** The y-axes fit what is shown; else they start at zero. */
  readonly isAutoScaled: boolean
  /** Lowest and highest reading of each hour behind its mean. */
  readonly hasBand: boolean
  /** Alerts that opened in the period, as markers and as a list. */
  readonly showsAlerts: boolean
  /** Shades when darkness was planned, where the chart is of one device. */
  readonly showsPlanned: boolean
  readonly view: 'chart' | 'table'
  /** The part of the period that is looked at. */
  readonly zoom?: Period | undefined
}

const numberText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number),
])

const metricSchema = z.object({
  deviceId: numberText.refine((id) => readAs(deviceIdValue, id)).transform((id) => id as DeviceId),
  metricId: numberText.refine((id) => readAs(fieldIdValue, id)).transform((id) => id as FieldId),
  color: z.unknown().optional().transform(readColour),
  yAxis: z
    .unknown()
    .optional()
    .transform((axis): YAxis | undefined => (['1', '2'].includes(String(axis)) ? (Number(axis) as YAxis) : undefined)),
})

/** A moment, or a date alone, which is its midnight in UTC (decisions: Calls). */
const momentSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
  .refine((at) => at >= EARLIEST && at <= LATEST)

const periodSchema = z
  .object({ dateFrom: momentSchema, dateTo: momentSchema })
  .refine(({ dateFrom, dateTo }) => dateFrom < dateTo)
  .transform(({ dateFrom, dateTo }): Period => ({ from: dateFrom, to: dateTo }))

const dataSchema = z.object({
  metric: z
    .unknown()
    .optional()
    .transform((metric): readonly WantedMetric[] => readMetrics(metric)),
  removeExisting: z
    .unknown()
    .optional()
    .transform((remove) => remove === true || remove === 'true'),
})

/** `undefined` when the address has no usable `data`. */
export function readRouteData(value: unknown): RouteData | undefined {
  const content = typeof value === 'string' ? parsed(value) : value
  const data = dataSchema.safeParse(content)
  if (!data.success) return undefined
  const period = periodSchema.safeParse(content)
  return {
    metrics: data.data.metric,
    removeExisting: data.data.removeExisting,
    ...(period.success ? { period: period.data } : {}),
  }
}

/** What `data` gave and cannot be drawn, in words. */
export function unreadInRouteData(value: unknown): readonly string[] {
  if (value === undefined) return []
  const content = typeof value === 'string' ? parsed(value) : value
  const data = z.record(z.string(), z.unknown()).safeParse(content).data
  if (!data) return unreadParameters({ data: value }, ['data'], {})
  const { metric: wanted } = data
  const metrics = wanted === undefined ? [] : Array.isArray(wanted) ? wanted : [wanted]
  const lost = metrics.length - readMetrics(metrics).length
  const { dateFrom, dateTo } = data
  const period = periodSchema.safeParse(data).success ? { dateFrom, dateTo } : {}
  return [
    ...(lost > 0 ? [`${lost} of ${metrics.length} metrics`] : []),
    ...(isReversed(data) ? [REVERSED_PERIOD] : unreadParameters(data, ['dateFrom', 'dateTo'], period)),
  ]
}

/** One metric or a list of them. */
export function readMetrics(value: unknown): readonly WantedMetric[] {
  const list = Array.isArray(value) ? value.slice(0, MOST_METRICS) : [value]
  return list.flatMap((one) => {
    const metric = metricSchema.safeParse(one)
    return metric.success ? [metric.data] : []
  })
}

export function readLooks(search: Search): AnalyticsLooks {
  const zoom = readZoom(search.zoom)
  return {
    stepMinutes: STEPS_MINUTES.find((step) => String(step) === String(search.step)) ?? DEFAULT_STEP_MINUTES,
    isAutoScaled: String(search.autoScale) !== 'false',
    hasBand: String(search.band) !== 'false',
    showsAlerts: String(search.alerts) !== 'false',
    showsPlanned: String(search.planned) !== 'false',
    view: search.view === 'table' ? 'table' : 'chart',
    ...(zoom ? { zoom } : {}),
  }
}

/** What is written is complete in itself, so a reload or a pasted link shows the same whatever was kept. */
export function writeRouteData(metrics: readonly MetricChoice[], period: Period) {
  return {
    dateFrom: period.from.toISOString(),
    dateTo: period.to.toISOString(),
    metric: metrics.map(({ deviceId, metricId, color, yAxis }) => ({ deviceId, metricId, color, yAxis })),
    removeExisting: true,
  }
}

/** Parameters of the looks; what is as usual is absent. */
export function writeLooks({
  stepMinutes,
  isAutoScaled,
  hasBand,
  showsAlerts,
  showsPlanned,
  view,
  zoom,
}: AnalyticsLooks): Search {
  return {
    step: stepMinutes === DEFAULT_STEP_MINUTES ? undefined : stepMinutes,
    autoScale: isAutoScaled ? undefined : false,
    band: hasBand ? undefined : false,
    alerts: showsAlerts ? undefined : false,
    planned: showsPlanned ? undefined : false,
    view: view === 'table' ? view : undefined,
    zoom: zoom ? `${zoom.from.toISOString()}/${zoom.to.toISOString()}` : undefined,
  }
}

/** P1 §9: beyond three days only the hour; the earlier choice is there again when the period is shortened. */
export function stepInUse(chosen: StepMinutes, { from, to }: Period): StepMinutes {
  return allowedStepsMinutes(from, to).includes(chosen) ? chosen : 60
}

function readZoom(value: unknown): Period | undefined {
  if (typeof value !== 'string') return undefined
  const [dateFrom, dateTo] = value.split('/')
  const zoom = periodSchema.safeParse({ dateFrom, dateTo })
  return zoom.success ? zoom.data : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
