import { useMemo } from 'react'
import { usePlannedDarkness } from '#console/deviceParts/plannedDarkness.ts'
import type { ChartShade } from '#console/ui/chart/useChartShade.ts'
import type { Period } from '#console/ui/filter/period.ts'
import type { MetricChoice } from './metricChoice.ts'

/** Planned darkness is shaded only in the chart of one device, because that of several would differ. */
export function usePlannedShade(metrics: readonly MetricChoice[], period: Period, isOn: boolean) {
  const devices = new Set(metrics.map(({ deviceId }) => deviceId))
  const [only] = devices
  const hasOneDevice = devices.size === 1
  const spans = usePlannedDarkness(hasOneDevice && isOn ? only : undefined, period)
  const shade = useMemo((): ChartShade => ({ name: 'Planned dark', spans }), [spans])
  return { hasOneDevice, shade: isOn && hasOneDevice ? shade : undefined }
}
