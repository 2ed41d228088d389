import { PassThrough } from 'node:stream'
import { type LogPosition, logPositionOf } from '../log/logPosition.ts'
import type { Replication } from '../log/Replication.ts'
import { BackupRefused } from '../seal/backupRefused.ts'

/** The first byte of each message of a base backup says which of these it is. */
const [NEW_ARCHIVE, BYTES, MANIFEST] = [...Buffer.from('ndm')]

export interface BaseBackup {
  /** The files of the database as one archive, with the log that they need. */
  readonly archive: AsyncIterable<Buffer>
  /** PostgreSQL's own list of the files with their SHA-256. */
  readonly manifest: AsyncIterable<Buffer>
  readonly ended: Promise<{ readonly start: LogPosition; readonly end: LogPosition }>
}

/** Begins at once; both streams must be read, one after the other. */
export function startBaseBackup(replication: Replication): BaseBackup {
  const archive = new Outlet()
  const manifest = new Outlet()
  let target = archive
  let archives = 0
  const take = (message: Buffer): Promise<void> | undefined => {
    const [kind] = message
    if (kind === NEW_ARCHIVE) {
      archives += 1
      if (archives > 1) return Promise.reject(new BackupRefused(TABLESPACES))
    } else if (kind === MANIFEST) {
      archive.end()
      target = manifest
    } else if (kind === BYTES) {
      return target.give(message.subarray(1))
    }
    return undefined
  }
  const ended = run(replication, take)
  ended.then(
    () => manifest.end(),
    (error: Error) => {
      archive.destroy(error)
      manifest.destroy(error)
    },
  )
  return { archive, manifest, ended }
}

class Outlet extends PassThrough {
  #goOn: (() => void) | undefined
  #wanted: Promise<void> | undefined

  constructor() {
    super()
    // A stream that has ended is never drained.
    for (const event of ['drain', 'finish', 'close']) {
      this.on(event, () => {
        this.#goOn?.()
        this.#wanted = undefined
      })
    }
  }

  /** Several pieces come with one read of the connection, before its pause takes effect. */
  give(bytes: Buffer): Promise<void> | undefined {
    if (this.write(bytes)) return undefined
    this.#wanted ??= new Promise((resolve) => {
      this.#goOn = resolve
    })
    return this.#wanted
  }
}

const TABLESPACES = 'The database has tablespaces outside of its folder, which a backup of Wayside does not hold.'
const ANY_SLOT = 'wayside_copy'

async function run(replication: Replication, take: (message: Buffer) => Promise<void> | undefined) {
  // The slot keeps the log that the copy needs until the copy has it, however much is written meanwhile.
  await replication.ask(`CREATE_REPLICATION_SLOT ${ANY_SLOT}_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`)
  const results = await replication.ask(
    "BASE_BACKUP (LABEL 'wayside', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
    { take },
  )
  const positions = results.flatMap((rows) => rows.flatMap((row) => row['recptr'] ?? []))
  const [start = '0/0'] = positions
  return { start: logPositionOf(start), end: logPositionOf(positions.at(-1) ?? start) }
}
