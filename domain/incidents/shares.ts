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
  /** Of the worst alert that is active; of all where none is. */
  readonly severityId: number
  readonly alertCount: number
  readonly activeCount: number
  readonly openCount: number
  readonly deviceCount: number
  readonly placeCount: number
  /** Of the alerts that its title is about: those that are active, or all where none is. */
  readonly titleDeviceCount: number
  readonly titlePlaceCount: number
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
  const active = parts.filter(({ overMs }) => overMs === undefined)
  // What is over says nothing of how bad it is now, or what it is.
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

/** Devices without any place stand each at their own. */
function placeOf({ place: { latitude, longitude, address }, deviceId }: SharedPart): string {
  if (address !== null) return address
  return latitude === null || longitude === null ? `${deviceId}` : `${latitude} ${longitude}`
}
