import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { getPresentValues, MOST_PRESENT_VALUES, type PresentValue } from '#contract/http/insight/analytics.ts'
import { isClockField } from '#domain/alerts/conditionKinds.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'

export interface Watched {
  readonly deviceId: DeviceId
  readonly fieldId: FieldId
  readonly deviceHasLeft: boolean
}

export type PresentValues = (watched: Watched) => PresentValue | undefined

const keyOf = ({ deviceId, fieldId }: Pick<Watched, 'deviceId' | 'fieldId'>) => `${deviceId} ${fieldId}`

/**
 * It reads the current values that these alerts watch, for one page of them. A value is unknown while it loads; a user
 * who may not read it sees the alerts without it. The readings of a device that left stay with it.
 */
export function usePresentValues(alerts: readonly Watched[]): PresentValues {
  // Silence and darkness have no reading.
  const watched = new Map(
    alerts
      .filter(({ deviceHasLeft, fieldId }) => !deviceHasLeft && !isClockField(fieldId))
      .map((one) => [keyOf(one), one]),
  )
  // A fixed order keeps the query the same when rows change places.
  const asked = [...watched.values()]
    .sort((one, other) => one.deviceId - other.deviceId || one.fieldId - other.fieldId)
    .slice(0, MOST_PRESENT_VALUES)
  const { data } = useCall(
    getPresentValues,
    { devices: asked.map(({ deviceId }) => deviceId), fields: asked.map(({ fieldId }) => fieldId) },
    { enabled: asked.length > 0, refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true },
  )
  const known = new Map((asked.length > 0 ? data?.values : undefined)?.map((value) => [keyOf(value), value]))
  return (one) => (one.deviceHasLeft ? undefined : known.get(keyOf(one)))
}
