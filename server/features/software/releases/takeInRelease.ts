import type { ReadBodyOf } from '#contract/call/call.ts'
import type { Release, ReleaseList, uploadRelease } from '#contract/http/software/releases.ts'
import type { UserId } from '#domain/ids.ts'
import { headerLine, type ReleaseHeader, readHeader } from '#domain/releases/header.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { compareVersions } from '#domain/releases/version.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ReleaseKeys } from './releaseKeys.ts'
import type { ReleaseStore, StoredRelease } from './releases.store.ts'

export interface ReleaseService {
  readonly list: () => Promise<ReleaseList>
  readonly upload: (asked: ReadBodyOf<typeof uploadRelease>, caller: Caller, change: ChangeRecord) => Promise<Release>
  readonly remove: (id: number, caller: Caller, change: ChangeRecord) => Promise<true>
  /**
   * Adds a file of the folder.
   * @returns why it is refused; undefined when the release is present
   */
  readonly takeIn: (file: Uint8Array) => Promise<string | undefined>
}

export interface ReleaseDeps {
  readonly store: ReleaseStore
  readonly keys: ReleaseKeys
  readonly folder: string
}

/** A file system could take such a text for more than a name. */
const NO_NAME = /[/\\:\p{Cc}]|^\.{0,2}$/u

export function createReleases({ store, keys, folder }: ReleaseDeps): ReleaseService {
  /** @throws CallError `release_refused` */
  async function verified(file: Uint8Array): Promise<ReleaseHeader> {
    const verdict = await verifyRelease(file, await keys())
    if ('refusal' in verdict) throw refused(verdict.refusal.sentence)
    return verdict.release
  }

  /**
   * @returns the id of the release, which is new or has become a target for downgrades
   * @throws CallError `release_refused` when it was present, or is older than any release before and not signed for
   * downgrades
   */
  async function takenIn(release: ReleaseHeader, file: Uint8Array, by: UserId | undefined, transaction: Tx) {
    await store.lock(transaction)
    const { version, sha256, back } = release
    const present = await store.findVersion(version, transaction)
    if (present?.sha256 === sha256 && back !== undefined && !present.isBackTarget) {
      await store.makeBackTarget(present.id, back, transaction)
      return present.id
    }
    const newest = await store.newestEver(transaction)
    if (present || (newest?.version === version && newest.sha256 !== sha256)) {
      throw refused(`Version ${version} is not newer than the release of this version that was taken in before.`)
    }
    if (newest && compareVersions(version, newest.version) < 0 && back === undefined)
      throw refused(older(version, newest))
    return store.add({ ...release, content: withoutBack(release, file) }, by, transaction)
  }

  async function isNewBackTarget({ version, back }: ReleaseHeader, transaction: Tx): Promise<boolean> {
    return back !== undefined && (await store.findVersion(version, transaction))?.isBackTarget === false
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
        const id = await takenIn(release, content, caller.userId, transaction)
        const { version, bytes, sha256, back } = release
        const details = back === undefined ? fileName : `${fileName}, as a target for going back`
        await change.done(transaction, { id, name: version, details, after: { version, bytes, sha256 } })
        const [newest] = await store.list(transaction)
        return toRelease((await store.find(id, transaction)) as StoredRelease, newest?.id === id)
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
        await store.transaction(async (transaction) => {
          if (known === undefined || (await isNewBackTarget(release, transaction))) {
            await takenIn(release, file, undefined, transaction)
          }
        })
        return undefined
      } catch (error) {
        if (error instanceof CallError) return error.message
        throw error
      }
    },
  }
}

const older = (version: string, newest: { readonly version: string }) =>
  `Version ${version} is older than ${newest.version}, the newest that was ever taken in. As a target for going back it has to be signed: npm run release -- --back FILE.`

/** Makes the file for devices, whose first line old clients, which know no downgrades, can read too. */
function withoutBack({ back: _, ...plain }: ReleaseHeader, file: Uint8Array): Uint8Array {
  const program = readHeader(file)?.program ?? file
  return Buffer.concat([Buffer.from(headerLine(plain)), program])
}

const refused = (sentence: string) => new CallError('release_refused', sentence)

function toRelease({ uploadedAt, uploadedBy, ...stored }: StoredRelease, isNewest: boolean): Release {
  return { ...stored, uploadedAt: uploadedAt.toISOString(), uploadedBy: uploadedBy ?? '', isNewest }
}
