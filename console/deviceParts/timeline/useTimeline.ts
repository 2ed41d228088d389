import { useMemo } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import type { Period } from '#console/ui/filter/period.ts'
import {
  type DeviceTimeline,
  getDeviceTimeline,
  getSiteTimeline,
  LONGEST_SITE_DAYS,
  LONGEST_TIMELINE_DAYS,
} from '#contract/http/devices/records.ts'
import type { DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import {
  type LaneGroup,
  lanesOf,
  summaryOf,
  type TimelineLane,
  type TimelineRights,
  type WordsOfCommands,
} from './lanes.ts'

export interface ShownDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly modelId: DeviceModelId
}

const NONE: readonly TimelineLane[] = []

function useRights(): TimelineRights {
  const maySee = useMay('seeDevices')
  const maySet = useMay('deviceManager')
  const mayUpdate = useMay('staffAdmin')
  return useMemo(() => ({ maySee, maySet, mayUpdate }), [maySee, maySet, mayUpdate])
}

/**
 * It reads what happened in a period; of one longer than the server answers it reads the newest part.
 *
 * @param wordsOf without it there are no lanes of commands and settings
 */
export function useTimeline({ id, guid, modelId }: ShownDevice, period: Period, wordsOf?: WordsOfCommands) {
  const query = { deviceId: id, ...newestOf(period, LONGEST_TIMELINE_DAYS) }
  const result = useCall(getDeviceTimeline, query, { keepsPrevious: true })
  const rights = useRights()
  const lanes = useMemo(
    () => (result.data ? lanesOf(result.data as DeviceTimeline, { guid, modelId }, rights, wordsOf) : NONE),
    [result.data, guid, modelId, rights, wordsOf],
  )
  return { result, lanes }
}

const NO_GROUPS: readonly LaneGroup[] = []

export function useSiteTimeline(deviceId: DeviceId, period: Period, wordsOf: WordsOfCommands) {
  const query = { deviceId, ...newestOf(period, LONGEST_SITE_DAYS) }
  const result = useCall(getSiteTimeline, query, { keepsPrevious: true })
  const rights = useRights()
  const groups = useMemo(
    () =>
      result.data?.devices.map(({ guid, name, modelId, lanes: answered }): LaneGroup => {
        const lanes = lanesOf(answered as DeviceTimeline, { guid, modelId }, rights, wordsOf)
        return { guid, name, lanes, summary: summaryOf(name, lanes) }
      }) ?? NO_GROUPS,
    [result.data, rights, wordsOf],
  )
  return { result, groups, leftOut: result.data?.leftOut ?? 0 }
}

function newestOf({ from, to }: Period, days: number) {
  const firstMs = Math.max(from.getTime(), to.getTime() - days * DAY_MS)
  return { dateFrom: new Date(firstMs).toISOString(), dateTo: to.toISOString() }
}
