import { useMemo } from 'react'
import { useMay } from '#console/lib/call/session.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { type DeviceTimeline, getDeviceTimeline, LONGEST_TIMELINE_DAYS } from '#contract/http/deviceRecords.ts'
import type { DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { lanesOf, type TimelineLane } from './lanes.ts'

export interface ShownDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly modelId: DeviceModelId
}

const NONE: readonly TimelineLane[] = []

/** What happened with a device in a period; of a longer one than is answered, the newest part. */
export function useTimeline({ id, guid, modelId }: ShownDevice, { from, to }: Period) {
  const firstMs = Math.max(from.getTime(), to.getTime() - LONGEST_TIMELINE_DAYS * DAY_MS)
  const query = { deviceId: id, dateFrom: new Date(firstMs).toISOString(), dateTo: to.toISOString() }
  const result = useCall(getDeviceTimeline, query, { keepsPrevious: true })
  const mayManage = useMay('deviceManager')
  const mayUpdate = useMay('staffAdmin')
  const lanes = useMemo(
    () => (result.data ? lanesOf(result.data as DeviceTimeline, { guid, modelId }, { mayManage, mayUpdate }) : NONE),
    [result.data, guid, modelId, mayManage, mayUpdate],
  )
  return { result, lanes }
}
