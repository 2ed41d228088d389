import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AssignedRelease, ClientProgress } from '#contract/mqtt/client.ts'
import { releaseFileName } from '#domain/releases/header.ts'
import { type ReleaseServer, startReleaseServer } from './releaseServer.ts'
import { offerOf, type Releases } from './releases.ts'
import { temporaryFolder } from './testAgent.ts'
import { startTestBroker, type TestBroker, until } from './testBroker.ts'

const KEY = 'secret-key'
const LONGEST_WAIT_MS = 60_000
const PRELOAD = new URL('./killAtOperation.mjs', import.meta.url).href

/** A broker, a server of releases, and devices under their launchers: every part but the server is the product's. */
export interface UpdateRig {
  readonly broker: TestBroker
  readonly server: ReleaseServer
  readonly releases: Releases
  readonly launcher: string
  addDevice(options?: DeviceOptions): Promise<RigDevice>
  /** Makes the release available for download. */
  publish(release: Uint8Array, updateId?: string): AssignedRelease
  stop(): Promise<void>
}

interface DeviceOptions {
  readonly first?: string
  readonly releaseKeys?: readonly string[]
  readonly trialSeconds?: number
  readonly agentArguments?: readonly string[]
}

/** One device with its own folder; it can be started and killed again and again. */
export interface RigDevice {
  readonly guid: string
  readonly folder: string
  /** Assigns the release at each connect, and now if the device is connected. */
  offer(offer: AssignedRelease | null): Promise<void>
  /**
   * `killAt` is the step after which launcher and client are killed, as `killAtOperation.mjs` names it; `failAt` is a
   * pattern of steps that find the disk full.
   */
  start(trouble?: { readonly killAt?: string; readonly failAt?: string }): void
  /** Resolves when launcher and client have ended without being killed. */
  gone(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** Kills everything at once, as a power cut does. */
  kill(): Promise<void>
  stop(): Promise<void>
  pid(): number
  command(): readonly string[]
  output(): string
  ledger(): readonly string[]
  progress(updateId: string): readonly ClientProgress[]
  /** Resolves with the device's last report about this update. */
  ended(updateId: string): Promise<ClientProgress>
  reportedVersion(): string | undefined
  state(name: string): Record<string, unknown> | undefined
  programs(): readonly string[]
  downloads(): readonly string[]
}

export async function startUpdateRig(releases: Releases): Promise<UpdateRig> {
  const offers = new Map<string, AssignedRelease | null>()
  let version = 0
  const documentOf = (guid: string) => ({
    version: ++version,
    modelId: 1,
    timeZone: 'UTC',
    components: [],
    client: offers.get(guid) ?? null,
  })
  const broker = await startTestBroker({ settings: documentOf, isAllowed: (_, key) => key === KEY })
  const server = await startReleaseServer()
  const devices: RigDevice[] = []
  const launcher = join(temporaryFolder(), 'wayside-launcher.mjs')
  writeFileSync(launcher, releases.launcher)
  return {
    broker,
    server,
    releases,
    launcher,
    publish: (release, updateId) => {
      const offer = offerOf(release, updateId)
      server.add(offer.sha256, release)
      return offer
    },
    addDevice: async (options = {}) => {
      const guid = randomUUID()
      const offer = async (next: AssignedRelease | null) => {
        offers.set(guid, next)
        await broker.send(`v1/devices/${guid}/settings`, documentOf(guid))
      }
      const device = await createDevice({ guid, launcher, broker, server, releases, offer }, options)
      devices.push(device)
      return device
    },
    stop: async () => {
      await Promise.all(devices.map((device) => device.kill()))
      await Promise.all([broker.stop(), server.stop()])
      // Each folder holds megabytes of programs.
      for (const folder of [dirname(launcher), ...devices.map((device) => device.folder)]) {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

interface Surroundings extends Omit<UpdateRig, 'addDevice' | 'publish' | 'stop'>, Pick<RigDevice, 'guid' | 'offer'> {}

async function createDevice(around: Surroundings, options: DeviceOptions): Promise<RigDevice> {
  const { guid, broker, server, releases, offer } = around
  const { first = '1.0.0', releaseKeys = [releases.publicKey], trialSeconds = 30, agentArguments = [] } = options
  const folder = temporaryFolder()
  const [config, firstFile] = [join(folder, 'device.json'), join(folder, releaseFileName(first))]
  const [data, ledgerFile] = [join(folder, 'data'), join(folder, 'ledger.txt')]
  const client = join(data, 'client')
  writeFileSync(firstFile, await releases.agent(first))
  writeFileSync(
    config,
    JSON.stringify({ guid, key: KEY, mqttUrl: broker.url, httpUrl: server.url, name: 'Here', modelId: 1, releaseKeys }),
  )
  let child: ChildProcess | undefined
  let ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }> | undefined
  let output = ''
  const progress = (updateId: string) =>
    broker.replies
      .filter(({ commandId }) => commandId === `client-${updateId}`)
      .map(({ reply }) => reply as unknown as ClientProgress)
  const endOf = (updateId: string) => progress(updateId).find(({ step }) => step === 'done' || step === 'failed')
  const kill = async () => {
    if (child?.pid === undefined) return
    try {
      // The whole process group is killed, so that the client goes with its launcher.
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process has ended already.
    }
    await ended
  }
  const own = ['--config', config, '--data', data, '--first', firstFile, '--trial-seconds', String(trialSeconds)]
  const command = [around.launcher, ...own, '--driver', 'pretend', ...agentArguments]
  const device: RigDevice = {
    guid,
    folder,
    offer,
    start: ({ killAt, failAt } = {}) => {
      writeFileSync(ledgerFile, '')
      const started = spawn(process.execPath, command, {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          NODE_OPTIONS: `--import ${PRELOAD}`,
          KILL_LEDGER: ledgerFile,
          ...(killAt === undefined ? {} : { KILL_AT: killAt }),
          ...(failAt === undefined ? {} : { FAIL_AT: failAt }),
        },
      })
      child = started
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      }
      ended = once(started, 'close').then(([code, signal]) => ({ code, signal }))
    },
    gone: () => ended ?? Promise.reject(new Error('It was never started.')),
    kill,
    stop: async () => {
      child?.kill('SIGTERM')
      await ended
    },
    pid: () => child?.pid ?? 0,
    command: () => command,
    output: () => output,
    ledger: () => readFileSync(ledgerFile, 'utf8').split('\n').filter(Boolean),
    progress,
    ended: async (updateId) => {
      await until(() => endOf(updateId) !== undefined, `an end of the update; it said:\n${output}`, LONGEST_WAIT_MS)
      return endOf(updateId) as ClientProgress
    },
    reportedVersion: () => {
      const report = broker.reports.findLast((one) => one.guid === guid && 'client_version' in one.values)
      return report === undefined ? undefined : String(report.values.client_version)
    },
    state: (name) => {
      const text = textOf(join(client, `${name}.json`))
      return text === undefined ? undefined : JSON.parse(text)
    },
    programs: () => readdirSync(join(client, 'files')),
    downloads: () => readdirSync(join(client, 'download')),
  }
  return device
}

/** Reads and checks in one step, because launcher and client delete files at any moment. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
