import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { KEEP_LOG_EVERY_MS } from '#server/backup/backupJobs.ts'
import { readBackupState } from '#server/backup/backupState.ts'
import { checkBackups, noCopyOf } from '#server/backup/copies/checkBackups.ts'
import { systemsIn } from '#server/backup/log/copyNames.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { freePort } from '#testing/freePort.ts'
import { count, SEED, words } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeTrial } from '../../frame/trial.ts'
import { compareReports } from '../load/books.ts'
import { FleetDevice } from '../load/FleetDevice.ts'
import { type Change, changesOf, type Settings } from './changes.ts'
import { StartedServer } from './StartedServer.ts'

const REPORT_EVERY_MS = 200
const TOLD_WITHIN_MS = 15_000
/** Matches output that is no sentence for an operator; lines of the log are JSON, and have a page of their own. */
const OF_THE_PROGRAM = /^(?!\{"level")(.*Error:|\s+at |node:|.*\[object|\s*[{}])/

type SettingsRun = Run<Readonly<{ seed: number; devices: number; only: string }>>

export const settingsChange = describeTrial({
  name: 'settings-change',
  proves:
    'A start with any setting missing, given twice, or wrong loses nothing that was acknowledged, tears no hole into the backups without a word, and says what is wrong with the name of the setting.',
  options: {
    seed: SEED,
    devices: count(5, 'devices that report all the time'),
    only: words('only changes whose setting and kind hold this text'),
  },
  brief: { devices: 2, only: 'WAYSIDE_BACKUP_FOLDER missing' },
  async run(run: SettingsRun) {
    // The embedded database of a start without DATABASE_URL has a user of its own.
    for (const folder of [dirname(run.folder), run.folder]) chmodSync(folder, 0o755)
    const { ownerUrl, applicationUrl } = await run.emptyDatabase()
    const key = randomBytes(32)
    const mqttPort = await freePort()
    const right: Settings = {
      DATABASE_URL: applicationUrl,
      DATABASE_OWNER_URL: ownerUrl,
      WAYSIDE_DATA: join(run.folder, 'data'),
      WAYSIDE_HTTP_PORT: String(await freePort()),
      WAYSIDE_MQTT_PORT: String(mqttPort),
      WAYSIDE_ADMIN_PASSWORD: 'gravel tuba at lantern pier',
      WAYSIDE_METRICS_TOKEN: 'a-token-for-the-metrics-of-a-trial',
      WAYSIDE_BACKUP_FOLDER: join(run.folder, 'backups'),
      WAYSIDE_BACKUP_KEY: key.toString('hex'),
      WAYSIDE_SECRETS_KEY: randomBytes(32).toString('hex'),
    }
    const otherDatabaseUrl = (await run.emptyDatabase()).applicationUrl
    const all = changesOf({ right, folder: run.folder, otherDatabaseUrl })
    const changes = inOrder(
      run,
      all.filter((change) => nameOf(change).includes(run.options.only)),
    )
    const owner = openPool(ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    owner.on('error', () => undefined)
    const trial = new Starts(run, right)
    await trial.first(owner)
    const devices = (await insertDevices(owner, run.options.devices, { modelId: 1 })).map(
      (device) => new FleetDevice(device, mqttPort, () => run.chance(), { everyMs: REPORT_EVERY_MS }),
    )
    const backups = { folder: right['WAYSIDE_BACKUP_FOLDER'] ?? '', key }
    const tearing = changes.filter(({ tearsGap }) => tearsGap)
    for (const change of changes) if (!change.tearsGap) await trial.wrongThenRight(change, devices, owner)
    await tellBackups(run, owner, backups, 0)
    // They come last, because their gap would hide others.
    for (const change of tearing) await trial.wrongThenRight(change, devices, owner)
    await tellBooks(run, owner, devices)
    if (tearing.length > 0) await tellBackups(run, owner, backups, tearing.length)
    const troubles = await trial.troubles()
    if (tearing.length > 0 !== troubles.some((trouble) => trouble.startsWith('There is a gap in the backups from '))) {
      run.wrong(`of the gap in the backups it says: ${troubles.join(' ')}`)
    }
    await trial.end()
    await owner.end()
  },
})

const nameOf = ({ setting, what }: Change) => `${setting} ${what}`

/** The order is random, except that gaps come last, because their sentence stays. */
function inOrder(run: SettingsRun, changes: readonly Change[]): readonly Change[] {
  const drawn = changes.map((change) => ({ change, at: run.chance() }))
  drawn.sort((one, other) => Number(one.change.tearsGap ?? 0) - Number(other.change.tearsGap ?? 0) || one.at - other.at)
  return drawn.map(({ change }) => change)
}

/** Starts the right server, and a wrong one between two of its starts. */
class Starts {
  readonly #run: SettingsRun
  readonly #right: Settings
  #serving: StartedServer | undefined

  constructor(run: SettingsRun, right: Settings) {
    this.#run = run
    this.#right = right
  }

  /** Waits for a whole copy, because a gap needs one. */
  async first(owner: pg.Pool): Promise<void> {
    await this.#startRight('the first start')
    const [folder, key] = [this.#right['WAYSIDE_BACKUP_FOLDER'] ?? '', this.#right['WAYSIDE_BACKUP_KEY'] ?? '']
    const copies = async () => (await readBackupState(folder, owner, Buffer.from(key, 'hex'))).copies
    await eventually(copies, (found) => found > 0, 2 * KEEP_LOG_EVERY_MS)
  }

  async wrongThenRight(change: Change, devices: readonly FleetDevice[], owner: pg.Pool): Promise<void> {
    await this.#serving?.stop()
    const wrong = this.#start({ ...this.#right, ...change.differs })
    const isServing = await wrong.serves()
    const found = await this.#judge(change, wrong, isServing)
    // A log that no slot holds is gone with its segment.
    for (let times = 0; times < 2; times++)
      await owner.query('select pg_switch_wal()').then(() => owner.query('checkpoint'))
    if (isServing) await wrong.stop()
    console.log(`${nameOf(change)}: ${isServing ? 'served' : 'refused'}${found ? `; ${found}` : ''}`)
    await this.#startRight(nameOf(change))
    // Whatever served meanwhile, the devices go on with the right one.
    await Promise.all(devices.map((device) => device.reportNow(1)))
  }

  troubles = async () => (await this.#serving?.troubles()) ?? []

  async end(): Promise<void> {
    await this.#serving?.stop()
  }

  async #startRight(after: string): Promise<void> {
    this.#serving = this.#start(this.#right)
    if (await this.#serving.serves()) return
    throw new Error(`The right start did not serve after ${after}: ${this.#serving.errors.join(' ')}`)
  }

  #start(settings: Settings): StartedServer {
    return new StartedServer(settings, this.#run.folder, (child) => this.#run.hold(child))
  }

  /** @returns what was said, in words */
  async #judge(change: Change, server: StartedServer, isServing: boolean): Promise<string | undefined> {
    const name = nameOf(change)
    const ofProgram = [...server.said, ...server.errors].filter((line) => OF_THE_PROGRAM.test(line))
    if (ofProgram.length > 0) this.#run.wrong(`${name}: it said "${ofProgram[0]}"`)
    if (!isServing) {
      const [sentence = '', ...more] = server.errors
      if (more.length > 0)
        this.#run.wrong(`${name}: it said ${server.errors.length} lines: ${server.errors.join(' | ')}`)
      const isNamed = change.says?.test(sentence) ?? sentence.includes(change.setting)
      if (!isNamed) this.#run.wrong(`${name}: it said "${sentence}"`)
      return sentence
    }
    if (change.isRefused) this.#run.wrong(`${name}: it served`)
    // The database may drop its log by then.
    if (change.tearsGap) await sleep(1.25 * KEEP_LOG_EVERY_MS)
    const { says } = change
    if (says === undefined) return undefined
    const told = async () => [...server.said, ...(await server.troubles())].find((line) => says.test(line))
    const sentence = await eventually(told, (line) => line !== undefined, TOLD_WITHIN_MS)
    if (sentence === undefined) this.#run.wrong(`${name}: nobody was told`)
    return sentence
  }
}

async function tellBooks(run: SettingsRun, owner: pg.Pool, devices: readonly FleetDevice[]): Promise<void> {
  const settled = await Promise.all(devices.map((device) => device.settle()))
  const tally = await compareReports(owner, devices)
  for (const device of devices) device.close()
  console.log(JSON.stringify(tally))
  const { reports, ...never } = tally
  for (const [name, times] of Object.entries(never)) if (times > 0) run.wrong(`${times} ${name}`)
  if (reports === 0) run.wrong('there was no load')
  if (settled.includes(false)) run.wrong('not every report was acknowledged')
}

interface Backups {
  readonly folder: string
  readonly key: Buffer
}

/** Every moment since the first copy can be restored, except in intended gaps, which must be reported. */
async function tellBackups(run: SettingsRun, owner: pg.Pool, { folder, key }: Backups, torn: number) {
  const since = new Date()
  const read = () => readBackupState(folder, owner, key)
  const isKept = ({ reachesTo, gaps }: Awaited<ReturnType<typeof read>>) =>
    (reachesTo ?? since) > since && gaps.every(({ to }) => to !== undefined)
  const { gaps, reachesTo } = await eventually(read, isKept, 4 * KEEP_LOG_EVERY_MS)
  console.log(`backups reach to ${reachesTo?.toISOString()}, with ${gaps.length} gaps: ${JSON.stringify(gaps)}`)
  if (gaps.length !== torn) run.wrong(`${gaps.length} gaps in the backups, and ${torn} were torn on purpose`)
  if ((reachesTo ?? since) <= since) run.wrong('the log of the database does not reach the backups any more')
  const { wrong } = await checkBackups(folder, key)
  // Starts without DATABASE_URL begin backups of a database of their own, and most end before its first copy is whole.
  const { rows } = await owner.query<{ system: string }>(
    'select system_identifier::text as system from pg_control_system()',
  )
  const others = (await systemsIn(folder)).filter((system) => system !== rows[0]?.system).map(noCopyOf)
  for (const sentence of wrong.filter((each) => !others.includes(each))) run.wrong(sentence)
}
