import type { AlertId, CustomerId, DeviceId } from '../ids.ts'
import { firstCause } from './foldIncidents.ts'
import type { Occurrence } from './occurrence.ts'

export interface SharedPart extends Occurrence {
  /** 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  /** Nobody has closed its alert, and it was not raised again since. */
  readonly isOpen: boolean
}

/** The part of an incident that its readers see. */
export interface Share {
  /** Null for the whole incident. */
  readonly customerId: CustomerId | null
  readonly beganMs: number
  /** Undefined while an alert is active. */
  readonly overMs: number | undefined
  /** The worst severity of the active alerts, or of all if none is active. */
  readonly severityId: number
  readonly alertCount: number
  readonly activeCount: number
  readonly openCount: number
  readonly deviceCount: number
  readonly placeCount: number
  /** The counts in its title: those of the active alerts, or of all if none is active. */
  readonly titleDeviceCount: number
  readonly titlePlaceCount: number
  readonly customerCount: number
  readonly causeDeviceId: DeviceId
  readonly causeAlertId: AlertId
}

/** Returns the whole incident, and each customer's part of it. */
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
  const active = parts.filter(({ overMs }) => overMs === undefined)
  // A resolved alert does not show the present severity or cause.
  const present = active.length > 0 ? active : parts
  const cause = firstCause(present)
  if (cause === undefined) return undefined
  const keyed = (wanted: (part: SharedPart) => boolean) =>
    new Set(parts.filter(wanted).map(({ deviceId, alertId }) => `${deviceId} ${alertId}`)).size
  return {
    customerId,
    beganMs: parts.reduce((first, { onsetMs }) => Math.min(first, onsetMs), cause.onsetMs),
    overMs: active.length > 0 ? undefined : parts.reduce((last, { overMs }) => Math.max(last, overMs ?? 0), 0),
    severityId: present.reduce((worst, { severityId }) => Math.min(worst, severityId), cause.severityId),
    alertCount: keyed(() => true),
    activeCount: keyed(({ overMs }) => overMs === undefined),
    openCount: keyed(({ isOpen }) => isOpen),
    deviceCount: new Set(parts.map(({ deviceId }) => deviceId)).size,
    placeCount: new Set(parts.map(placeOf)).size,
    titleDeviceCount: new Set(present.map(({ deviceId }) => deviceId)).size,
    titlePlaceCount: new Set(present.map(placeOf)).size,
    customerCount,
    causeDeviceId: cause.deviceId,
    causeAlertId: cause.alertId,
  }
}

/** Each device without a place counts as its own place. */
function placeOf({ place: { latitude, longitude, address }, deviceId }: SharedPart): string {
  if (address !== null) return address
  return latitude === null || longitude === null ? `${deviceId}` : `${latitude} ${longitude}`
}
