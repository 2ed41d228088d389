import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type MqttClient } from 'mqtt'
import type pg from 'pg'
import type { Command } from '#contract/mqtt/command.ts'
import { commandsFilter, replyTopic } from '#contract/mqtt/topics.ts'
import { passTime } from '#testing/passTime.ts'
import { eventually, type TestDevice } from '../devices/gatewayFixture.ts'
import { askServer } from './wholeServer.ts'

/** The server is killed at these moments of a power action. */
const STEPS = ['asked', 'received', 'replied', 'acknowledged', 'answered'] as const
type Step = (typeof STEPS)[number]

/** A device takes a power action only every 10 s, so a quick test needs many. */
const AT_ONCE = 3
const LONGEST_ASKED_MS = 40
const GIVEN_UP_AFTER_MS = 3_000
const ONLINE_WITHIN_MS = 60_000

interface Execution {
  readonly id: string
  readonly isLate: boolean
}

/** A device that executes every command, as often as it arrives, and records it. */
class Ledger {
  readonly device: TestDevice
  readonly executed: Execution[] = []
  readonly replied = new Set<string>()
  onStep: (step: Step) => void = () => undefined
  readonly client: MqttClient

  constructor(device: TestDevice, port: number) {
    this.device = device
    this.client = connect(`mqtt://127.0.0.1:${port}`, {
      username: device.guid,
      password: device.key,
      reconnectPeriod: 50,
      connectTimeout: 2000,
    })
    this.client.on('error', () => undefined)
    this.client.on('message', (topic, payload) => this.#execute(topic, JSON.parse(payload.toString()) as Command))
    this.client.subscribe(commandsFilter(device.guid), { qos: 1 })
  }

  #execute(topic: string, { expiresAt }: Command): void {
    const id = topic.split('/').at(-1) ?? ''
    this.executed.push({ id, isLate: Date.now() > Date.parse(expiresAt) })
    const text = JSON.stringify({ ok: true, text: 'Done.', errors: [] })
    this.onStep('received')
    this.replied.add(id)
    this.client.publish(replyTopic(this.device.guid, id), text, { qos: 1 }, () => this.onStep('acknowledged'))
    // The bytes leave with the next turn of the event loop.
    setImmediate(() => this.onStep('replied'))
  }
}

interface Addresses {
  readonly httpUrl: string
  readonly mqttUrl: string
}

export interface KillDeps {
  readonly databaseUrls: { readonly ownerUrl: string; readonly applicationUrl: string }
  readonly owner: pg.Pool
  readonly devices: readonly TestDevice[]
  readonly token: string
  /** Each round is one kill. */
  readonly rounds: Iterable<number>
  readonly random: () => number
}

export interface KillTally {
  readonly asked: number
  readonly accepted: number
  readonly answered: number
  readonly executed: number
  readonly states: Readonly<Record<string, number>>
  /** Everything from here on has to be 0. */
  readonly twice: number
  readonly late: number
  readonly pending: number
  /** Counts actions with `done` or a 200 of which the device knows nothing. */
  readonly invented: number
  /** Counts executed and answered actions that are reported as never sent or unknown. */
  readonly denied: number
  readonly withoutAudit: number
}

/** Kills a whole server again and again during power actions, and compares its records with the devices'. */
export async function killAroundPowerActions(deps: KillDeps): Promise<KillTally> {
  const { owner, devices, rounds, token, random } = deps
  let server = await startProcess(deps, 0)
  const port = Number(new URL(server.addresses.mqttUrl).port)
  const ledgers = devices.map((device) => new Ledger(device, port))
  const counts = { asked: 0, answered: 0, invented: 0 }
  for (const round of rounds) {
    const step = STEPS[round % STEPS.length] as Step
    const chosen = Array.from({ length: AT_ONCE }, (_, index) => ledgers[(round * AT_ONCE + index) % ledgers.length])
    const used = chosen.filter((ledger) => ledger !== undefined)
    await Promise.all(used.map((ledger) => untilOnline(owner, ledger)))
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    for (const ledger of used) ledger.onStep = (passed) => (passed === step ? resolve() : undefined)
    const { httpUrl } = server.addresses
    const calls = used.map(async ({ device, executed }) => {
      counts.asked++
      const asked = { token, query: { deviceId: device.id } }
      const answer = await askServer(httpUrl, 'Device/UpsReboot', asked).catch(() => undefined)
      if (answer?.status !== 200) return
      counts.answered++
      if (executed.length === 0) counts.invented++
      if (step === 'answered') resolve()
    })
    const killed = step === 'asked' ? passTime(random() * LONGEST_ASKED_MS, 'the blow falls anywhere') : reached
    await Promise.race([killed, passTime(GIVEN_UP_AFTER_MS, 'the step may never be reached')])
    await kill(server.child)
    await Promise.all(calls)
    server = await startProcess(deps, port)
  }
  await Promise.all(ledgers.map((ledger) => untilOnline(owner, ledger)))
  const tally = await settle(deps, ledgers, counts)
  for (const { client } of ledgers) client.end(true)
  await kill(server.child)
  return tally
}

/** Starts a whole server in a process of its own; 0 is any free MQTT port. */
export async function startProcess({ databaseUrls }: Pick<KillDeps, 'databaseUrls'>, port: number) {
  const { ownerUrl, applicationUrl } = databaseUrls
  const script = new URL('./serverProcess.ts', import.meta.url)
  const child = fork(script, [ownerUrl, applicationUrl, String(port)], { execArgv: [] })
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`)))
  died.catch(() => undefined)
  const [addresses] = (await Promise.race([once(child, 'message'), died])) as [Addresses]
  return { child, addresses }
}

export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Waits until the device is connected to the living process, however busy the machine is. */
async function untilOnline(owner: pg.Pool, { device }: Ledger): Promise<void> {
  const until = Date.now() + ONLINE_WITHIN_MS
  while (Date.now() < until) {
    const { rowCount } = await owner.query(
      `select from device_connection c join server_process p on p.id = c.process_id
       where c.device_id = $1 and p.started_at = (select max(started_at) from server_process)`,
      [device.id],
    )
    if (rowCount) return
    await passTime(50, 'it is looked at again')
  }
  throw new Error('A device did not come back.')
}

/** Makes the rows look an hour old. */
async function settle(
  { owner, devices }: KillDeps,
  ledgers: readonly Ledger[],
  counts: { readonly asked: number; readonly answered: number; readonly invented: number },
): Promise<KillTally> {
  const executions = ledgers.flatMap(({ executed }) => executed)
  const replied = new Set(ledgers.flatMap(({ replied: ids }) => [...ids]))
  const ids = devices.map(({ id }) => id)
  const rows = async () =>
    (
      await owner.query<{ id: string; state: string }>(
        'select id, state from device_command where device_id = any($1)',
        [ids],
      )
    ).rows
  const isOpen = ({ state }: { state: string }) => state === 'accepted' || state === 'sent'
  // What the devices repeat after the last start is heard first.
  await eventually(rows, (all) => all.every(({ id, state }) => !replied.has(id) || state === 'done'))
  await owner.query(
    `update device_command set accepted_at = accepted_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
     where device_id = any($1)`,
    [ids],
  )
  const all = await eventually(rows, (some) => !some.some(isOpen))
  const executedIds = new Set(executions.map(({ id }) => id))
  // An action that is repeated within seconds has a second row, which says that it is executed once.
  const audited = await owner.query<{ id: string }>(
    `select distinct after ->> 'commandId' as id from audit_log where entity_id = any($1) and outcome = 'done'`,
    [ids],
  )
  const auditedIds = new Set(audited.rows.map(({ id }) => id))
  return {
    ...counts,
    accepted: all.length,
    executed: executions.length,
    states: Object.fromEntries(
      [...Map.groupBy(all, ({ state }) => state)].map(([state, some]) => [state, some.length]),
    ),
    twice: executions.length - executedIds.size,
    late: executions.filter(({ isLate }) => isLate).length,
    pending: all.filter(isOpen).length,
    invented: counts.invented + all.filter(({ id, state }) => state === 'done' && !executedIds.has(id)).length,
    denied: all.filter(({ id, state }) => replied.has(id) && state !== 'done').length,
    withoutAudit: all.filter(({ id }) => !auditedIds.has(id)).length,
  }
}
