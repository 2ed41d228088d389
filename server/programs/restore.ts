import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backupKeyOf } from '../backup/backupKey.ts'
import { restoreCluster } from '../backup/restore/restoreCluster.ts'
import { readUntil, restoredText } from '../backup/restore/restoreCommand.ts'
import { restoreCopy } from '../backup/restore/restoreCopy.ts'
import { BackupRefused } from '../backup/seal/backupRefused.ts'
import { readSecretKeys, secretKeyPath } from '../secrets/secretKeyFile.ts'
import { type Config, takeConfig } from '../settings/config.ts'

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

async function main(given: string[]): Promise<void> {
  const { values } = parseArgs({
    args: given,
    options: { from: text, until: text, copy: text, system: text, cluster: text },
  })
  const config = takeConfig()
  const folder = values.from ?? config.backupFolder
  if (folder === undefined) throw new BackupRefused(USAGE)
  const until = values.until === undefined ? undefined : readUntil(values.until)
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
    const { copy, wholeTo } = await restoreCluster({ ...wish, cluster: resolve(values.cluster) })
    const log = wholeTo ? `with the log up to ${wholeTo.toISOString()}` : `as ${copy.name} alone`
    console.log(
      `${values.cluster} is ready for PostgreSQL ${copy.facts.major}, ${log}: ` +
        `start it, and wait until it says "archive recovery complete". How far it came is what it says itself: ` +
        `"last completed transaction was at log time …". Then set DATABASE_URL.`,
    )
    if (readSecretKeys(config).length === 0) console.log(keyIsMissing(config))
    return
  }
  console.log(`${restoredText(await restoreCopy(wish))} Start Wayside; it takes a new copy at once.`)
  if (readSecretKeys(config).length === 0) console.log(keyIsMissing(config))
}

/** No backup holds the key. */
const keyIsMissing = (config: Config) =>
  `The key of kept secrets is in no backup. Put it into ${resolve(secretKeyPath(config))} or set WAYSIDE_SECRETS_KEY first; ` +
  'without it everything else works, and secrets of channels, identity providers, authenticator apps and drivers cannot be read.'

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof Error && (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? USAGE : error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
