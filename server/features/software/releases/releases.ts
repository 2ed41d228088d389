import { resolve } from 'node:path'
import type { Given } from '#server/features/feature.ts'
import { authenticateDevice } from '#server/gateway/wire/credentials.ts'
import type { ReleaseDownloadDeps } from '#server/http/pages/releaseDownloads.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { createReleaseFolder } from './releaseFolder.ts'
import { createReleaseKeys } from './releaseKeys.ts'
import { releaseRoutes } from './releases.routes.ts'
import { createReleases } from './releases.service.ts'
import { createReleaseStore, type ReleaseStore } from './releases.store.ts'

const LOOK_INTO_FOLDER_EVERY_MS = 5_000

export function releasesFeature({ pool, db, config }: Pick<Given, 'pool' | 'db' | 'config'>) {
  const root = resolve(config.dataFolder)
  const folder = resolve(root, 'releases')
  const keys = createReleaseKeys(config.releaseKeys, root)
  const store = createReleaseStore(db)
  const releases = createReleases({ store, keys, folder })
  const downloads: ReleaseDownloadDeps = {
    authenticateDevice: (guid, key) => authenticateDevice(pool, guid, key),
    release: newestKept(store),
  }
  const folderJob: UnfencedJob = {
    name: 'release folder',
    everyMs: LOOK_INTO_FOLDER_EVERY_MS,
    runUnfenced: createReleaseFolder({ folder, releases, store, keys }),
  }
  return { routes: releaseRoutes(releases), jobs: [folderJob], keys, downloads }
}

/** A wave of devices asks for the same file, so the newest stays in memory while it exists. */
function newestKept(store: Pick<ReleaseStore, 'content' | 'exists'>) {
  let kept: { readonly sha256: string; readonly content: Promise<Buffer | undefined> } | undefined
  return async (sha256: string): Promise<Buffer | undefined> => {
    if (!(await store.exists(sha256))) return undefined
    if (kept?.sha256 !== sha256) {
      const content = store.content(sha256)
      kept = { sha256, content }
      content.catch(() => {
        if (kept?.content === content) kept = undefined
      })
    }
    return kept.content
  }
}
