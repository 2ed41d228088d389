import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '../db/connect/pool.ts'
import { type ReachDeps, reachDatabase } from '../db/connect/reachDatabase.ts'
import { urlsOf } from '../db/embedded/applicationAccess.ts'
import { findPackage } from '../db/embedded/binaries.ts'
import { keepPasswords } from '../db/embedded/clusterPasswords.ts'
import { startEmbeddedPostgres } from '../db/embedded/embeddedPostgres.ts'
import { choosePlacement, clusterFolder } from '../db/embedded/placement.ts'
import type { Config } from '../settings/config.ts'

export interface OpenedDatabase {
  readonly url: string
  readonly ownerUrl: string
  readonly isOwner: boolean
  readonly close: () => Promise<void>
}

/**
 * Waits for the configured database; returns undefined for the embedded one.
 *
 * @throws an `Error` of one sentence that names the setting
 */
export async function reachGivenDatabase({ databaseUrl, databaseOwnerUrl }: Config, deps: ReachDeps = {}) {
  if (databaseUrl === undefined) return undefined
  const application = { setting: 'DATABASE_URL', url: databaseUrl }
  const owner = databaseOwnerUrl === undefined ? application : { setting: 'DATABASE_OWNER_URL', url: databaseOwnerUrl }
  await reachDatabase(application, owner, deps)
  return { ownerUrl: owner.url, applicationUrl: application.url }
}

/** Opens the configured database, the embedded one that runs, or the embedded one started for this. */
export async function openServersDatabase(config: Config, deps: ReachDeps = {}): Promise<OpenedDatabase> {
  const given = await reachGivenDatabase(config, deps)
  if (given) {
    const { applicationUrl: url, ownerUrl } = given
    return { url, ownerUrl, isOwner: url === ownerUrl, close: async () => undefined }
  }
  if (!existsSync(config.dataFolder))
    throw new Error(`There is no data folder ${config.dataFolder} yet; start Wayside first.`)
  const running = await findRunning(config.dataFolder)
  if (running !== undefined) {
    const { applicationUrl: url, ownerUrl } = running
    return { url, ownerUrl, isOwner: false, close: async () => undefined }
  }
  const started = await startEmbeddedPostgres({ dataFolder: config.dataFolder })
  return { url: started.applicationUrl, ownerUrl: started.ownerUrl, isOwner: false, close: started.stop }
}

/** This line of `postmaster.pid` names the folder of its socket. */
const SOCKET_FOLDER_LINE = 4

async function findRunning(dataFolder: string): Promise<ReturnType<typeof urlsOf> | undefined> {
  const { folder } = choosePlacement(dataFolder)
  const pidFile = join(clusterFolder(folder, findPackage().major), 'postmaster.pid')
  if (!existsSync(pidFile)) return undefined
  const socketFolder = readFileSync(pidFile, 'utf8').split('\n')[SOCKET_FOLDER_LINE]?.trim()
  if (!socketFolder) return undefined
  const urls = urlsOf(socketFolder, keepPasswords(folder))
  const pool = openPool(urls.applicationUrl, { maximumConnections: 1, name: 'admin' })
  const answers = await pool.query('select 1').then(
    () => true,
    () => false,
  )
  await pool.end()
  return answers ? urls : undefined
}
