import { z } from 'zod'
import {
  checkClientUpdate,
  createClientUpdate,
  getClientUpdate,
  getDeviceClient,
  leaveOutOfUpdate,
  listClientUpdates,
  listUpdatedDevices,
  pauseClientUpdate,
  previewClientUpdate,
  resumeClientUpdate,
  retryFailedUpdates,
  stopClientUpdate,
  updateClientVersion,
} from '#contract/http/software/rollouts.ts'
import { notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import type { DeviceClientStore } from './deviceClient.store.ts'
import type { ProgressStore } from './progress.store.ts'
import type { ClientUpdateService } from './rollouts.service.ts'

const PAGE_SIZE = 50

const updateKey = z.strictObject({ id: z.int32() })
const deviceKey = z.strictObject({ wave: z.int32(), name: z.string(), id: z.int32() })

export const clientUpdateRoutes = (
  updates: ClientUpdateService,
  progress: ProgressStore,
  deviceClients: DeviceClientStore,
): readonly Route[] => [
  route(updateClientVersion, ({ body, caller, change }) => updates.updateToNewest(body, caller, change)),
  route(checkClientUpdate, ({ body, caller }) => updates.checkNewest(body.deviceIds, caller)),

  route(getDeviceClient, async ({ query, caller }) => {
    const found = await deviceClients.find(query.deviceId, scopeOf(caller))
    if (!found) throw notFound()
    return found
  }),

  route(listClientUpdates, ({ query }) =>
    readPage(
      askedPage(query, PAGE_SIZE, (key) => readPageKey(key, updateKey)),
      progress.list,
      ({ id }) => ({ id }),
    ),
  ),

  route(getClientUpdate, async ({ query }) => {
    const found = await progress.find(query.id)
    if (!found) throw notFound()
    return found
  }),

  route(listUpdatedDevices, async ({ query: { id, state, wave, ...paging } }) => {
    const page = askedPage(paging, PAGE_SIZE, (key) => readPageKey(key, deviceKey))
    return progress.snapshot(async (transaction) => {
      const update = await progress.find(id, transaction)
      if (!update) throw notFound()
      const { rows, next } = await readPage(
        page,
        (asked) => progress.devices({ rolloutId: id, state, wave }, asked, transaction),
        ({ key }) => key,
      )
      return { update, rows: rows.map(({ device }) => device), next }
    })
  }),

  route(previewClientUpdate, ({ body, caller }) => updates.preview(body, caller)),
  route(createClientUpdate, ({ body, caller, change }) => updates.create(body, caller, change)),
  route(pauseClientUpdate, ({ body, caller, change }) => updates.pause(body.id, caller, change)),
  route(resumeClientUpdate, ({ body, caller, change }) => updates.resume(body.id, caller, change)),
  route(stopClientUpdate, ({ body, caller, change }) => updates.stop(body.id, caller, change)),
  route(leaveOutOfUpdate, ({ body, caller, change }) => updates.leaveOut(body.id, body.deviceId, caller, change)),
  route(retryFailedUpdates, ({ body, caller, change }) => updates.retryFailed(body.id, caller, change)),
]
