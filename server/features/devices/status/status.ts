import type { DeviceId } from '#domain/ids.ts'
import { holidayReader, readDarkPlaces } from '#server/darkness/dayCounts.ts'
import type { Given, LiveReaders } from '#server/features/feature.ts'
import { readClaimedReadings } from '#server/telemetry/read/claimedReadings.ts'
import { readHourlyMeans } from '#server/telemetry/read/hourlyMeans.ts'
import { readStateAt } from '#server/telemetry/read/stateAt.ts'
import { readComponentStates, readCurrentState, readCurrentStates } from '#server/telemetry/state/currentState.ts'
import { createDeviceHealthStore } from './deviceHealth.store.ts'
import { createStateThenStore } from './stateThen.store.ts'
import { deviceStateRoutes } from './status.routes.ts'
import { createDeviceStateStore } from './status.store.ts'

export function deviceStateFeature({ pool, clock }: Pick<Given, 'pool' | 'clock'>) {
  const readStates: LiveReaders['readStates'] = async (scope, deviceIds) =>
    [...(await readCurrentStates(pool, scope, deviceIds))].map(([deviceId, readings]) => ({
      deviceId,
      values: readings.map(({ numbered, value, at }) => ({
        field_id: numbered.id,
        field_value: value,
        value_dt: at.toISOString(),
      })),
    }))
  return {
    routes: deviceStateRoutes({
      store: createDeviceStateStore(pool),
      health: createDeviceHealthStore(pool),
      now: clock.now,
      currentState: (deviceId: DeviceId) => readCurrentState(pool, deviceId),
      claimedNow: (deviceId: DeviceId) => readClaimedReadings(pool, deviceId, clock.now()),
      reportedParts: async (deviceId: DeviceId) =>
        (await readComponentStates(pool, { kind: 'everything' }, [deviceId], { isWanted: () => false })).get(
          deviceId,
        ) ?? [],
      hourlyMeans: (deviceId: DeviceId, at: Date) => readHourlyMeans(pool, deviceId, at),
      past: createStateThenStore(pool),
      stateAt: (deviceId: DeviceId, at: Date) => readStateAt(pool, deviceId, at),
      darkPlace: async (deviceId) => (await readDarkPlaces(pool, [deviceId])).get(deviceId),
      holidays: ({ country }, first, last) => holidayReader(pool, first, last)(country),
    }),
    liveReaders: { readStates },
  }
}
