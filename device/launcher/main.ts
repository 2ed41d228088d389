import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openClientFolder } from './clientFolder.ts'
import { readServiceWatch } from './config.ts'
import { InstalledVersions } from './InstalledVersions.ts'
import { Supervisor } from './Supervisor.ts'
import { showLife } from './signsOfLife.ts'

const USAGE = `Usage: node wayside-launcher.mjs --config FILE --first FILE [--data DIR] [--trial-seconds N] [options of the client]
  --config         the file that the console hands out
  --first          the release that is started while there is no other, wayside-client-X.Y.Z.mjs
  --data           where the client keeps what is its own; default: wayside-agent beside the configuration file
  --trial-seconds  how long a new version has to connect before the old one comes back; default: 120`

/** All other options are passed to the client. */
const OWN = ['--config', '--first', '--data', '--trial-seconds'] as const
const TRIAL_SECONDS = 120

/** The text is shown unchanged to whoever starts the program. */
class LaunchError extends Error {}

function readOptions(words: readonly string[]) {
  const own = new Map<string, string>()
  const others: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [name = '', ...joined] = (words[at] ?? '').split('=')
    if (!OWN.some((known) => known === name)) {
      others.push(words[at] ?? '')
      continue
    }
    const value = joined.length > 0 ? joined.join('=') : words[++at]
    if (value === undefined) throw new LaunchError(`${name} needs a value.\n${USAGE}`)
    own.set(name, value)
  }
  const config = own.get('--config')
  const trialSeconds = Number(own.get('--trial-seconds') ?? TRIAL_SECONDS)
  if (config === undefined || others.includes('--help')) throw new LaunchError(USAGE)
  if (!(trialSeconds > 0)) throw new LaunchError('--trial-seconds must be a number above 0.')
  const first = own.get('--first')
  return {
    config: resolve(config),
    first: first === undefined ? undefined : resolve(first),
    data: resolve(own.get('--data') ?? join(dirname(resolve(config)), 'wayside-agent')),
    trialMs: trialSeconds * 1000,
    others,
  }
}

/** Two launchers on one folder would take each other's client for a failed trial. */
function keepAlone(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'launcher.lock'))
  try {
    lock.exec('pragma busy_timeout = 3000; pragma locking_mode = exclusive; begin exclusive;')
  } catch {
    throw new LaunchError(`Another launcher is already running on ${folder}.`)
  }
  return lock
}

async function main(): Promise<void> {
  const { config, first, data, trialMs, others } = readOptions(process.argv.slice(2))
  const log = (line: string) => console.log(`${new Date().toISOString()} Launcher: ${line}`)
  const clientFolder = join(data, 'client')
  const folder = openClientFolder(clientFolder)
  const lock = keepAlone(clientFolder)
  const supervisor = new Supervisor({
    versions: new InstalledVersions(folder, first, log),
    agentArguments: ['--config', config, '--data', data, '--client', clientFolder, ...others],
    trialMs,
    log,
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => supervisor.stop())
  const endLife = showLife(readServiceWatch(), log)
  await supervisor.ended
  endLife()
  lock.close()
}

// The reader of the output may go away, but the client must stay.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  await main()
} catch (error) {
  console.error(error instanceof LaunchError ? error.message : `The launcher cannot go on: ${(error as Error).message}`)
  process.exitCode = 1
}
