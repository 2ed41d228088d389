import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { dropDatabase, freshDatabase } from './databases.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const START_WITHIN_MS = 90_000
/** How long operators wait for a device: long enough for one that answers, short for one that never does. */
export const ANSWER_SECONDS = 4

export interface RunningSystem {
  readonly httpUrl: string
  readonly mqttUrl: string
  readonly password: string
  readonly dataFolder: string
  /** Its database, as the role that owns the tables. */
  readonly ownerUrl: string
  readonly applicationUrl: string
  stop(): Promise<void>
}

/**
 * The whole product as `npm start` runs it, on free ports, with a folder and a database of its own. Its pretend devices
 * have no past: a journey that needs one tells it (`pretendDevice.ts`, `OwnDevice.report`).
 *
 * @param settings environment variables beside those
 */
export async function startSystem(
  demoDevices: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningSystem> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wayside-e2e-'))
  // Where the database's own user cannot enter, the data would be kept elsewhere and stay behind.
  await chmod(dataFolder, 0o755)
  const password = 'gravel tuba at lantern pier'
  const database = await freshDatabase()
  const child = spawn(process.execPath, ['server/start.ts', '--demo'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      WAYSIDE_HTTP_PORT: '0',
      WAYSIDE_MQTT_PORT: '0',
      WAYSIDE_DATA: dataFolder,
      DATABASE_URL: database.applicationUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      WAYSIDE_DEMO_DEVICES: String(demoDevices),
      WAYSIDE_DEMO_PAST_DAYS: '0',
      // Journeys raise the alerts that they look at.
      WAYSIDE_DEMO_ALERT_DAYS: '0',
      WAYSIDE_DEVICE_ANSWER_SECONDS: String(ANSWER_SECONDS),
      WAYSIDE_ADMIN_PASSWORD: password,
      ...settings,
    },
  })
  const { httpUrl, mqttUrl } = await addressesOf(child)
  return {
    httpUrl,
    mqttUrl,
    password,
    dataFolder,
    ownerUrl: database.ownerUrl,
    applicationUrl: database.applicationUrl,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await Promise.all([rm(dataFolder, { recursive: true, force: true }), dropDatabase(database)])
    },
  }
}

/** Reads the addresses that the server prints when it is ready, so that who answers is who was started. */
async function addressesOf(child: ChildProcess): Promise<{ httpUrl: string; mqttUrl: string }> {
  if (!child.stdout) throw new Error('The server has no output.')
  const heard: string[] = []
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<{ httpUrl: string; mqttUrl: string }>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server did not start:\n${heard.join('\n')}`)), START_WITHIN_MS)
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${heard.join('\n')}`)))
    lines.on('line', (line) => {
      heard.push(line)
      const httpUrl = heard.map((text) => /^\s+Console\s+(\S+)/.exec(text)?.[1]).find(Boolean)
      const mqttUrl = heard.map((text) => /^\s+MQTT\s+(\S+)/.exec(text)?.[1]).find(Boolean)
      if (!httpUrl || !mqttUrl) return
      clearTimeout(timer)
      resolve({ httpUrl, mqttUrl })
    })
  })
  return ready
}
