import {
  acceptAsDevices,
  acceptDevices,
  beginClaim,
  claimDevice,
  createClaimKey,
  endClaimKey,
  findClaim,
  getClaimState,
  giveRecord,
  listClaimKeys,
  listWaitingDevices,
  refuseDevices,
} from '#contract/http/devices/claims.ts'
import type { Given } from '#server/features/feature.ts'
import { publicRoute, route } from '#server/http/call/route.ts'
import { claimByCode, findByCode, giveRecordByCode } from './claimDevices.ts'
import { begin, type ClaimDoorDeps, readState } from './claimDoor.ts'
import { createKey, endKey, listKeys } from './claimKeys.ts'
import { forgottenClaimsJob } from './claims.store.ts'
import { accept, acceptAs, readWaiting, refuse } from './waitingDevices.ts'

/** Devices that arrive without a configuration: claimed by the code that they show, or accepted after a claim key. */
export function claimFeature(deps: ClaimDoorDeps & Pick<Given, 'clock'>) {
  const { db, clock } = deps
  return {
    routes: [
      publicRoute(beginClaim, (request) => begin(deps, request)),
      publicRoute(getClaimState, ({ body }) => readState(deps, body.key)),
      route(findClaim, (request) => findByCode(db, request)),
      route(claimDevice, (request) => claimByCode(db, request)),
      route(giveRecord, (request) => giveRecordByCode(db, request)),
      route(listWaitingDevices, ({ caller }) => readWaiting(db, caller)),
      route(acceptDevices, (request) => accept(db, request)),
      route(acceptAsDevices, (request) => acceptAs(db, request)),
      route(refuseDevices, (request) => refuse(db, request)),
      route(listClaimKeys, ({ caller }) => listKeys(db, caller)),
      route(createClaimKey, (request) => createKey(db, request)),
      route(endClaimKey, (request) => endKey(db, request)),
    ],
    jobs: [clock.deleting(forgottenClaimsJob)],
  }
}
