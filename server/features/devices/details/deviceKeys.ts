import { createHash, randomBytes } from 'node:crypto'
import type { DeviceConfiguration } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { safeFileName } from '#server/http/call/fileName.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { lockWithDetails, replaceEveryKey, replaceUnusedKey } from './devices.store.ts'

export type KeyDeps = Pick<Given, 'db' | 'addresses' | 'closeRevoked'> & {
  readonly releaseKeys: () => Promise<readonly string[]>
}

interface ConfigurationFile {
  readonly fileName: string
  readonly content: DeviceConfiguration
}

const KEY_BYTES = 32

/** Issues a key; the present key stays valid until the new one is first used. */
export const downloadKey = (deps: KeyDeps, id: DeviceId, caller: Caller, change: ChangeRecord) =>
  issue(deps, { id, caller, change }, replaceUnusedKey, 'A new key was issued.')

/** Issues a key and ends every older one at once. */
export async function renewKey(deps: KeyDeps, id: DeviceId, caller: Caller, change: ChangeRecord) {
  const details = 'A new key was issued and every older one ended.'
  const file = await issue(deps, { id, caller, change }, replaceEveryKey, details)
  deps.closeRevoked()
  return file
}

async function issue(
  { db, addresses, releaseKeys }: KeyDeps,
  request: { readonly id: DeviceId; readonly caller: Caller; readonly change: ChangeRecord },
  keep: (transaction: Tx, id: DeviceId, keyHash: Buffer) => Promise<void>,
  details: string,
): Promise<ConfigurationFile> {
  const key = randomBytes(KEY_BYTES).toString('base64url')
  const keyHash = createHash('sha256').update(key).digest()
  request.change.about({ id: request.id })
  const trusted = await releaseKeys()
  const { guid, name, modelId } = await changeDevice(db, lockWithDetails, request, async (device, transaction) => {
    await keep(transaction, device.id, keyHash)
    return { audited: { details }, answer: device }
  })
  const content = { guid, key, ...addresses(), name, modelId, releaseKeys: [...trusted] }
  return { fileName: `${safeFileName(name)}.json`, content }
}
