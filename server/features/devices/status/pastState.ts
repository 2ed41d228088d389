import type { z } from 'zod'
import {
  getDeviceDashboard,
  getDeviceHealth,
  getDeviceState,
  getDeviceStateAt,
  getReadingLimits,
} from '#contract/http/devices/status.ts'
import { unreportedComponents } from '#domain/components/unreported.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { DarkPlace } from '#server/darkness/dayCounts.ts'
import type { HolidaysOf } from '#server/darkness/pastLight.ts'
import { appliedSettings } from '#server/fleet/appliedSettings.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { type ClaimedReading, withClaimed } from '#server/telemetry/read/claimedReadings.ts'
import type { DeviceHealthStore, HealthComponent, ReadingLimit, RefusedStretch, Visit } from './deviceHealth.store.ts'
import { atHour, beforeHour } from './hourThen.ts'
import { lightThen, onBatteryThen } from './lightThen.ts'
import type { StateThenStore } from './stateThen.store.ts'
import type { DeviceStateStore } from './status.store.ts'
import { type FieldReading, type HourlyMeans, tilesOf } from './tiles.ts'

export interface DeviceStateDeps {
  readonly store: DeviceStateStore
  readonly health: DeviceHealthStore
  readonly now: () => Date
  readonly currentState: (deviceId: DeviceId) => Promise<readonly FieldReading[]>
  /** Reads recent reports of a device whose clock is not trusted. */
  readonly claimedNow: (deviceId: DeviceId) => Promise<readonly ClaimedReading[]>
  /** Lists the parts of which the device has ever reported. */
  readonly reportedParts: (
    deviceId: DeviceId,
  ) => Promise<readonly { readonly eventTypeId: number; readonly number: number }[]>
  /** Reads the means of 24 hours, including the hour of the moment. */
  readonly hourlyMeans: (deviceId: DeviceId, at: Date) => Promise<HourlyMeans>
  readonly past: StateThenStore
  readonly stateAt: (deviceId: DeviceId, at: Date) => Promise<readonly FieldReading[]>
  readonly darkPlace: (deviceId: DeviceId) => Promise<DarkPlace | undefined>
  readonly holidays: HolidaysOf
}

export function deviceStateRoutes({
  store,
  health,
  now,
  currentState,
  claimedNow,
  reportedParts,
  hourlyMeans,
  past,
  stateAt,
  darkPlace,
  holidays,
}: DeviceStateDeps): readonly Route[] {
  async function fitted(deviceId: DeviceId, caller: Caller) {
    const device = await store.find(deviceId, scopeOf(caller))
    if (!device) throw notFound()
    return device
  }

  return [
    route(getDeviceState, async ({ query, caller }) => {
      const [, readings] = await Promise.all([fitted(query.deviceId, caller), currentState(query.deviceId)])
      return flatRecord(readings)
    }),
    route(getDeviceDashboard, async ({ query, caller }) => {
      const [device, readings, claimed, means, alerts] = await Promise.all([
        fitted(query.deviceId, caller),
        currentState(query.deviceId),
        claimedNow(query.deviceId),
        hourlyMeans(query.deviceId, now()),
        store.activeAlerts(query.deviceId),
      ])
      return tilesOf(device, { readings: withClaimed(readings, claimed), means, alerts })
    }),
    route(getDeviceHealth, async ({ query: { deviceId }, caller }) => {
      const scope = scopeOf(caller)
      const [, limits, alerts, visit, components, reported, refused] = await Promise.all([
        fitted(deviceId, caller),
        health.limits(deviceId),
        health.openAlerts(deviceId, scope),
        health.lastVisit(deviceId, scope, now()),
        health.components(deviceId),
        reportedParts(deviceId),
        health.refused(deviceId, now()),
      ])
      return {
        limits: limits.map(limitOnWire),
        alertsNow: alerts.now,
        alertsOver: alerts.over,
        lastVisit: visit ? visitOnWire(visit) : null,
        unreported: unreportedComponents(components, reported).map(unreportedOnWire),
        refused: refused ? refusedOnWire(refused) : null,
      }
    }),
    route(getReadingLimits, async ({ query: { deviceId }, caller }) => {
      const [, limits] = await Promise.all([fitted(deviceId, caller), health.limits(deviceId)])
      return limits.map(limitOnWire)
    }),
    route(getDeviceStateAt, async ({ query, caller }) => {
      const { deviceId } = query
      const [scope, at] = [scopeOf(caller), readMoment(query.at, now())]
      const [device, isBeyond, readings, means, alerts, isOnline, visit, place, settings] = await Promise.all([
        fitted(deviceId, caller),
        past.isBeyondReadings(at),
        stateAt(deviceId, at),
        hourlyMeans(deviceId, at),
        past.alertsOpen(deviceId, scope, at),
        past.isOnline(deviceId, at),
        health.lastVisit(deviceId, scope, at),
        darkPlace(deviceId),
        past.settings(deviceId, scope, at),
      ])
      // Light is shown only to the customer of that time, as dark days are.
      const isTheirs = scope.kind === 'everything' || (settings.arrivedMs ?? 0) <= at.getTime()
      const light = isBeyond || !isTheirs ? undefined : await lightThen(place, readings, at, holidays)
      const active = alerts.filter(({ isActive }) => isActive)
      const sources = isBeyond ? atHour(means, at) : { readings, means: beforeHour(means) }
      // The newest alert of a field comes first, so the reversed order lets it win.
      const marked = new Map(active.toReversed().map(({ fieldId, id }) => [fieldId, id]))
      return {
        source: isBeyond ? ('HOURLY_MEANS' as const) : ('READINGS' as const),
        tiles: tilesOf(device, { ...sources, alerts: marked }),
        isOnline: isOnline ?? null,
        light: light ?? null,
        isOnBattery: (isBeyond ? undefined : onBatteryThen(readings, at)) ?? null,
        settings: settings.applied.map(({ id, atMs, by, after }) => ({
          ...{ id, at: new Date(atMs).toISOString(), by },
          ...appliedSettings(after),
        })),
        alertsNow: active.length,
        alertsOver: alerts.length - active.length,
        lastVisit: visit ? visitOnWire(visit) : null,
      }
    }),
  ]
}

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

const limitOnWire = ({ fieldId, operator, value, text }: ReadingLimit) => ({
  field_id: fieldId,
  operatorCode: operator,
  value,
  conditionText: text,
})

const unreportedOnWire = ({ id: componentId, componentModelId: modelId, number, label }: HealthComponent) => ({
  ...{ componentId, modelId, number, label },
})

const visitOnWire = ({ id, startAt, endAt, comment, componentName }: Visit) => ({
  id,
  startDt: startAt.toISOString(),
  endDt: endAt?.toISOString() ?? null,
  comment,
  componentName,
})

const refusedOnWire = ({ since, lastAt, payload, ...rest }: RefusedStretch) => ({
  ...rest,
  since: since.toISOString(),
  lastAt: lastAt.toISOString(),
  payload: payload.toString('utf8'),
})

/** Lists every known value under its wire name, and their newest device time. */
function flatRecord(readings: readonly FieldReading[]): z.input<(typeof getDeviceState)['answer']> {
  const newestAt = readings.reduce<Date | undefined>(
    (newest, { at }) => (newest && newest > at ? newest : at),
    undefined,
  )
  const values = readings.map(({ numbered, value }): [string, number | string] => [numbered.wireName, value])
  return Object.assign(Object.fromEntries(values), { device_dt: newestAt?.toISOString() ?? null })
}
