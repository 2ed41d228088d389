import { mkdirSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { DRIVERS_OF_CLIENT } from '#device/hardware/composed/drivers.ts'
import { discoverParts, type FoundPart } from '#device/hardware/discovery/discoverParts.ts'
import { writeDurably } from '#device/launcher/durable.ts'
import { ConfigurationError, readConfiguration } from '../store/configuration.ts'
import { addComponents, allowNetwork } from './addComponents.ts'
import { hostsOf, networkOf, ownNetworks, type SeenPort, seenPorts, serialPorts } from './lookAround.ts'

/** The draft lies in the data folder of the client, which sends it once it is connected. */
export const DISCOVERY_FILE = 'discovery.json'

const COMPUTER = { dev: '/dev', sys: '/sys' }
const THIS_COMPUTER = '127.0.0.1'

export interface DiscoverOptions {
  /** The device's own file, to which what was found is added when somebody agrees. */
  readonly file: string | undefined
  readonly dataFolder: string
  /** These networks are asked without a question. */
  readonly networks: readonly string[]
  /** Agents of SNMP are asked by these without a question. */
  readonly communities: readonly string[]
  /** Meters are asked by Modbus without a question. */
  readonly asksModbus: boolean
  readonly clientVersion: string
}

/** What the assistant has found, as `discovery.json` keeps it. */
export interface Discovery {
  readonly at: string
  readonly clientVersion: string
  readonly parts: readonly FoundPart[]
  readonly seen: readonly SeenPort[]
}

/** Looks for parts, shows what has answered, and keeps it as a draft. It asks before it scans a network. */
export async function runDiscovery(options: DiscoverOptions): Promise<void> {
  const { file, dataFolder, networks, clientVersion } = options
  // A wrong name is said before somebody has answered questions and waited.
  if (file !== undefined) readConfiguration(file)
  const person = process.stdin.isTTY ? PERSON : NOBODY
  const { ask } = person
  const scanned = networks.length > 0 ? networks : await agreedNetworks(ask)
  const hosts = [THIS_COMPUTER, ...scanned.flatMap(requireHosts)]
  const more = await agreedProtocols(options, person)
  console.log(
    `Looking at this computer${scanned.length > 0 ? ` and ${scanned.join(', ')}` : ''}. This takes up to a minute.`,
  )
  const around = { hosts, serialPorts: serialPorts(COMPUTER), ...more, log: () => undefined }
  const parts = await discoverParts(DRIVERS_OF_CLIENT, around)
  const discovery: Discovery = { at: new Date().toISOString(), clientVersion, parts, seen: seenPorts(COMPUTER) }
  for (const line of linesOf(discovery)) console.log(line)
  const draft = join(dataFolder, DISCOVERY_FILE)
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  writeDurably(draft, `${JSON.stringify(discovery, undefined, 2)}\n`)
  console.log(`Kept in ${draft}.`)
  if (file === undefined || parts.length === 0) return
  await offerNetworks(file, parts, scanned, ask)
  if (!(await ask(`Add these parts to ${file}, where it names none of them yet?`))) return
  const added = addComponents(file, parts)
  console.log(added.length > 0 ? `Added: ${added.join(', ')}. Restart the client.` : 'It names all of them already.')
}

/** Who stands at the device may let the console choose addresses; nothing that comes from the console can (431). */
async function offerNetworks(
  file: string,
  parts: readonly FoundPart[],
  scanned: readonly string[],
  ask: (question: string) => Promise<boolean>,
): Promise<void> {
  const { allowedNetworks } = readConfiguration(file)
  const used = scanned
    .filter((network) => parts.some(({ options }) => hostsOf(network)?.includes(String(options.host))))
    .flatMap((network) => networkOf(network) ?? [])
    .filter((network) => !allowedNetworks.includes(network))
  for (const network of used) {
    if (!(await ask(`May the console choose addresses in ${network} for drivers of this device?`))) continue
    allowNetwork(file, network)
    console.log(`The console may choose addresses in ${network}. Restart the client.`)
  }
}

/** The question of SNMP needs its community, and Modbus is read by whatever listens. */
async function agreedProtocols(
  { communities, asksModbus }: Pick<DiscoverOptions, 'communities' | 'asksModbus'>,
  { ask, askText }: Person,
) {
  const named =
    communities.length > 0 ? communities : [await askText('Community of SNMP, to ask UPS cards and switches there')]
  return {
    communities: named.filter(Boolean),
    asksModbus: asksModbus || (await ask('Ask for energy meters by Modbus, there and at serial ports?')),
  }
}

async function agreedNetworks(ask: (question: string) => Promise<boolean>): Promise<readonly string[]> {
  const agreed: string[] = []
  for (const network of ownNetworks(networkInterfaces())) {
    if (await ask(`Ask every address of ${network} whether it is a display, a UPS or a hub?`)) agreed.push(network)
  }
  return agreed
}

function requireHosts(network: string): readonly string[] {
  const hosts = hostsOf(network)
  if (hosts) return hosts
  throw new ConfigurationError(`--network is "${network}", but must be a network such as 192.168.1.0/24, no larger.`)
}

/** Whoever stands at the device; without a terminal nobody does, and nothing is agreed. */
interface Person {
  ask(question: string): Promise<boolean>
  /** Returns an empty text when the question is left out. */
  askText(question: string): Promise<string>
}

const NOBODY: Person = { ask: async () => false, askText: async () => '' }
const PERSON: Person = {
  ask: async (question) => /^y(es)?$/i.test(await answerTo(`${question} [y/N] `)),
  askText: (question) => answerTo(`${question} (empty: do not ask): `),
}

async function answerTo(question: string): Promise<string> {
  const line = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await line.question(question)).trim()
  } finally {
    line.close()
  }
}

export function linesOf({ parts, seen }: Pick<Discovery, 'parts' | 'seen'>): readonly string[] {
  const used = new Set(parts.map(({ options }) => options.path))
  const serials = parts.flatMap(({ options }) => (typeof options.serial === 'string' ? [options.serial] : []))
  const silent = seen.filter(({ name }) => !used.has(name) && !serials.some((serial) => name.includes(serial)))
  return [
    ...(parts.length > 0 ? ['Found:'] : ['No part has answered.']),
    ...parts.map(({ part, driver, words }) => `  ${part} (${driver}): ${words}`),
    ...(silent.length > 0 ? ['Also here; nothing is known of what is connected to it:'] : []),
    ...silent.map(({ kind, name }) => `  ${kind}: ${name}`),
  ]
}
