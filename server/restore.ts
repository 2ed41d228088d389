import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backupKeyOf } from './backup/backupKey.ts'
import { restoreCluster } from './backup/restoreCluster.ts'
import { type Restored, restoreCopy } from './backup/restoreCopy.ts'
import { BackupRefused } from './backup/seal/backupRefused.ts'
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
      `${values.cluster} is ready for PostgreSQL ${copy.facts.major}, with the log up to ${reachesTo.toISOString()}: ` +
        `start it, and wait until it says "archive recovery complete". How far it came is what it says itself: ` +
        `"last completed transaction was at log time …". Then set DATABASE_URL.`,
    )
    return
  }
  console.log(`${restoredWords(await restoreCopy(wish))} Start Wayside; it takes a new copy at once.`)
}

/** The moment that is told is that of the last commit which was played, not one that was hoped for. */
function restoredWords({ copy, pieces, reachesTo, lastCommitAt }: Restored): string {
  const behind =
    pieces.length === 0 ? 'no log follows it' : `no change was committed behind it up to ${reachesTo.toISOString()}`
  if (!lastCommitAt) return `Restored as of ${copy.facts.endedAt}, when ${copy.name} was taken: ${behind}.`
  const restored = `Restored as of ${lastCommitAt.toISOString()}, the last commit`
  return lastCommitAt < reachesTo
    ? `${restored}: nothing was committed between that and ${reachesTo.toISOString()}.`
    : `${restored} in the log that was kept.`
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof Error && (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? USAGE : error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
