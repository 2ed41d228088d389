import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backupKeyOf } from './backup/backupKey.ts'
import { BackupRefused } from './backup/backupRefused.ts'
import { restoreCluster } from './backup/restoreCluster.ts'
import { restoreCopy } from './backup/restoreCopy.ts'
import { takeConfig } from './config.ts'

const USAGE = [
  'Usage:',
  '  npm run restore                               (the newest of WAYSIDE_BACKUP_FOLDER into an empty WAYSIDE_DATA)',
  '  npm run restore -- --until 2026-11-23T20:00Z  (as it was then)',
  '  npm run restore -- --from FOLDER              (of another folder of backups)',
  '  npm run restore -- --copy NAME                (this copy and what follows it)',
  '  npm run restore -- --system ID                (of this database, where the folder holds several)',
  '  npm run restore -- --cluster FOLDER           (the data directory of a PostgreSQL of your own)',
].join('\n')

const text = { type: 'string' } as const

function momentOf(given: string | undefined): Date | undefined {
  if (given === undefined) return undefined
  const moment = new Date(given)
  // Without a zone it would be another moment on another machine.
  if (Number.isNaN(moment.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(given)) {
    throw new BackupRefused(`--until needs a moment with its zone, as 2026-11-23T20:00:00Z, not "${given}".`)
  }
  return moment
}

async function main(given: string[]): Promise<void> {
  const { values } = parseArgs({
    args: given,
    options: { from: text, until: text, copy: text, system: text, cluster: text },
  })
  const config = takeConfig()
  const folder = values.from ?? config.backupFolder
  if (folder === undefined) throw new BackupRefused(USAGE)
  const until = momentOf(values.until)
  const wish = {
    folder: resolve(folder),
    dataFolder: resolve(config.dataFolder),
    key: backupKeyOf(config),
    say: (sentence: string) => console.log(sentence),
    ...(until ? { until } : {}),
    ...(values.copy === undefined ? {} : { name: values.copy }),
    ...(values.system === undefined ? {} : { systemId: values.system }),
  }
  if (values.cluster !== undefined) {
    const { copy, reachesTo } = await restoreCluster({ ...wish, cluster: resolve(values.cluster) })
    console.log(
      `${values.cluster} is ready for PostgreSQL ${copy.facts.major} as of ${reachesTo.toISOString()}: ` +
        `start it, wait until it says "archive recovery complete", and set DATABASE_URL.`,
    )
    return
  }
  const { reachesTo } = await restoreCopy(wish)
  console.log(`Restored as of ${reachesTo.toISOString()}. Start Wayside; it takes a new copy at once.`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof Error && (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? USAGE : error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
