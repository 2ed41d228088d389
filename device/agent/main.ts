import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DRIVER_NAMES, FAULT_KINDS, type FaultSchedule, faultSchedule } from '#contract/fleet.ts'
import { composeHardware } from '#device/hardware/composed/composedHardware.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { createHostHardware } from '#device/hardware/host/hostHardware.ts'
import { createPretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import { ALIVE, NEXT_VERSION_EXIT_CODE } from '#device/launcher/clientFolder.ts'
import { readClaimSettings } from '#device/launcher/config.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { claimConfiguration } from './claim/claimConfiguration.ts'
import { readOwnFacts } from './claim/ownFacts.ts'
import { type Agent, DeviceAgent } from './DeviceAgent.ts'
import { runDiscovery } from './discover/discover.ts'
import { tellDiscovery } from './discover/tellDiscovery.ts'
import { trustAlso } from './link/trust.ts'
import type { FirstSettings } from './settings/SettingsApplier.ts'
import { type Configuration, ConfigurationError, readConfiguration } from './store/configuration.ts'
import { openStore } from './store/store.ts'
import { openClientPlace } from './updates/clientPlace.ts'
import { clientVersion } from './version.ts'

const USAGE = `Usage: npm run agent -- --config FILE [--server ADDRESS] [--data DIR] [--driver host|pretend] [--fault KIND]
  --config  the file that the console hands out (menu of the device, Download configuration)
  --server  the address of the console, or WAYSIDE_SERVER: without the file, the device asks there to be claimed, shows a
            code, and writes the file (wayside-device.json unless --config names it). With WAYSIDE_CLAIM_KEY it waits to
            be accepted instead
  --data    where unsent reports are kept; default: wayside-agent beside the configuration file
  --driver  what no driver is named for in the file (components): host, this very machine (default); pretend, a made-up
            display in Munich
  --fault   with --driver pretend, may be repeated: what is wrong with it, all the time; one of
            ${FAULT_KINDS.join(', ')}
  --discover  looks for displays, UPSes and serial ports instead, keeps what answers as a draft in the data folder, and
              offers to add it to the file; it asks before it scans a network
  --network   with --discover, may be repeated: scans this network without asking, such as 192.168.1.0/24
  --community  with --discover, may be repeated: asks agents of SNMP by this community without asking you
  --modbus    with --discover: asks for energy meters by Modbus without asking you; nothing is written`
const STORE_BYTES = 200 * 1024 * 1024
const LOOK_EVERY_MS = 5000
const CLAIMED_FILE = 'wayside-device.json'
const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`)
const PRETEND_PLACE = { seed: 1, latitude: 48.14, longitude: 11.58 }

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        config: { type: 'string' },
        server: { type: 'string' },
        data: { type: 'string' },
        driver: { type: 'string', default: 'host' },
        fault: { type: 'string', multiple: true, default: [] },
        // The launcher passes its folder, and the id of the update during a trial. Later versions must accept them too.
        client: { type: 'string' },
        trial: { type: 'string' },
        discover: { type: 'boolean', default: false },
        network: { type: 'string', multiple: true, default: [] },
        community: { type: 'string', multiple: true, default: [] },
        modbus: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    throw new ConfigurationError(`${(error as Error).message}\n${USAGE}`)
  }
}

function alwaysThere(kind: string): FaultSchedule {
  const parsed = faultSchedule.safeParse({ kind, everyMinutes: 1, forMinutes: 1 })
  if (parsed.success) return parsed.data
  throw new ConfigurationError(`--fault is "${kind}", but must be one of: ${FAULT_KINDS.join(', ')}.`)
}

interface HardwareChoice {
  readonly driver: string
  readonly faults: readonly string[]
}

/** The options that the launcher passes; without a folder there is no launcher. */
interface Launch {
  readonly folder: string | undefined
  readonly trialId: string | undefined
}

function baseFor(
  { driver, faults }: HardwareChoice,
  firstSettings: FirstSettings,
  dataFolder: string,
  version: string,
): Hardware {
  if (driver === 'host') return createHostHardware({ clientVersion: version, dataFolder })
  if (driver !== 'pretend') {
    throw new ConfigurationError(`--driver is "${driver}", but must be one of: ${DRIVER_NAMES.join(', ')}.`)
  }
  return createPretendHardware({
    place: PRETEND_PLACE,
    fitting: firstSettings,
    faults: faults.map(alwaysThere),
    clientVersion: version,
    now: Date.now,
    switchingMs: 1500,
  })
}

function startAgent(
  configuration: Configuration,
  choice: HardwareChoice,
  launch: Launch,
  dataFolder: string,
): () => Promise<void> {
  const version = clientVersion()
  const { modelId, guid } = configuration
  const firstSettings = { modelId, timeZone: 'UTC', components: [...standardComponents(modelId)] }
  const hardware = composeHardware({
    base: baseFor(choice, firstSettings, dataFolder, version),
    own: configuration.components,
    allowedNetworks: configuration.allowedNetworks,
    steadyMs: () => performance.now(),
    log,
    say: (words) => agent.say(words),
  })
  const store = openStore({
    file: join(dataFolder, 'agent.sqlite'),
    maximumBytes: STORE_BYTES,
    groupMs: 20,
    onDropped: (_, count) => agent.say(`The store is full: the ${count} oldest entries were given up.`),
    say: (sentence) => agent.say(sentence),
  })
  const stop = async () => {
    endTelling()
    await agent.stop()
    store.close()
  }
  const { folder, trialId } = launch
  const restart = () => void stop().then(() => process.exit(NEXT_VERSION_EXIT_CODE))
  const agent: Agent = new DeviceAgent({
    ...configuration,
    releaseKeys: () => configuration.releaseKeys,
    clientPlace: folder === undefined ? undefined : openClientPlace({ folder, trialId, restart }),
    firstSettings,
    clientVersion: version,
    store: store.device(guid),
    hardware,
    now: Date.now,
    random: Math.random,
    lookEveryMs: LOOK_EVERY_MS,
    countsStarts: true,
    // If the launcher is gone, its disconnect ends this program, so a failed message needs no handling.
    onLooked: () => process.connected && process.send?.(ALIVE, () => undefined),
    log,
  })
  log(`${configuration.name} (${guid}) reports to ${configuration.mqttUrl}; unsent reports are kept in ${dataFolder}.`)
  agent.start()
  const endTelling = tellDiscovery(agent, dataFolder)
  return stop
}

/** @returns false when the program was ended before somebody claimed the device */
async function claimed(file: string, dataFolder: string, server: string): Promise<boolean> {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  process.once('disconnect', end)
  const { claimKey, allowedNetworks, pageFolder } = readClaimSettings()
  await claimConfiguration({
    ...{ server, claimKey, allowedNetworks, pageFolder },
    facts: readOwnFacts(clientVersion()),
    ...{ file, dataFolder, log, random: Math.random, signal: ending.signal },
  })
  process.off('SIGTERM', end).off('SIGINT', end).off('disconnect', end)
  return !ending.signal.aborted
}

/** Looks for the parts of the device instead of starting it. */
function discover({ config, data, network, community, modbus }: ReturnType<typeof readOptions>): Promise<void> {
  const file = config === undefined ? undefined : resolve(config)
  const dataFolder = resolve(data ?? (file === undefined ? '.' : join(dirname(file), 'wayside-agent')))
  return runDiscovery({
    ...{ file, dataFolder, networks: network, communities: community, asksModbus: modbus },
    clientVersion: clientVersion(),
  })
}

async function main(): Promise<void> {
  const options = readOptions()
  if (options.discover && !options.help) return discover(options)
  const server = options.server ?? readClaimSettings().server
  if (options.help || (options.config === undefined && server === undefined)) throw new ConfigurationError(USAGE)
  const file = resolve(options.config ?? CLAIMED_FILE)
  const dataFolder = resolve(options.data ?? join(dirname(file), 'wayside-agent'))
  if (server !== undefined && !existsSync(file) && !(await claimed(file, dataFolder, server))) return
  const configuration = readConfiguration(file)
  trustAlso(file, configuration.trustedCertificates)
  if (options.trial !== undefined && options.fault.includes('clientUpdateFails')) {
    throw new ConfigurationError('This pretend device starts no new client.')
  }
  const launch = { folder: options.client, trialId: options.trial }
  const stop = startAgent(configuration, { driver: options.driver, faults: options.fault }, launch, dataFolder)
  const end = () => {
    void stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // Nothing would prevent a second client if the launcher were gone.
  if (options.client !== undefined) process.once('disconnect', end)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
