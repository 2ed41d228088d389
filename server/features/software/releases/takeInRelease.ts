import type { UserId } from '#domain/ids.ts'
import { headerLine, type ReleaseHeader, readHeader } from '#domain/releases/header.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { compareVersions } from '#domain/releases/version.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ReleaseKeys } from './releaseKeys.ts'
import { addRelease, findVersion, lockReleases, makeBackTarget, newestEver, statusOfProgram } from './releases.store.ts'

/** @throws CallError `release_refused` */
export async function verified(file: Uint8Array, keys: ReleaseKeys): Promise<ReleaseHeader> {
  const verdict = await verifyRelease(file, await keys())
  if ('refusal' in verdict) throw refused(verdict.refusal.sentence)
  return verdict.release
}

/**
 * Takes in a verified release.
 *
 * @returns the id of the release, which is new or has become a target for downgrades
 * @throws CallError `release_refused` when it was present, or is older than any release before and not signed for
 * downgrades
 */
export async function takeInRelease(
  transaction: Tx,
  release: ReleaseHeader,
  file: Uint8Array,
  by: UserId | undefined,
): Promise<number> {
  await lockReleases(transaction)
  const { version, sha256, back } = release
  const present = await findVersion(transaction, version)
  if (present?.sha256 === sha256 && back !== undefined && !present.isBackTarget) {
    await makeBackTarget(transaction, present.id, back)
    return present.id
  }
  const newest = await newestEver(transaction)
  if (present || (newest?.version === version && newest.sha256 !== sha256)) {
    throw refused(`Version ${version} is not newer than the release of this version that was taken in before.`)
  }
  if (newest && compareVersions(version, newest.version) < 0 && back === undefined) {
    throw refused(older(version, newest))
  }
  return addRelease(transaction, { ...release, content: withoutBack(release, file) }, by)
}

/**
 * Adds a file of the folder.
 *
 * @returns why it is refused; undefined when the release is present
 */
export async function takeInFile(db: Db, keys: ReleaseKeys, file: Uint8Array): Promise<string | undefined> {
  try {
    const release = await verified(file, keys)
    const known = await statusOfProgram(db, release.sha256)
    if (known === 'removed') {
      return `Version ${release.version} was removed from the releases. Upload it to have it back.`
    }
    await db.transaction().execute(async (transaction) => {
      if (known === undefined || (await isNewBackTarget(transaction, release))) {
        await takeInRelease(transaction, release, file, undefined)
      }
    })
    return undefined
  } catch (error) {
    if (error instanceof CallError) return error.message
    throw error
  }
}

async function isNewBackTarget(transaction: Tx, { version, back }: ReleaseHeader): Promise<boolean> {
  return back !== undefined && (await findVersion(transaction, version))?.isBackTarget === false
}

const older = (version: string, newest: { readonly version: string }) =>
  `Version ${version} is older than ${newest.version}, the newest that was ever taken in. As a target for going back it has to be signed: npm run release -- --back FILE.`

/** Makes the file for devices, whose first line old clients, which know no downgrades, can read too. */
function withoutBack({ back: _, ...plain }: ReleaseHeader, file: Uint8Array): Uint8Array {
  const program = readHeader(file)?.program ?? file
  return Buffer.concat([Buffer.from(headerLine(plain)), program])
}

const refused = (sentence: string) => new CallError('release_refused', sentence)
