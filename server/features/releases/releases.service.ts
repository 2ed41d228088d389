import type { ReadBodyOf } from '#contract/http/call.ts'
import type { Release, ReleaseList, uploadRelease } from '#contract/http/release.ts'
import type { UserId } from '#domain/ids.ts'
import type { ReleaseHeader } from '#domain/releases/header.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { compareVersions } from '#domain/releases/version.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/audit.store.ts'
import { CallError, notFound } from '#server/http/callError.ts'
import type { Caller } from '#server/http/caller.ts'
import type { ChangeRecord } from '#server/http/route.ts'
import type { ReleaseKeys } from './releaseKeys.ts'
import type { ReleaseStore, StoredRelease } from './releases.store.ts'

export interface ReleaseService {
  readonly list: () => Promise<ReleaseList>
  readonly upload: (asked: ReadBodyOf<typeof uploadRelease>, caller: Caller, change: ChangeRecord) => Promise<Release>
  readonly remove: (id: number, caller: Caller, change: ChangeRecord) => Promise<true>
  /** Takes a file of the folder in. @returns why it is refused; undefined when it is there, now or before */
  readonly takeIn: (file: Uint8Array) => Promise<string | undefined>
}

export interface ReleaseNeeds {
  readonly store: ReleaseStore
  readonly keys: ReleaseKeys
  /** As the operator knows it. */
  readonly folder: string
}

/** What a file system could take for more than a name. */
const NO_NAME = /[/\\:\p{Cc}]|^\.{0,2}$/u

export function createReleases({ store, keys, folder }: ReleaseNeeds): ReleaseService {
  /** @throws CallError `release_refused` */
  async function verified(file: Uint8Array): Promise<ReleaseHeader> {
    const verdict = await verifyRelease(file, await keys())
    if ('refusal' in verdict) throw refused(verdict.refusal.sentence)
    return verdict.release
  }

  /** @throws CallError `release_refused` unless it is newer than all that are there */
  async function added(release: ReleaseHeader, content: Uint8Array, by: UserId | undefined, transaction: Tx) {
    await store.lock(transaction)
    const newest = await store.newestVersion(transaction)
    if (newest !== undefined && compareVersions(release.version, newest) <= 0) {
      throw refused(`Version ${release.version} is not newer than ${newest}, the newest release.`)
    }
    return store.add({ ...release, content }, by, transaction)
  }

  return {
    list: async () => ({
      rows: (await store.list()).map((stored, index) => toRelease(stored, index === 0)),
      refusedFiles: (await store.refusedFiles()).map((file) => ({ ...file, refusedAt: file.refusedAt.toISOString() })),
      keyCount: (await keys()).length,
      folder,
      versions: [...(await store.versions())],
    }),

    upload: async ({ fileName, contentBase64 }, caller, change) => {
      change.about({ name: fileName })
      if (NO_NAME.test(fileName)) throw new CallError('invalid_request', notValid('fileName'))
      const content = Buffer.from(contentBase64, 'base64')
      const release = await verified(content)
      return store.transaction(async (transaction) => {
        const id = await added(release, content, caller.userId, transaction)
        const { version, bytes, sha256 } = release
        await change.done(transaction, { id, name: version, details: fileName, after: { version, bytes, sha256 } })
        return toRelease((await store.find(id, transaction)) as StoredRelease, true)
      })
    },

    remove: async (id, caller, change) => {
      change.about({ id })
      await store.transaction(async (transaction) => {
        await store.lock(transaction, id)
        const found = await store.find(id, transaction)
        if (!found) throw notFound()
        const { version, bytes, sha256 } = found
        change.about({ name: version })
        if (found.openUpdateCount > 0) throw new CallError('release_in_use')
        await store.remove(id, caller.userId, transaction)
        await change.done(transaction, { id, name: version, before: { version, bytes, sha256 } })
      })
      return true
    },

    takeIn: async (file) => {
      try {
        const release = await verified(file)
        const known = await store.knownAs(release.sha256)
        if (known === 'removed')
          return `Version ${release.version} was removed from the releases. Upload it to have it back.`
        if (known === undefined) await store.transaction((transaction) => added(release, file, undefined, transaction))
        return undefined
      } catch (error) {
        if (error instanceof CallError) return error.message
        throw error
      }
    },
  }
}

const refused = (sentence: string) => new CallError('release_refused', sentence)

function toRelease({ uploadedAt, uploadedBy, ...stored }: StoredRelease, isNewest: boolean): Release {
  return { ...stored, uploadedAt: uploadedAt.toISOString(), uploadedBy: uploadedBy ?? '', isNewest }
}
