import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ClaimFacts, ClaimState } from '#contract/http/devices/claims.ts'
import { removeDurably, writeDurably } from '#device/launcher/durable.ts'
import { backOffMs } from '../link/backOff.ts'
import { askForClaim, type ClaimAnswer } from '../link/claimCalls.ts'
import { ConfigurationError, checkNetwork } from '../store/configuration.ts'
import { claimLines, claimPage, type Shown } from './claimPage.ts'

export interface ClaimOptions {
  readonly server: string
  readonly claimKey: string | undefined
  /** Written into the file beside what the server says, which has no say in them (decisions 214 and 431). */
  readonly allowedNetworks: readonly string[]
  readonly facts: ClaimFacts
  /** The configuration is written here once somebody has claimed the device. */
  readonly file: string
  readonly dataFolder: string
  /** The page lies here if the browser of the display may not read the data folder. */
  readonly pageFolder: string | undefined
  readonly log: (line: string) => void
  readonly random: () => number
  readonly signal: AbortSignal
}

const CODE_EVERY_MS = 3000
const WAITING_EVERY_MS = 15_000
const REFUSED_EVERY_MS = 10 * 60_000
const KEY_BYTES = 32
const READ_BY_ALL = 0o644

const keptClaim = z.object({ key: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

/**
 * Asks the server to be claimed, shows the code, and ends once the configuration is written. The key is made here, is
 * kept over restarts, and is never shown.
 */
export async function claimConfiguration(options: ClaimOptions): Promise<void> {
  const { server, allowedNetworks, file, dataFolder, signal } = options
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new ConfigurationError(`--server is "${server}", but must be an address such as https://wayside.example.`)
  for (const network of allowedNetworks) checkNetwork('WAYSIDE_ALLOWED_NETWORKS', network)
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const keyFile = join(dataFolder, 'claim.json')
  const key = readKey(keyFile) ?? makeKey(keyFile)
  const show = createShow(options)
  let failures = 0
  while (!signal.aborted) {
    const answer = await ask(options, key)
    failures = answer.kind === 'away' ? failures + 1 : 0
    if (answer.kind === 'state' && answer.state.state === 'claimed') {
      const own = allowedNetworks.length > 0 ? { allowedNetworks } : {}
      writeDurably(file, `${JSON.stringify({ ...answer.state.configuration, key, ...own }, undefined, 2)}\n`)
      removeDurably(keyFile)
      show(shownOf(answer, server))
      return
    }
    show(shownOf(answer, server))
    await sleep(waitMsAfter(answer, failures, options), undefined, { signal }).catch(() => undefined)
  }
  // A code that nobody renews must not stay on the display.
  show({ title: 'Not running', text: 'The client was stopped. It shows another code once it is started again.' })
}

/** A server that knows nothing of the device is asked for a claim at once. */
async function ask({ server, claimKey, facts, signal }: ClaimOptions, key: string): Promise<ClaimAnswer> {
  const answer = await askForClaim(server, 'GetState', { key }, signal)
  if (answer.kind !== 'state' || answer.state.state !== 'unknown') return answer
  return askForClaim(server, 'Begin', { key, facts, ...(claimKey === undefined ? {} : { claimKey }) }, signal)
}

function waitMsAfter(answer: ClaimAnswer, failures: number, { random }: ClaimOptions): number {
  if (answer.kind === 'away') return backOffMs(failures, random())
  if (answer.kind === 'refused') return answer.waitMs ?? REFUSED_EVERY_MS
  if (answer.state.state === 'refused') return REFUSED_EVERY_MS
  return answer.state.state === 'waiting' ? WAITING_EVERY_MS : CODE_EVERY_MS
}

function readKey(file: string): string | undefined {
  try {
    return keptClaim.parse(JSON.parse(readFileSync(file, 'utf8'))).key
  } catch {
    return undefined
  }
}

function makeKey(file: string): string {
  const key = randomBytes(KEY_BYTES).toString('base64url')
  writeDurably(file, JSON.stringify({ key }))
  return key
}

type Said = Omit<Shown, 'device'>

function shownOf(answer: ClaimAnswer, server: string): Said {
  if (answer.kind === 'away') return { title: 'No connection to the server', text: `${server}: ${answer.reason}.` }
  if (answer.kind === 'refused') return { title: 'The server refused this device', text: answer.sentence }
  return SHOWN[answer.state.state](answer.state as never)
}

const SHOWN: { readonly [State in ClaimState['state']]: (state: ClaimState & { state: State }) => Said } = {
  unknown: () => ({ title: 'Not known to the server', text: 'It is asked again.' }),
  code: ({ code, address }) => ({
    title: 'Claim this device',
    text: 'Scan the code, or open Devices, Claim a device and type it. It works for ten minutes; then another one is shown.',
    code: { text: code, address },
  }),
  waiting: () => ({ title: 'Waiting to be accepted', text: 'Open Devices, Waiting, and accept this device.' }),
  refused: () => ({ title: 'This device was refused', text: 'Ask whoever manages your devices.' }),
  claimed: ({ customerName, configuration: { name } }) => ({
    title: `Claimed as “${name}” for ${customerName}`,
    text: 'It connects now. If this is wrong, tell whoever manages your devices.',
  }),
}

/** Writes what changed to the log, and the page for the display. */
function createShow({ dataFolder, pageFolder = dataFolder, log, facts }: ClaimOptions): (said: Said) => void {
  const { serialNumbers, macAddresses, hostName } = facts
  const device = [serialNumbers[0], macAddresses[0], hostName].filter(Boolean).join(' · ')
  let before = ''
  return (said) => {
    const lines = claimLines(said)
    if (before === lines.join('\n')) return
    before = lines.join('\n')
    for (const line of lines) log(line)
    const page = join(pageFolder, 'claim.html')
    writeDurably(page, claimPage({ ...said, device }))
    // Nothing on it is secret, and the browser runs as another user.
    chmodSync(page, READ_BY_ALL)
  }
}
