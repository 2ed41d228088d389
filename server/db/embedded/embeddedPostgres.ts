import { setTimeout as sleep } from 'node:timers/promises'
import { provideRolesAndDatabase, takeSuperuserRights, type Urls, urlsOf } from './applicationAccess.ts'
import { findPackage, provideBinaries } from './binaries.ts'
import { type Cluster, clusterExists, makeCluster, resetOwnerPassword, writeSettings } from './cluster.ts'
import { keepPasswords, type Passwords } from './clusterPasswords.ts'
import { choosePlacement, clusterFolder, type Placement } from './placement.ts'
import { endOrphan, type Postmaster, startPostmaster } from './postmaster.ts'
import { chooseSocketFolder } from './socketFolder.ts'
import { takeStarterLock } from './starterLock.ts'

export type EmbeddedPostgres = Urls &
  Readonly<{
    folder: string
    /** Ends the database within 3 s; later calls wait for the first. */
    stop: () => Promise<void>
  }>

export type EmbeddedOptions = Readonly<{
  dataFolder: string
  log?: (sentence: string) => void
  signal?: AbortSignal
  /** Settings of PostgreSQL that differ from the product's. */
  settings?: Readonly<Record<string, string>>
  /** Tests need it, because they make databases and end connections of others. */
  ownerIsSuperuser?: boolean
  /** The database goes here when its user could not reach it in the data folder. */
  systemFolder?: string
}>

const RESTART_AFTER_MS = 1_000

/**
 * Starts the PostgreSQL that comes with Wayside. What an earlier start left behind is ended or completed first. When
 * the database dies, it is started again at the same addresses. Throws an `Error` of one sentence.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {})
  const found = findPackage()
  const placement = choosePlacement(options.dataFolder, options.systemFolder)
  const folder = clusterFolder(placement.folder, found.major)
  if (placement.movedFrom !== undefined) {
    log(
      `The database is kept in ${folder}: PostgreSQL runs as the user ${placement.account.name}, who cannot reach ${placement.movedFrom}.`,
    )
  }
  const unlock = takeStarterLock(placement.folder)
  try {
    if ((await endOrphan(folder)) === 'ended') log('Ended the database of an earlier start that was killed.')
    const binaries = provideBinaries(found, placement.account, placement.folder)
    const cluster: Cluster = { folder, binaries, account: placement.account }
    const passwords = await provideCluster(cluster, placement, log, options)
    const socketFolder = await chooseSocketFolder(folder, placement.account)
    await writeSettings(cluster, { unix_socket_directories: socketFolder, ...options.settings })
    const stop = await superviseWithRoles(cluster, socketFolder, passwords, { ...options, log })
    return { ...urlsOf(socketFolder, passwords), folder, stop: onceOnly(() => stop().finally(unlock)) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function provideCluster(
  cluster: Cluster,
  { folder }: Placement,
  log: (sentence: string) => void,
  { settings, ownerIsSuperuser = false }: EmbeddedOptions,
): Promise<Passwords> {
  const passwords = keepPasswords(folder)
  if (!clusterExists(cluster.folder)) {
    log(`Making a new database in ${cluster.folder}: WAYSIDE_DATA says where, and DATABASE_URL is not set.`)
    await makeCluster(cluster, passwords.owner, { isDurable: settings?.fsync !== 'off', ownerIsSuperuser })
  } else if (passwords.isNew) {
    log('The passwords of the database were missing; it has new ones.')
    await resetOwnerPassword(cluster, passwords.owner)
  }
  return passwords
}

/** @returns a function that ends the database for good */
async function superviseWithRoles(
  cluster: Cluster,
  socketFolder: string,
  passwords: Passwords,
  { log, signal, ownerIsSuperuser = false }: EmbeddedOptions & Required<Pick<EmbeddedOptions, 'log'>>,
): Promise<() => Promise<void>> {
  const postmaster = await startPostmaster(cluster, signal)
  try {
    await provideRolesAndDatabase(socketFolder, passwords)
    if (!ownerIsSuperuser) await takeSuperuserRights(socketFolder, passwords, log)
  } catch (error) {
    await postmaster.stop()
    throw error
  }
  return supervise(cluster, postmaster, log)
}

function supervise(cluster: Cluster, first: Postmaster, log: (sentence: string) => void): () => Promise<void> {
  const stopping = new AbortController()
  let present: Promise<Postmaster | undefined> = Promise.resolve(first)

  const restart = async (): Promise<Postmaster | undefined> => {
    while (!stopping.signal.aborted) {
      try {
        const postmaster = await startPostmaster(cluster, stopping.signal)
        watch(postmaster)
        return postmaster
      } catch (error) {
        if (stopping.signal.aborted) return undefined
        log(error instanceof Error ? error.message : String(error))
        await sleep(RESTART_AFTER_MS, undefined, { ref: false })
      }
    }
    return undefined
  }
  const watch = (postmaster: Postmaster) => {
    postmaster.ended.then(
      () => {
        if (stopping.signal.aborted) return
        log('The database ended unexpectedly; starting it again.')
        present = restart()
      },
      () => {},
    )
  }

  watch(first)
  return async () => {
    stopping.abort()
    await (await present)?.stop()
  }
}

function onceOnly(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
