import { resolve } from 'node:path'
import type { ReadBodyOf } from '#contract/call/call.ts'
import { deleteRelease, listReleases, type Release, uploadRelease } from '#contract/http/software/releases.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { authenticateDevice } from '#server/gateway/wire/credentials.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import type { ReleaseDownloadDeps } from '#server/http/pages/releaseDownloads.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { NewestRelease } from './NewestRelease.ts'
import { ReleaseFolder } from './ReleaseFolder.ts'
import { createReleaseKeys, type ReleaseKeys } from './releaseKeys.ts'
import {
  countVersions,
  findStoredRelease,
  listRefusedFiles,
  listStoredReleases,
  lockReleases,
  removeRelease,
  type StoredRelease,
} from './releases.store.ts'
import { takeInRelease, verified } from './takeInRelease.ts'

const LOOK_INTO_FOLDER_EVERY_MS = 5_000
/** A file system could take such a text for more than a name. */
const NO_NAME = /[/\\:\p{Cc}]|^\.{0,2}$/u

export function releasesFeature({ pool, db, config }: Pick<Given, 'pool' | 'db' | 'config'>) {
  const root = resolve(config.dataFolder)
  const folder = resolve(root, 'releases')
  const keys = createReleaseKeys(config.releaseKeys, root)
  const newest = new NewestRelease(db)
  const downloads: ReleaseDownloadDeps = {
    authenticateDevice: (guid, key) => authenticateDevice(pool, guid, key),
    release: (sha256) => newest.content(sha256),
  }
  const releaseFolder = new ReleaseFolder(folder, db, keys)
  const folderJob: UnfencedJob = {
    name: 'release folder',
    everyMs: LOOK_INTO_FOLDER_EVERY_MS,
    runUnfenced: () => releaseFolder.takeIn(),
  }
  return {
    routes: [
      route(listReleases, async () => ({
        rows: (await listStoredReleases(db)).map((stored, index) => toRelease(stored, index === 0)),
        refusedFiles: (await listRefusedFiles(db)).map((file) => ({
          ...file,
          refusedAt: file.refusedAt.toISOString(),
        })),
        keyCount: (await keys()).length,
        folder,
        versions: await countVersions(db),
      })),
      route(uploadRelease, ({ body, caller, change }) => upload({ db, keys }, body, caller, change)),
      route(deleteRelease, ({ query, caller, change }) => remove(db, query.id, caller, change)),
    ],
    jobs: [folderJob],
    keys,
    downloads,
  }
}

async function upload(
  { db, keys }: { readonly db: Db; readonly keys: ReleaseKeys },
  { fileName, contentBase64 }: ReadBodyOf<typeof uploadRelease>,
  caller: Caller,
  change: ChangeRecord,
): Promise<Release> {
  change.about({ name: fileName })
  if (NO_NAME.test(fileName)) throw new CallError('invalid_request', notValid('fileName'))
  const content = Buffer.from(contentBase64, 'base64')
  const release = await verified(content, keys)
  return db.transaction().execute(async (transaction) => {
    const id = await takeInRelease(transaction, release, content, caller.userId)
    const { version, bytes, sha256, back } = release
    const details = back === undefined ? fileName : `${fileName}, as a target for going back`
    await change.done(transaction, { id, name: version, details, after: { version, bytes, sha256 } })
    const [newest] = await listStoredReleases(transaction)
    return toRelease(await foundRow(findStoredRelease(transaction, id)), newest?.id === id)
  })
}

async function remove(db: Db, id: number, caller: Caller, change: ChangeRecord): Promise<true> {
  change.about({ id })
  await db.transaction().execute(async (transaction) => {
    await lockReleases(transaction, id)
    const { version, bytes, sha256, openUpdateCount } = await foundRow(findStoredRelease(transaction, id))
    change.about({ name: version })
    if (openUpdateCount > 0) throw new CallError('release_in_use')
    await removeRelease(transaction, id, caller.userId)
    await change.done(transaction, { id, name: version, before: { version, bytes, sha256 } })
  })
  return true
}

function toRelease({ uploadedAt, uploadedBy, ...stored }: StoredRelease, isNewest: boolean): Release {
  return { ...stored, uploadedAt: uploadedAt.toISOString(), uploadedBy: uploadedBy ?? '', isNewest }
}
