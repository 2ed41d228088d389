import { resolve } from 'node:path'
import type pg from 'pg'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { createCandidateStore } from './features/clientUpdates/candidates.store.ts'
import { clientUpdateRoutes } from './features/clientUpdates/clientUpdates.routes.ts'
import { createClientUpdates } from './features/clientUpdates/clientUpdates.service.ts'
import { createDeviceClientStore } from './features/clientUpdates/deviceClient.store.ts'
import { createProgressStore } from './features/clientUpdates/progress.store.ts'
import { createRolloutStore } from './features/clientUpdates/rollouts.store.ts'
import { createReleaseFolder } from './features/releases/releaseFolder.ts'
import { createReleaseKeys, type ReleaseKeys } from './features/releases/releaseKeys.ts'
import { releaseRoutes } from './features/releases/releases.routes.ts'
import { createReleases } from './features/releases/releases.service.ts'
import { createReleaseStore } from './features/releases/releases.store.ts'
import { authenticateDevice } from './gateway/credentials.ts'
import type { ReleaseDownloadNeeds } from './http/releaseDownloads.ts'
import type { Route } from './http/route.ts'

export type ClientConfig = Pick<Config, 'dataFolder' | 'releaseKeys'>

export interface ClientSide {
  readonly routes: readonly Route[]
  readonly releaseKeys: ReleaseKeys
  readonly downloads: ReleaseDownloadNeeds
  /** Takes in what somebody has put into the folder of releases. */
  readonly scanReleases: () => Promise<void>
}

/** The program of the devices: releases, and who is to run them. */
export function clientSide(pool: pg.Pool, { dataFolder, releaseKeys: configured }: ClientConfig): ClientSide {
  const db = openDatabase(pool)
  const root = resolve(dataFolder)
  const folder = resolve(root, 'releases')
  const releaseKeys = createReleaseKeys(configured, root)
  const store = createReleaseStore(db)
  const releases = createReleases({ store, keys: releaseKeys, folder })
  const progress = createProgressStore(db)
  const updates = createClientUpdates({
    candidates: createCandidateStore(db),
    rollouts: createRolloutStore(db),
    progress,
  })
  return {
    routes: [...releaseRoutes(releases), ...clientUpdateRoutes(updates, progress, createDeviceClientStore(db))],
    releaseKeys,
    scanReleases: createReleaseFolder({ folder, releases, store, keys: releaseKeys }),
    downloads: {
      authenticateDevice: (guid, key) => authenticateDevice(pool, guid, key),
      release: newestKept(store),
    },
  }
}

/** A wave of devices asks for the same file: it is read once, and asked for each time whether it is still there. */
function newestKept(store: Pick<ReturnType<typeof createReleaseStore>, 'content' | 'exists'>) {
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
