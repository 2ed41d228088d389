import { z } from 'zod'
import type { ReadQueryOf } from '#contract/call/call.ts'
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
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { clientRolloutsJob } from '#server/rollouts/clientRollouts.ts'
import { findDeviceClient } from './deviceClient.store.ts'
import { checkNewest, createRollout, previewRollout, updateToNewest } from './planRollout.ts'
import { findRollout, listRollouts, onOneSnapshot, updatedDevicesPage } from './progress.store.ts'
import { leaveOut, pauseRollout, resumeRollout, retryFailed, stopRollout } from './steerRollout.ts'

const PAGE_SIZE = 50

const updateKey = z.strictObject({ id: z.int32() })
const deviceKey = z.strictObject({ wave: z.int32(), name: z.string(), id: z.int32() })

export const rolloutsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(updateClientVersion, ({ body, caller, change }) => updateToNewest(db, body, caller, change)),
    route(checkClientUpdate, ({ body, caller }) => checkNewest(db, body.deviceIds, caller)),
    route(getDeviceClient, ({ query, caller }) => foundRow(findDeviceClient(db, query.deviceId, scopeOf(caller)))),
    route(listClientUpdates, ({ query }) =>
      readPage(
        askedPage(query, PAGE_SIZE, (key) => readPageKey(key, updateKey)),
        (page) => listRollouts(db, page),
        ({ id }) => ({ id }),
      ),
    ),
    route(getClientUpdate, ({ query }) => foundRow(findRollout(db, query.id))),
    route(listUpdatedDevices, ({ query }) => updatedDevices(db, query)),
    route(previewClientUpdate, ({ body, caller }) => previewRollout(db, body, caller)),
    route(createClientUpdate, ({ body, caller, change }) => createRollout(db, body, caller, change)),
    route(pauseClientUpdate, ({ body, change }) => pauseRollout(db, body.id, change)),
    route(resumeClientUpdate, ({ body, change }) => resumeRollout(db, body.id, change)),
    route(stopClientUpdate, ({ body, change }) => stopRollout(db, body.id, change)),
    route(leaveOutOfUpdate, ({ body, caller, change }) => leaveOut(db, body, caller, change)),
    route(retryFailedUpdates, ({ body, change }) => retryFailed(db, body.id, change)),
  ],
  jobs: [clientRolloutsJob()],
})

/** The rollout and its devices are read on one snapshot, so that they do not contradict each other. */
function updatedDevices(db: Db, { id, state, wave, ...paging }: ReadQueryOf<typeof listUpdatedDevices>) {
  const page = askedPage(paging, PAGE_SIZE, (key) => readPageKey(key, deviceKey))
  return onOneSnapshot(db, async (transaction) => {
    const update = await foundRow(findRollout(transaction, id))
    const { rows, next } = await readPage(
      page,
      (asked) => updatedDevicesPage(transaction, { rolloutId: id, state, wave }, asked),
      ({ key }) => key,
    )
    return { update, rows: rows.map(({ device }) => device), next }
  })
}
