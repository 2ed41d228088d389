import { fstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigurationError } from '#device/agent/store/configuration.ts'
import { clientVersion } from '#device/agent/version.ts'
import { readFleet } from './fleetFile.ts'
import { startSimulator } from './simulator.ts'

const USAGE = `Usage: node device/simulator/main.ts --fleet FILE [--data DIR]
  --fleet  the fleet file (see contract/fleet.ts)
  --data   where the agents keep what is unsent; default: simulator beside the fleet file`
const LOOK_EVERY_MS = 5000
const SWITCHING_MS = 1500
/** The launcher of a real device allows the same time. */
const TRIAL_MS = 120_000
/** A stopped simulator ends after this time, whatever its connections do. */
const LONGEST_STOP_MS = 600

function readOptions() {
  try {
    const { values } = parseArgs({ options: { fleet: { type: 'string' }, data: { type: 'string' } } })
    if (values.fleet === undefined) throw new ConfigurationError(USAGE)
    return { fleetFile: resolve(values.fleet), data: values.data }
  } catch (error) {
    throw error instanceof ConfigurationError ? error : new ConfigurationError(`${(error as Error).message}\n${USAGE}`)
  }
}

/** A parent that is gone closes the channel or the pipe; a terminal or /dev/null says nothing about parents. */
function onParentGone(end: () => void): void {
  if (process.send) {
    process.once('disconnect', end)
    return
  }
  try {
    const stdin = fstatSync(0)
    if (!stdin.isFIFO() && !stdin.isSocket()) return
  } catch {
    return
  }
  process.stdin.once('end', end)
  process.stdin.once('error', end)
  process.stdin.resume()
}

function main(): void {
  const { fleetFile, data } = readOptions()
  const simulator = startSimulator({
    fleet: readFleet(fleetFile),
    dataFolder: resolve(data ?? join(dirname(fleetFile), 'simulator')),
    clientVersion: clientVersion(),
    trialMs: TRIAL_MS,
    lookEveryMs: LOOK_EVERY_MS,
    switchingMs: SWITCHING_MS,
    log: (line) => console.log(line),
  })
  let isEnding = false
  const end = () => {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(0), LONGEST_STOP_MS).unref()
    void simulator.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  onParentGone(end)
  // A parent that died in the middle of a line must not cause an error here.
  process.stdout.on('error', end)
}

try {
  main()
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
