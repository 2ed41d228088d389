import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import type { getDeviceStateAt } from '#contract/http/devices/status.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { notValid } from '#domain/validation/messages.ts'
import { readDarkPlace } from '#server/darkness/dayCounts.ts'
import type { Given } from '#server/features/feature.ts'
import { appliedSettings } from '#server/fleet/appliedSettings.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { readHourlyMeans } from '#server/telemetry/read/hourlyMeans.ts'
import { readStateAt } from '#server/telemetry/read/stateAt.ts'
import { readLastVisit, type Visit } from './deviceHealth.store.ts'
import { atHour, beforeHour } from './hourThen.ts'
import { lightThen, onBatteryThen } from './lightThen.ts'
import { type AlertThen, isBeyondReadings, readAlertsThen, readSettingsThen, wasOnline } from './stateThen.store.ts'
import { findFitted } from './status.store.ts'
import { type TileSources, tilesOf } from './tiles.ts'

/** Reads how a device was at a moment, from its readings or, when they are gone, from the means of its hours. */
export async function readPastState(
  pool: Given['pool'],
  now: Date,
  { deviceId, at: moment }: ReadQueryOf<typeof getDeviceStateAt>,
  scope: Scope,
): Promise<AnswerOf<typeof getDeviceStateAt>> {
  const at = readMoment(moment, now)
  const [device, isBeyond, readings, means, alerts, isOnline, visit, place, settings] = await Promise.all([
    foundRow(findFitted(pool, deviceId, scope)),
    isBeyondReadings(pool, at),
    readStateAt(pool, deviceId, at),
    readHourlyMeans(pool, deviceId, at),
    readAlertsThen(pool, deviceId, scope, at),
    wasOnline(pool, deviceId, at),
    readLastVisit(pool, deviceId, scope, at),
    readDarkPlace(pool, deviceId),
    readSettingsThen(pool, deviceId, scope, at),
  ])
  // Light is shown only to the customer of that time, as dark days are.
  const isTheirs = scope.kind === 'everything' || (settings.arrivedMs ?? 0) <= at.getTime()
  const light = isBeyond || !isTheirs ? undefined : await lightThen(pool, place, readings, at)
  const active = alerts.filter(({ isActive }) => isActive)
  const sources = isBeyond ? atHour(means, at) : { readings, means: beforeHour(means) }
  return {
    source: isBeyond ? ('HOURLY_MEANS' as const) : ('READINGS' as const),
    tiles: tilesOf(device, { ...sources, alerts: newestByField(active) }),
    isOnline: isOnline ?? null,
    light: light ?? null,
    isOnBattery: (isBeyond ? undefined : onBatteryThen(readings, at)) ?? null,
    settings: settings.applied.map(({ id, atMs, by, after }) => ({
      ...{ id, at: new Date(atMs).toISOString(), by },
      ...appliedSettings(after),
    })),
    alertsNow: active.length,
    alertsSeverityId: worstOf(active),
    alertsOver: alerts.length - active.length,
    lastVisit: visit ? visitOnWire(visit) : null,
  }
}

const worstOf = (alerts: readonly AlertThen[]) =>
  alerts.length > 0 ? Math.min(...alerts.map(({ severityId }) => severityId)) : null

/** The newest alert of a field comes first, so the reversed order lets it win. */
const newestByField = (active: readonly AlertThen[]): TileSources['alerts'] =>
  new Map(
    active
      .toReversed()
      .map(({ fieldId, id }) => [
        fieldId,
        { id, severityId: worstOf(active.filter((other) => other.fieldId === fieldId)) ?? 0 },
      ]),
  )

/** Clocks of browsers may be a little ahead. */
const AHEAD_MS = MINUTE_MS
const EARLIEST_MS = Date.UTC(2000)

/** @throws CallError `invalid_request` for a moment in the future, or before there were any devices */
function readMoment(text: string, now: Date): Date {
  const at = new Date(text)
  if (at.getTime() > now.getTime() + AHEAD_MS)
    throw new CallError('invalid_request', `${notValid('at')}: it has not been yet`)
  if (at.getTime() < EARLIEST_MS) throw new CallError('invalid_request', `${notValid('at')}: it is before 2000`)
  return at
}

export const visitOnWire = ({ id, startAt, endAt, comment, componentName }: Visit) => ({
  id,
  startDt: startAt.toISOString(),
  endDt: endAt?.toISOString() ?? null,
  comment,
  componentName,
})
