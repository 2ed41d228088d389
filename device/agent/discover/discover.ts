import { mkdirSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { DRIVERS_OF_CLIENT } from '#device/hardware/composed/drivers.ts'
import { discoverParts, type FoundPart } from '#device/hardware/discovery/discoverParts.ts'
import { writeDurably } from '#device/launcher/durable.ts'
import { ConfigurationError } from '../store/configuration.ts'
import { addComponents } from './addComponents.ts'
import { hostsOf, ownNetworks, type SeenPort, seenPorts, serialPorts } from './lookAround.ts'

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
export async function runDiscovery({ file, dataFolder, networks, clientVersion }: DiscoverOptions): Promise<void> {
  const ask = process.stdin.isTTY ? askPerson : async () => false
  const scanned = networks.length > 0 ? networks : await agreedNetworks(ask)
  const hosts = [THIS_COMPUTER, ...scanned.flatMap(requireHosts)]
  console.log(
    `Looking at this computer${scanned.length > 0 ? ` and ${scanned.join(', ')}` : ''}. This takes up to a minute.`,
  )
  const around = { hosts, serialPorts: serialPorts(COMPUTER), log: () => undefined }
  const parts = await discoverParts(DRIVERS_OF_CLIENT, around)
  const discovery: Discovery = { at: new Date().toISOString(), clientVersion, parts, seen: seenPorts(COMPUTER) }
  for (const line of linesOf(discovery)) console.log(line)
  const draft = join(dataFolder, DISCOVERY_FILE)
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  writeDurably(draft, `${JSON.stringify(discovery, undefined, 2)}\n`)
  console.log(`Kept in ${draft}.`)
  if (file === undefined || parts.length === 0) return
  const isAgreed = await ask(`Add these parts to ${file}, where it names none of them yet?`)
  if (!isAgreed) return
  const added = addComponents(file, parts)
  console.log(added.length > 0 ? `Added: ${added.join(', ')}. Restart the client.` : 'It names all of them already.')
}

async function agreedNetworks(ask: (question: string) => Promise<boolean>): Promise<readonly string[]> {
  const agreed: string[] = []
  for (const network of ownNetworks(networkInterfaces())) {
    if (await ask(`Ask every address of ${network} whether it is a display or a UPS?`)) agreed.push(network)
  }
  return agreed
}

function requireHosts(network: string): readonly string[] {
  const hosts = hostsOf(network)
  if (hosts) return hosts
  throw new ConfigurationError(`--network is "${network}", but must be a network such as 192.168.1.0/24, no larger.`)
}

async function askPerson(question: string): Promise<boolean> {
  const line = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await line.question(`${question} [y/N] `)).trim())
  } finally {
    line.close()
  }
}

export function linesOf({ parts, seen }: Pick<Discovery, 'parts' | 'seen'>): readonly string[] {
  const used = new Set(parts.map(({ options }) => options.path))
  const silent = seen.filter(({ name }) => !used.has(name))
  return [
    ...(parts.length > 0 ? ['Found:'] : ['No part has answered.']),
    ...parts.map(({ part, driver, words }) => `  ${part} (${driver}): ${words}`),
    ...(silent.length > 0 ? ['Also here; nothing is known of what is connected to it:'] : []),
    ...silent.map(({ kind, name }) => `  ${kind}: ${name}`),
  ]
}
