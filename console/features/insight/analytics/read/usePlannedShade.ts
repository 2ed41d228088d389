import { useMemo } from 'react'
import { usePlannedDarkness } from '#console/deviceParts/plannedDarkness.ts'
import type { ChartShade } from '#console/ui/chart/useChartShade.ts'
import type { Period } from '#console/ui/filter/period.ts'
import type { MetricChoice } from './metricChoice.ts'

/** When darkness was planned, of the one device of a chart: of several it would differ, and a shade belongs to none. */
export function usePlannedShade(metrics: readonly MetricChoice[], period: Period, isOn: boolean) {
  const devices = new Set(metrics.map(({ deviceId }) => deviceId))
  const [only] = devices
  const hasOneDevice = devices.size === 1
  const spans = usePlannedDarkness(hasOneDevice && isOn ? only : undefined, period)
  const shade = useMemo((): ChartShade => ({ name: 'Planned dark', spans }), [spans])
  return { hasOneDevice, shade: isOn && hasOneDevice ? shade : undefined }
}
