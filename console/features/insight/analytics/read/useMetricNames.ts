import { useQueries } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import { callKey } from '#console/lib/call/useCall.ts'
import { type Device, getDeviceById } from '#contract/http/devices/devices.ts'
import { listMeasurements, type Measurement } from '#contract/http/insight/analytics.ts'
import { groupTitle, measurementName, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { MetricChoice } from './metricChoice.ts'

const NAMES_FRESH_MS = 5 * 60_000

/** Names come from the server by id, never from an address. */
export interface NamedMetric extends MetricChoice {
  readonly deviceName: string
  /** It is undefined until the device is loaded. */
  readonly deviceGuid?: string | undefined
  /** It joins group, name and unit, such as `Display 2 · Internal temperature (°C)`. */
  readonly metricName: string
  readonly unit: string | undefined
}

export function useMetricNames(metrics: readonly MetricChoice[]): readonly NamedMetric[] {
  const deviceIds = [...new Set(metrics.map(({ deviceId }) => deviceId))]
  const devices = useQueries({
    queries: deviceIds.map((id) => ({
      queryKey: callKey(getDeviceById, { id }),
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Device> => send(getDeviceById, { query: { id }, signal }),
      staleTime: NAMES_FRESH_MS,
    })),
  })
  const offered = useQueries({
    queries: deviceIds.map((deviceId) => ({
      queryKey: callKey(listMeasurements, { deviceId }),
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Measurement[]> =>
        send(listMeasurements, { query: { deviceId }, signal }),
      staleTime: NAMES_FRESH_MS,
    })),
  })
  return metrics.map((metric) => {
    const index = deviceIds.indexOf(metric.deviceId)
    const option = offered[index]?.data?.find(({ mea_id }) => mea_id === metric.metricId)
    return {
      ...metric,
      deviceGuid: devices[index]?.data?.guid,
      deviceName: devices[index]?.data?.name ?? (devices[index]?.isPending ? 'Loading…' : unnamed(metric.deviceId)),
      metricName: option ? `${groupTitle(option.mea_group)} · ${option.mea_name}` : nameInCatalogue(metric),
      unit: numberedFieldById(metric.metricId)?.field.unit,
    }
  })
}

const unnamed = (deviceId: DeviceId) => `Device ${deviceId}`

/** The catalogue names a measurement that the device's model no longer offers, or whose list is still loading. */
function nameInCatalogue({ metricId }: MetricChoice): string {
  const numbered = numberedFieldById(metricId)
  return numbered ? `${groupTitle(numbered.groupName)} · ${measurementName(numbered)}` : `Metric ${metricId}`
}
