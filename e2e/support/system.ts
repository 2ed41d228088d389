import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { dropDatabase, freshDatabase, runFolder } from './databases.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The system ends with this process, however that ends. */
const FOLLOW_PARENT = new URL('../../tools/followParent.mjs', import.meta.url).href
const START_WITHIN_MS = 90_000
/** Operators wait this long for a device: enough for one that answers, short for one that never does. */
export const ANSWER_SECONDS = 4

export interface RunningSystem {
  readonly httpUrl: string
  readonly mqttUrl: string
  readonly password: string
  readonly dataFolder: string
  /** The address of its database as the owner of the tables. */
  readonly ownerUrl: string
  readonly applicationUrl: string
  /** Returns the first line of its output that matches, past ones included. */
  said(words: RegExp, withinMs: number): Promise<RegExpExecArray>
  stop(): Promise<void>
}

/**
 * Starts the whole product as `npm start` does, on free ports, with a folder and a database of its own. Its simulated
 * devices have no past: a journey that needs one reports it (`pretendDevice.ts`, `OwnDevice.report`).
 *
 * @param settings environment variables beside those
 */
export async function startSystem(
  demoDevices: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningSystem> {
  const dataFolder = await mkdtemp(join(runFolder(), 'system-'))
  // The data would be stored elsewhere and stay behind if the database's user could not enter.
  await chmod(dataFolder, 0o755)
  const password = 'gravel tuba at lantern pier'
  const database = await freshDatabase()
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, 'server/programs/start.ts', '--demo'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      WAYSIDE_HTTP_PORT: '0',
      WAYSIDE_MQTT_PORT: '0',
      WAYSIDE_DATA: dataFolder,
      DATABASE_URL: database.applicationUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      WAYSIDE_DEMO_DEVICES: String(demoDevices),
      WAYSIDE_DEMO_PAST_DAYS: '0',
      // Journeys raise the alerts that they need.
      WAYSIDE_DEMO_ALERT_DAYS: '0',
      WAYSIDE_DEVICE_ANSWER_SECONDS: String(ANSWER_SECONDS),
      WAYSIDE_ADMIN_PASSWORD: password,
      ...settings,
    },
  })
  const said = listenTo(child)
  // The system prints them when it is ready, so what answers there is what was started.
  const [, httpUrl = ''] = await said(/^\s+Console\s+(\S+)/, START_WITHIN_MS)
  const [, mqttUrl = ''] = await said(/^\s+MQTT\s+(\S+)/, START_WITHIN_MS)
  return {
    httpUrl,
    mqttUrl,
    said,
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

function listenTo({ stdout }: ChildProcess): RunningSystem['said'] {
  if (!stdout) throw new Error('The server has no output.')
  const heard: string[] = []
  const lines = createInterface({ input: stdout })
  lines.on('line', (line) => heard.push(line))
  return (words, withinMs) =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        lines.off('line', look).off('close', giveUp)
      }
      const look = () => {
        const found = heard.map((line) => words.exec(line)).find((each) => each !== null)
        if (!found) return
        end()
        resolve(found)
      }
      const giveUp = () => {
        end()
        reject(new Error(`The server has not said ${words}:\n${heard.join('\n')}`))
      }
      const timer = setTimeout(giveUp, withinMs)
      lines.on('line', look).on('close', giveUp)
      look()
    })
}
