import type { z } from 'zod'
import type { AnswerOf } from '#contract/call/call.ts'
import {
  getDeviceDashboard,
  getDeviceHealth,
  getDeviceState,
  getDeviceStateAt,
  getReadingLimits,
} from '#contract/http/devices/status.ts'
import { unreportedComponents } from '#domain/components/unreported.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Given, LiveReaders } from '#server/features/feature.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { readClaimedReadings, withClaimed } from '#server/telemetry/read/claimedReadings.ts'
import { readHourlyMeans } from '#server/telemetry/read/hourlyMeans.ts'
import { readComponentStates, readCurrentState, readCurrentStates } from '#server/telemetry/state/currentState.ts'
import {
  countOpenAlerts,
  type HealthComponent,
  listHealthComponents,
  type ReadingLimit,
  type RefusedStretch,
  readLastVisit,
  readLimits,
  readRefused,
} from './deviceHealth.store.ts'
import { readPastState, visitOnWire } from './pastState.ts'
import { findFitted, readActiveAlerts } from './status.store.ts'
import { type FieldReading, tilesOf } from './tiles.ts'

type Deps = Pick<Given, 'pool' | 'clock'>

export function deviceStatusFeature(deps: Deps) {
  const { pool, clock } = deps
  const readStates: LiveReaders['readStates'] = async (scope, deviceIds) =>
    [...(await readCurrentStates(pool, scope, deviceIds))].map(([deviceId, readings]) => ({
      deviceId,
      values: readings.map(({ numbered, value, at }) => ({
        field_id: numbered.id,
        field_value: value,
        value_dt: at.toISOString(),
      })),
    }))
  const fitted = (deviceId: DeviceId, caller: Caller) => foundRow(findFitted(pool, deviceId, scopeOf(caller)))
  return {
    routes: [
      route(getDeviceState, async ({ query: { deviceId }, caller }) => {
        const [, readings] = await Promise.all([fitted(deviceId, caller), readCurrentState(pool, deviceId)])
        return flatRecord(readings)
      }),
      route(getDeviceDashboard, async ({ query: { deviceId }, caller }) => {
        const now = clock.now()
        const [device, readings, claimed, means, alerts] = await Promise.all([
          fitted(deviceId, caller),
          readCurrentState(pool, deviceId),
          readClaimedReadings(pool, deviceId, now),
          readHourlyMeans(pool, deviceId, now),
          readActiveAlerts(pool, deviceId),
        ])
        return tilesOf(device, { readings: withClaimed(readings, claimed), means, alerts })
      }),
      route(getDeviceHealth, ({ query, caller }) => health(deps, query.deviceId, caller)),
      route(getReadingLimits, async ({ query: { deviceId }, caller }) => {
        const [, limits] = await Promise.all([fitted(deviceId, caller), readLimits(pool, deviceId)])
        return limits.map(limitOnWire)
      }),
      route(getDeviceStateAt, ({ query, caller }) => readPastState(pool, clock.now(), query, scopeOf(caller))),
    ],
    liveReaders: { readStates },
  }
}

async function health(
  { pool, clock }: Deps,
  deviceId: DeviceId,
  caller: Caller,
): Promise<AnswerOf<typeof getDeviceHealth>> {
  const scope = scopeOf(caller)
  const now = clock.now()
  const reportedParts = readComponentStates(pool, { kind: 'everything' }, [deviceId], { isWanted: () => false })
  const [, limits, alerts, visit, components, reported, refused] = await Promise.all([
    foundRow(findFitted(pool, deviceId, scope)),
    readLimits(pool, deviceId),
    countOpenAlerts(pool, deviceId, scope),
    readLastVisit(pool, deviceId, scope, now),
    listHealthComponents(pool, deviceId),
    reportedParts,
    readRefused(pool, deviceId, now),
  ])
  return {
    limits: limits.map(limitOnWire),
    alertsNow: alerts.now,
    alertsSeverityId: alerts.severityId,
    alertsOver: alerts.over,
    lastVisit: visit ? visitOnWire(visit) : null,
    unreported: unreportedComponents(components, reported.get(deviceId) ?? []).map(unreportedOnWire),
    refused: refused ? refusedOnWire(refused) : null,
  }
}

const limitOnWire = ({ fieldId, operator, value, text, severityId }: ReadingLimit) => ({
  field_id: fieldId,
  operatorCode: operator,
  value,
  conditionText: text,
  severityId,
})

const unreportedOnWire = ({ id: componentId, componentModelId: modelId, number, label }: HealthComponent) => ({
  ...{ componentId, modelId, number, label },
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
