import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tryLockUntilDisconnected } from '#server/db/advisoryLocks.ts'
import {
  type Copy,
  type CopyFacts,
  copyName,
  DATABASE_FILE,
  FILES_FILE,
  MANIFEST_FILE,
  SUMMARY_FILE,
  systemFolder,
  UNFINISHED,
} from '../log/copyNames.ts'
import { logPositionOf, writtenPosition } from '../log/logPosition.ts'
import { openReplication } from '../log/openReplication.ts'
import type { Replication } from '../log/Replication.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { renameDurably, syncPath } from '../seal/durably.ts'
import { sealInto } from '../seal/sealInto.ts'
import { startBaseBackup } from './baseBackup.ts'
import { checkContents } from './checkCopy.ts'
import { enlistCopies } from './copyList.ts'
import { dataFilesTar } from './dataFiles.ts'

export interface CopyRequest {
  readonly ownerUrl: string
  readonly isEmbedded: boolean
  /** The copy holds the files of this folder too. */
  readonly dataFolder: string
  readonly folder: string
  readonly key: Buffer | undefined
}

/**
 * Copies the whole cluster while it runs, reads the result again to check it, and only then gives it the name of a
 * copy. Its memory does not grow with the database.
 *
 * @throws BackupRefused when the role may not, or when the result differs from what was written
 */
export async function takeCopy(wish: CopyRequest): Promise<Copy> {
  const replication = await openReplication(wish.ownerUrl)
  try {
    await refuseSecond(replication)
    const { systemId, timeline } = await replication.identify()
    const parent = systemFolder(wish.folder, systemId)
    await mkdir(parent, { recursive: true, mode: 0o700 })
    await removeUnfinished(parent)
    const unfinished = join(parent, `${UNFINISHED}${process.pid}`)
    await mkdir(unfinished, { mode: 0o700 })
    try {
      const facts = await writeCopy(wish, replication, unfinished, { systemId, timeline })
      await checkContents(unfinished, wish.key)
      await syncPath(unfinished)
      const name = copyName(new Date(facts.startedAt), timeline, logPositionOf(facts.startPosition))
      const folder = join(parent, name)
      await renameDurably(unfinished, folder)
      await enlistCopies(wish.folder, systemId, wish.key)
      return { name, folder, facts }
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  } finally {
    await replication.end()
  }
}

async function refuseSecond(replication: Replication): Promise<void> {
  const [rows] = await replication.ask(`select ${tryLockUntilDisconnected('copies')} as is_free`)
  if (rows?.[0]?.['is_free'] !== 't') throw new BackupRefused('Another backup of this database is under way.')
}

/** Removes what killed copies left: the holder of the lock is alone. */
async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(UNFINISHED)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

async function writeCopy(
  wish: CopyRequest,
  replication: Replication,
  folder: string,
  system: Pick<CopyFacts, 'systemId' | 'timeline'>,
): Promise<CopyFacts> {
  const { key } = wish
  const platform = await baseMapFacts(replication)
  const startedAt = await databaseNow(replication)
  const base = startBaseBackup(replication)
  // The stream that is read fails as well, so this failure is known.
  base.ended.catch(() => undefined)
  const database = await sealInto(join(folder, DATABASE_FILE), base.archive, { key })
  const manifest = await sealInto(join(folder, MANIFEST_FILE), base.manifest, { key })
  const { start, end } = await base.ended
  const endedAt = await databaseNow(replication)
  const files = await sealInto(join(folder, FILES_FILE), dataFilesTar(wish.dataFolder, resolve(wish.folder)), { key })
  const facts: CopyFacts = {
    ...system,
    ...platform,
    isEmbedded: wish.isEmbedded,
    startPosition: writtenPosition(start),
    endPosition: writtenPosition(end),
    startedAt,
    endedAt,
    files: [database, manifest, files],
    isListed: true,
  }
  await sealInto(join(folder, SUMMARY_FILE), [], { kind: 'summary', facts, key })
  return facts
}

async function baseMapFacts(replication: Replication) {
  const [rows] = await replication.ask(`
    select current_setting('server_version_num')::int / 10000 as major,
           pg_size_bytes(current_setting('wal_segment_size')) as segment_bytes,
           (select max(number) from migration) as migration`)
  const row = rows?.[0]
  return {
    major: Number(row?.['major']),
    segmentBytes: Number(row?.['segment_bytes']),
    migration: Number(row?.['migration'] ?? 0),
  }
}

async function databaseNow(replication: Replication): Promise<string> {
  const [rows] = await replication.ask('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms')
  return new Date(Number(rows?.[0]?.['ms'])).toISOString()
}
