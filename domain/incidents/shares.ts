import type { AlertId, CustomerId, DeviceId } from '../ids.ts'
import { firstCause } from './foldIncidents.ts'
import type { Occurrence } from './occurrence.ts'

/** What a share is made of. */
export interface SharedPart extends Occurrence {
  /** 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  /** Nobody has closed its alert, and it was not raised again since. */
  readonly isOpen: boolean
}

/** What of an incident its readers see. */
export interface Share {
  /** Null: all of it. */
  readonly customerId: CustomerId | null
  readonly beganMs: number
  /** Undefined while an alert is active. */
  readonly overMs: number | undefined
  readonly severityId: number
  readonly alertCount: number
  readonly activeCount: number
  readonly openCount: number
  readonly deviceCount: number
  readonly placeCount: number
  readonly customerCount: number
  readonly causeDeviceId: DeviceId
  readonly causeAlertId: AlertId
}

/** All of an incident, and what each customer has of it. */
export function sharesOf(parts: readonly SharedPart[]): Share[] {
  const ofCustomers = Map.groupBy(parts, ({ customerId }) => customerId)
  return [
    shareOf(null, parts, ofCustomers.size),
    ...[...ofCustomers].map(([customerId, own]) => shareOf(customerId, own, ofCustomers.size)),
  ].filter((share) => share !== undefined)
}

function shareOf(
  customerId: CustomerId | null,
  parts: readonly SharedPart[],
  customerCount: number,
): Share | undefined {
  const cause = firstCause(parts)
  if (cause === undefined) return undefined
  const keyed = (wanted: (part: SharedPart) => boolean) =>
    new Set(parts.filter(wanted).map(({ deviceId, alertId }) => `${deviceId} ${alertId}`)).size
  const lasts = parts.some(({ overMs }) => overMs === undefined)
  return {
    customerId,
    beganMs: parts.reduce((first, { onsetMs }) => Math.min(first, onsetMs), cause.onsetMs),
    overMs: lasts ? undefined : parts.reduce((last, { overMs }) => Math.max(last, overMs ?? 0), 0),
    severityId: parts.reduce((worst, { severityId }) => Math.min(worst, severityId), cause.severityId),
    alertCount: keyed(() => true),
    activeCount: keyed(({ overMs }) => overMs === undefined),
    openCount: keyed(({ isOpen }) => isOpen),
    deviceCount: new Set(parts.map(({ deviceId }) => deviceId)).size,
    placeCount: new Set(parts.map(placeOf)).size,
    customerCount,
    causeDeviceId: cause.deviceId,
    causeAlertId: cause.alertId,
  }
}

/** Devices without any place stand each at their own. */
function placeOf({ place: { latitude, longitude, address }, deviceId }: SharedPart): string {
  if (address !== null) return address
  return latitude === null || longitude === null ? `${deviceId}` : `${latitude} ${longitude}`
}
