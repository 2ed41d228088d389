import { createHash, randomBytes } from 'node:crypto'
import type { DeviceConfiguration } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { safeFileName } from '#server/http/call/fileName.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { DeviceAddresses } from './deviceAddresses.ts'
import type { DeviceStore } from './devices.store.ts'

export interface DeviceKeyDeps {
  readonly store: Pick<DeviceStore, 'transaction' | 'lock' | 'replaceUnusedKey' | 'replaceEveryKey'>
  /** A port may be known only after listening, so the addresses are read for each file. */
  readonly addresses: () => DeviceAddresses
  readonly releaseKeys: () => Promise<readonly string[]>
  /** Ends connections here whose key is gone, after the commit; other processes find theirs within seconds. */
  readonly closeRevoked: () => void
}

export interface ConfigurationFile {
  readonly fileName: string
  readonly content: DeviceConfiguration
}

type Issue = (id: DeviceId, caller: Caller, change: ChangeRecord) => Promise<ConfigurationFile>

export interface DeviceKeyService {
  /** Issues a key; the present key stays valid until the new one is first used. */
  readonly download: Issue
  /** Issues a key and ends every older one at once. */
  readonly renew: Issue
}

const KEY_BYTES = 32

export function createDeviceKeys({ store, addresses, releaseKeys, closeRevoked }: DeviceKeyDeps): DeviceKeyService {
  const issue = async (
    [id, caller, change]: Parameters<Issue>,
    keep: (id: DeviceId, keyHash: Buffer, transaction: Tx) => Promise<void>,
    details: string,
  ): Promise<ConfigurationFile> => {
    const key = randomBytes(KEY_BYTES).toString('base64url')
    const keyHash = createHash('sha256').update(key).digest()
    change.about({ id })
    const trusted = await releaseKeys()
    const { guid, name, modelId } = await store.transaction(async (transaction) => {
      const found = await store.lock(id, scopeOf(caller), transaction)
      if (!found) throw notFound()
      await keep(id, keyHash, transaction)
      await change.done(transaction, { id, name: found.name, customerId: found.customerId, details })
      return found
    })
    const content = { guid, key, ...addresses(), name, modelId, releaseKeys: [...trusted] }
    return { fileName: `${safeFileName(name)}.json`, content }
  }
  return {
    download: (...asked) => issue(asked, store.replaceUnusedKey, 'A new key was issued.'),
    renew: async (...asked) => {
      const file = await issue(asked, store.replaceEveryKey, 'A new key was issued and every older one ended.')
      closeRevoked()
      return file
    },
  }
}
