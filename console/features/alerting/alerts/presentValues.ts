import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { getPresentValues, MOST_PRESENT_VALUES, type PresentValue } from '#contract/http/insight/analytics.ts'
import { isClockField } from '#domain/alerts/conditionKinds.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'

/** What an alert watches. */
export interface Watched {
  readonly deviceId: DeviceId
  readonly fieldId: FieldId
  readonly deviceHasLeft: boolean
}

export type PresentValues = (watched: Watched) => PresentValue | undefined

const keyOf = ({ deviceId, fieldId }: Pick<Watched, 'deviceId' | 'fieldId'>) => `${deviceId} ${fieldId}`

/**
 * What devices report now of what these alerts watch, for one page of them. Unknown while it is not known: whoever cannot
 * read it sees the alerts without it. Readings stay with a device that left.
 */
export function usePresentValues(alerts: readonly Watched[]): PresentValues {
  // Of silence and darkness there is no reading to ask for.
  const watched = new Map(
    alerts
      .filter(({ deviceHasLeft, fieldId }) => !deviceHasLeft && !isClockField(fieldId))
      .map((one) => [keyOf(one), one]),
  )
  // In one order, so that rows that change places ask nothing new.
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
