import { type MetricColour, nextColour } from '#console/ui/chart/series/metricColours.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'

export type YAxis = 1 | 2

/** It has no names, because anybody may write an address: they are read again by id (rules/addresses 7). */
export interface MetricChoice {
  readonly deviceId: DeviceId
  readonly metricId: FieldId
  readonly color: MetricColour
  readonly yAxis: YAxis
  readonly isHidden?: true
}

/** Defaults replace what a requested metric leaves out. */
export type WantedMetric = Pick<MetricChoice, 'deviceId' | 'metricId'> & {
  readonly [Key in 'color' | 'yAxis']?: MetricChoice[Key] | undefined
} & Pick<MetricChoice, 'isHidden'>

/** Anybody may write a number into an address, but only fields of the catalogue can be read. */
export const isMeasurement = ({ metricId }: Pick<MetricChoice, 'metricId'>): boolean =>
  numberedFieldById(metricId)?.field.isMeasurement === true

/** More lines cannot be told apart, and an address must not cause thousands of calls. */
export const MOST_METRICS = 20

export function metricKey({ deviceId, metricId }: WantedMetric): string {
  return `${deviceId}-${metricId}`
}

/** Adding a metric that is there already changes nothing (rules/analytics 3). */
export function withMetric(metrics: readonly MetricChoice[], wanted: WantedMetric): readonly MetricChoice[] {
  if (hasMetric(metrics, wanted) || metrics.length >= MOST_METRICS) return metrics
  return [...metrics, completed(metrics, wanted)]
}

export function withMetrics(metrics: readonly MetricChoice[], wanted: readonly WantedMetric[]) {
  return wanted.reduce(withMetric, metrics)
}

/** The result takes the place of the edited metric; an equal metric elsewhere in the list is removed. */
export function withEdited(
  metrics: readonly MetricChoice[],
  before: MetricChoice,
  after: WantedMetric,
): readonly MetricChoice[] {
  const keyBefore = metricKey(before)
  const keyAfter = metricKey(after)
  return metrics
    .filter((metric) => metricKey(metric) === keyBefore || metricKey(metric) !== keyAfter)
    .map((metric) => (metricKey(metric) === keyBefore ? completed(metrics, after) : metric))
}

export function withoutMetric(metrics: readonly MetricChoice[], removed: MetricChoice): readonly MetricChoice[] {
  return metrics.filter((metric) => metricKey(metric) !== metricKey(removed))
}

export function hasMetric(metrics: readonly MetricChoice[], wanted: WantedMetric): boolean {
  return metrics.some((metric) => metricKey(metric) === metricKey(wanted))
}

/** Exactly the metrics whose keys are in `hidden` are not drawn. */
export function withHidden(metrics: readonly MetricChoice[], hidden: ReadonlySet<string>): readonly MetricChoice[] {
  return metrics.map(({ isHidden: _before, ...metric }) =>
    hidden.has(metricKey(metric)) ? { ...metric, isHidden: true } : metric,
  )
}

function completed(metrics: readonly MetricChoice[], wanted: WantedMetric): MetricChoice {
  const { deviceId, metricId, color, yAxis, isHidden } = wanted
  return {
    deviceId,
    metricId,
    color: color ?? nextColour(metrics.map((metric) => metric.color)),
    yAxis: yAxis ?? 1,
    ...(isHidden && { isHidden }),
  }
}
