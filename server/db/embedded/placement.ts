import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Account, accountOf, canUse, ownAccount, runsAsRoot, unprivilegedAccount } from './databaseAccount.ts'

export type Placement = Readonly<{ folder: string; account: Account; movedFrom: string | undefined }>

const SYSTEM_FOLDER = '/var/lib/wayside'

/**
 * Chooses where the database lives. One that exists stays where it is, with the user it belongs to.
 * @param dataFolder made when it is missing
 */
export function choosePlacement(dataFolder: string, systemFolder = SYSTEM_FOLDER): Placement {
  mkdirSync(dataFolder, { recursive: true })
  const folder = realpathSync(dataFolder)
  if (!runsAsRoot()) {
    refuseForeignCluster(folder)
    refuseReadOnly(folder)
    refuseNamelessUser()
    return { folder, account: ownAccount, movedFrom: undefined }
  }

  const elsewhere = placeElsewhere(folder, systemFolder)
  const existing = firstCluster(elsewhere) ?? firstCluster(folder)
  const account = existing === undefined ? unprivilegedAccount() : accountOf(statSync(existing))
  if (account.ids?.uid === 0)
    throw new Error(`The database in ${existing} belongs to root, as which PostgreSQL does not run.`)

  if (firstCluster(elsewhere) === undefined && canUse(account, folder, 'execute')) {
    return { folder, account, movedFrom: undefined }
  }
  if (firstCluster(folder) !== undefined && firstCluster(elsewhere) === undefined) {
    throw new Error(
      `The user ${account.name}, to whom the database in ${folder} belongs, can no longer reach that folder.`,
    )
  }
  mkdirSync(elsewhere, { recursive: true })
  for (const made of [systemFolder, elsewhere]) chmodSync(made, 0o755)
  return { folder: elsewhere, account, movedFrom: folder }
}

const placeElsewhere = (folder: string, systemFolder: string) =>
  join(systemFolder, createHash('sha256').update(folder).digest('hex').slice(0, 16))

/** Finds the database of a data folder, whether it can be used or not. @param dataFolder one that exists */
export function existingCluster(dataFolder: string): string | undefined {
  const folder = realpathSync(dataFolder)
  return firstCluster(placeElsewhere(folder, SYSTEM_FOLDER)) ?? firstCluster(folder)
}

function refuseForeignCluster(folder: string): void {
  const existing = firstCluster(folder)
  if (existing === undefined || statSync(existing).uid === process.getuid?.()) return
  const owner = accountOf(statSync(existing))
  throw new Error(
    `The database in ${existing} belongs to ${owner.name}: start Wayside as root as before, or set WAYSIDE_DATA to another folder.`,
  )
}

function refuseReadOnly(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`This user may not write to the data folder ${folder}; set WAYSIDE_DATA to another one.`, {
      cause: error,
    })
  }
}

/** initdb looks its own user up, and fails in containers that run under a number only. */
function refuseNamelessUser(): void {
  try {
    userInfo()
  } catch (error) {
    throw new Error(
      `User ${process.getuid?.()} has no entry in /etc/passwd, without which PostgreSQL makes no database; add one, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

const CLUSTER = /^postgres-(\d+)$/

const clusterNames = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => CLUSTER.test(name)) : []

function firstCluster(folder: string): string | undefined {
  const [name] = clusterNames(folder)
  return name === undefined ? undefined : join(folder, name)
}

/** Returns the folder of the cluster. Throws an Error of one sentence when only one of another major version exists. */
export function clusterFolder(folder: string, major: number): string {
  const wanted = join(folder, `postgres-${major}`)
  const foundMajors = clusterNames(folder).map((name) => majorIn(join(folder, name)) ?? CLUSTER.exec(name)?.[1])
  const isThere = existsSync(wanted)
  const foreign = isThere ? (majorIn(wanted) ?? `${major}`) : foundMajors[0]
  if (foreign !== undefined && foreign !== `${major}`) {
    throw new Error(
      `The data folder ${folder} holds a database of PostgreSQL ${foreign}, but this Wayside runs PostgreSQL ${major}: ` +
        `start the Wayside that made it, or dump it there and load it here.`,
    )
  }
  return wanted
}

function majorIn(cluster: string): string | undefined {
  const file = join(cluster, 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}
