import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { backupKeyOf } from '../backup/backupKey.ts'
import { readBackupState, refuseWithoutKey } from '../backup/backupState.ts'
import { checkBackups } from '../backup/copies/checkBackups.ts'
import { takeCopy } from '../backup/copies/takeCopy.ts'
import { chainFrom, copiesIn, gapsBetween, piecesIn, restorableTo, systemsIn } from '../backup/log/copyNames.ts'
import { logPositionOf } from '../backup/log/logPosition.ts'
import { BackupRefused } from '../backup/seal/backupRefused.ts'
import { stopHoldingLog } from '../backup/slot/unusedSlot.ts'
import { openPool } from '../db/connect/pool.ts'
import { isDistributed } from '../db/distribute/citusState.ts'
import { CLOSED_DAY_TABLE } from '../db/partitions/readingTables.ts'
import { type Config, ConfigError, takeConfig } from '../settings/config.ts'
import { openServersDatabase } from './openDatabase.ts'

const USAGE = [
  'Usage:',
  '  npm run backup                    (a whole copy, beside a server that runs or not, into WAYSIDE_BACKUP_FOLDER)',
  '  npm run backup -- --to FOLDER     (into another folder)',
  '  npm run backup -- --list          (which copies there are, and up to when each can be restored)',
  '  npm run backup -- --check         (reads all of it to the last byte, and says what is damaged, missing or not in its place)',
  '  npm run backup -- --off           (backups end for good: the database no longer holds its log for them)',
].join('\n')

async function take(config: Config, folder: string, key: Buffer | undefined): Promise<void> {
  const { ownerUrl, close } = await openServersDatabase(config)
  try {
    await withOwner(ownerUrl, async (owner) => refuseWithoutKey(await readBackupState(folder, owner, key)))
    const isEmbedded = config.databaseUrl === undefined
    const { name, facts } = await takeCopy({
      ownerUrl,
      isEmbedded,
      dataFolder: resolve(config.dataFolder),
      folder,
      key,
    })
    const bytes = facts.files.reduce((sum, file) => sum + file.bytes, 0)
    console.log(`${name} is whole: ${megabytes(bytes)}, ${key ? 'encrypted' : 'not encrypted'}, read again and right.`)
    const hasWorkers = await withOwner(ownerUrl, (owner) => isDistributed(owner, CLOSED_DAY_TABLE))
    if (hasWorkers)
      console.log(
        'It holds the coordinator alone. Readings are on the workers of Citus, which need backups of their own (docs/guide/run/more-than-one-machine.md).',
      )
  } finally {
    await close()
  }
}

async function withOwner<Found>(ownerUrl: string, work: (owner: pg.Pool) => Promise<Found>): Promise<Found> {
  const owner = openPool(ownerUrl, { maximumConnections: 1, name: 'backup' })
  return work(owner).finally(() => owner.end())
}

async function turnOff(config: Config): Promise<void> {
  if (config.backupFolder !== undefined)
    throw new Error('WAYSIDE_BACKUP_FOLDER is set: unset it first, and start the server without it.')
  const { ownerUrl, close } = await openServersDatabase(config)
  try {
    const wasHeld = await withOwner(ownerUrl, stopHoldingLog)
    console.log(
      wasHeld ? 'The database no longer holds its log for backups.' : 'The database holds no log for backups.',
    )
  } finally {
    await close()
  }
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`

async function list(folder: string): Promise<void> {
  for (const systemId of await systemsIn(folder)) {
    const { copies, unreadable } = await copiesIn(folder, systemId)
    const pieces = await piecesIn(folder, systemId)
    console.log(`Database ${systemId}`)
    for (const copy of copies) {
      const { name, facts } = copy
      const end = logPositionOf(facts.endPosition)
      const last = chainFrom(pieces, facts.timeline, end).at(-1)
      const reaches = restorableTo(copy, last?.reachesTo).toISOString()
      const bytes = facts.files.reduce((sum, file) => sum + file.bytes, 0)
      console.log(`  ${name}  ${megabytes(bytes)}  from ${facts.endedAt} to ${reaches}`)
    }
    for (const timeline of new Set(copies.map(({ facts }) => facts.timeline))) {
      const isOfIt = (one: { readonly timeline: number }) => one.timeline === timeline
      const gaps = gapsBetween(
        copies.filter(({ facts }) => isOfIt(facts)),
        pieces.filter(isOfIt),
      )
      for (const { from, to } of gaps) {
        console.log(`  GAP: from ${from.toISOString()} ${to ? `to ${to.toISOString()}` : 'on'} nothing can be restored`)
      }
    }
    for (const why of unreadable) console.log(`  NOT USABLE: ${why}`)
  }
}

async function check(folder: string, key: Buffer | undefined): Promise<void> {
  const { count, wrong, notes } = await checkBackups(folder, key)
  for (const note of notes) console.log(note)
  if (wrong.length > 0) throw new BackupRefused(wrong.join('\n'))
  console.log(`${count} copies and pieces of the log are right to their last byte, and none is missing.`)
}

async function main(given: string[]): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args: given,
    options: { to: { type: 'string' }, list: flag, check: flag, off: flag },
  })
  const config = takeConfig()
  if (values.off) return turnOff(config)
  const folder = values.to ?? config.backupFolder
  if (folder === undefined || (values.list && values.check)) throw new Error(USAGE)
  if (values.list) return list(resolve(folder))
  const key = backupKeyOf(config)
  return values.check ? check(resolve(folder), key) : take(config, resolve(folder), key)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof Error && (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  const isOurs = error instanceof ConfigError || error instanceof Error
  console.error(isUsage ? USAGE : isOurs ? error.message : String(error))
  process.exitCode = 1
}
