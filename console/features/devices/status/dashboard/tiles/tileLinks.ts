import type { Device } from '#contract/http/devices/devices.ts'
import type { TileMeasurement } from './tiles.ts'

const LAST_MS = 24 * 60 * 60 * 1000

/** It opens Analytics with this measurement alone, over the last 24 hours (rules/analytics 13). */
export function analyseData(
  device: Pick<Device, 'id' | 'name'>,
  { id, name, eventTypeId }: TileMeasurement,
  now: Date,
) {
  return {
    metric: { deviceId: device.id, deviceName: device.name, metricId: id, metricName: name, evTypeId: eventTypeId },
    dateFrom: new Date(now.getTime() - LAST_MS).toISOString(),
    dateTo: now.toISOString(),
    removeExisting: true,
  }
}
