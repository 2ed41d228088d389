import type { z } from 'zod'
import { getDeviceDashboard, getDeviceHealth, getDeviceState } from '#contract/http/deviceState.ts'
import type { DeviceId } from '#domain/ids.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DeviceHealthStore, Visit } from './deviceHealth.store.ts'
import type { DeviceStateStore } from './deviceState.store.ts'
import { type FieldReading, type HourlyMeans, tilesOf } from './tiles.ts'

export interface DeviceStateNeeds {
  readonly store: DeviceStateStore
  readonly health: DeviceHealthStore
  readonly now: () => Date
  readonly currentState: (deviceId: DeviceId) => Promise<readonly FieldReading[]>
  readonly hourlyMeans: (deviceId: DeviceId) => Promise<HourlyMeans>
}

export function deviceStateRoutes({
  store,
  health,
  now,
  currentState,
  hourlyMeans,
}: DeviceStateNeeds): readonly Route[] {
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
      const [device, readings, means, alerts] = await Promise.all([
        fitted(query.deviceId, caller),
        currentState(query.deviceId),
        hourlyMeans(query.deviceId),
        store.activeAlerts(query.deviceId),
      ])
      return tilesOf(device, { readings, means, alerts })
    }),
    route(getDeviceHealth, async ({ query: { deviceId }, caller }) => {
      const scope = scopeOf(caller)
      const [, limits, alerts, visit] = await Promise.all([
        fitted(deviceId, caller),
        health.limits(deviceId),
        health.openAlerts(deviceId, scope),
        health.lastVisit(deviceId, scope, now()),
      ])
      return {
        limits: limits.map(({ fieldId, operator, value, text }) => ({
          field_id: fieldId,
          operatorCode: operator,
          value,
          conditionText: text,
        })),
        alertsNow: alerts.now,
        alertsOver: alerts.over,
        lastVisit: visit ? visitOnWire(visit) : null,
      }
    }),
  ]
}

const visitOnWire = ({ id, startAt, endAt, comment, componentName }: Visit) => ({
  id,
  startDt: startAt.toISOString(),
  endDt: endAt?.toISOString() ?? null,
  comment,
  componentName,
})

/** Every known value under its wire name, and the newest device time of them. */
function flatRecord(readings: readonly FieldReading[]): z.input<(typeof getDeviceState)['answer']> {
  const newestAt = readings.reduce<Date | undefined>(
    (newest, { at }) => (newest && newest > at ? newest : at),
    undefined,
  )
  const values = readings.map(({ numbered, value }): [string, number | string] => [numbered.wireName, value])
  return Object.assign(Object.fromEntries(values), { device_dt: newestAt?.toISOString() ?? null })
}
