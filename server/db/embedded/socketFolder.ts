import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './databaseAccount.ts'

/** The address of a socket holds 107 characters on Linux and 103 on macOS, its end included. */
const LONGEST_SOCKET_PATH = 100

export const SOCKET_PORT = 5432

/** Chooses the database's own folder, or a short one where that path is too long or the file system has no sockets. */
export async function chooseSocketFolder(clusterFolder: string, account: Account): Promise<string> {
  if (await takesSocket(clusterFolder)) return clusterFolder
  const hash = createHash('sha256').update(clusterFolder).digest('hex').slice(0, 12)
  const short = join(tmpdir(), `wayside-${hash}`)
  makePrivateFolder(short, account)
  if (await takesSocket(short)) return short
  throw new Error(
    `Neither ${clusterFolder} nor ${short} can hold the socket of the database; choose a shorter WAYSIDE_DATA.`,
  )
}

async function takesSocket(folder: string): Promise<boolean> {
  if (join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`).length > LONGEST_SOCKET_PATH) return false
  const path = join(folder, `.try-${process.pid}`)
  const server = createServer()
  const isBound = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false)).listen(path, () => resolve(true))
  })
  server.close()
  rmSync(path, { force: true })
  return isBound
}

/** Anybody may write to the folder for temporary files, so a folder that somebody else made there is refused. */
function makePrivateFolder(folder: string, account: Account): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mine = process.getuid?.()
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || (stat.uid !== mine && stat.uid !== account.ids?.uid) || (stat.mode & 0o077) !== 0) {
    throw new Error(`The folder ${folder} was made by another user; remove it.`)
  }
  if (account.ids !== undefined) chownSync(folder, account.ids.uid, account.ids.gid)
}
