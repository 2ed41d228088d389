import {
  changeDeviceTags,
  deleteDevice,
  getTimeZoneAt,
  renewDeviceKey,
  setDeviceDetails,
  setDeviceStatus,
} from '#contract/http/devices/details.ts'
import { createDevice, downloadConfiguration, getDevice, getDeviceById } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import { settleDevices } from '#server/darkness/sums/darkSums.ts'
import type { Given, LiveReaders } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { deletedDevicesJob } from '#server/fleet/deletedDevices.ts'
import { zoneAt } from '#server/fleet/timeZone.ts'
import { type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { fileRoute, route, type SignedInRequest } from '#server/http/call/route.ts'
import { changeTags, setDetails, setStatus } from './changeDetails.ts'
import { addDevice } from './createDevice.ts'
import { readDeviceEvents, readVisible } from './deviceEvents.store.ts'
import { downloadKey, type KeyDeps, renewKey } from './deviceKeys.ts'
import { findDevice, findDeviceByGuid, lockWithDetails, markDeleted } from './devices.store.ts'

type Deps = Pick<Given, 'log' | 'clock' | 'live'> & KeyDeps

export function deviceDetailsFeature(deps: Deps) {
  const { db, log, clock } = deps
  const readDevices: LiveReaders['readDevices'] = (scope, deviceIds) => readDeviceEvents(db, scope, deviceIds)
  const visibleDevices = (scope: Scope, deviceIds: readonly DeviceId[]) => readVisible(db, scope, deviceIds)
  return {
    routes: [
      route(getDevice, ({ query, caller }) => foundRow(findDeviceByGuid(db, query.guid, scopeOf(caller)))),
      route(getDeviceById, ({ query, caller }) => foundRow(findDevice(db, query.id, scopeOf(caller)))),
      route(createDevice, (request) => addDevice(db, request)),
      route(setDeviceDetails, ({ body, caller, change }) => setDetails(deps, body, caller, change)),
      route(changeDeviceTags, ({ body, caller, change }) => changeTags(deps, body, caller, change)),
      route(setDeviceStatus, ({ query, caller, change }) => setStatus(deps, query, caller, change)),
      route(deleteDevice, (request) => removeDevice(deps, request)),
      route(getTimeZoneAt, ({ query }) => ({ timeZone: zoneAt(query.latitude, query.longitude) })),
      fileRoute(downloadConfiguration, ({ query, caller, change }) => downloadKey(deps, query.id, caller, change)),
      fileRoute(renewDeviceKey, ({ body, caller, change }) => renewKey(deps, body.id, caller, change)),
    ],
    jobs: [clock.deleting(deletedDevicesJob({ log, takeOut: settleDevices }))],
    liveReaders: { readDevices },
    visibleDevices,
  }
}

/** Deletes a device. It disappears at once and its readings soon; the audit log keeps what it was (rules/devices 7). */
async function removeDevice(
  { db, live, closeRevoked }: Deps,
  { query: { id }, caller, change }: SignedInRequest<typeof deleteDevice>,
): Promise<true> {
  await changeDevice(db, lockWithDetails, { id, caller, change }, async (found, transaction) => {
    await markDeleted(transaction, id, caller.userId)
    const { connStatusId: _, lastEvent: __, activeAlerts: ___, worstAlert: ____, ...before } = found
    return { audited: { before }, answer: true }
  })
  closeRevoked()
  live.noteChanged(id)
  return true
}
