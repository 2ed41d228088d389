import type pg from 'pg'
import type { CommandState } from '#contract/http/devices/commands.ts'
import type { Command } from '#contract/mqtt/command.ts'
import type { DeviceId } from '#domain/ids.ts'
import { ChannelListener } from '#server/db/connect/ChannelListener.ts'
import { untilStored } from '#server/db/queries/untilStored.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { NOTICES_CHANNEL, type Notice, noticeText, readNotice } from '#server/fleet/deviceNotices.ts'
import { traced } from '#server/metrics/tracing.ts'
import { recordClientProgress } from '#server/rollouts/clientProgress.ts'
import {
  type CommandRow,
  claimCommands,
  devicesWithAccepted,
  endCommand,
  findCommand,
  giveUp,
  sweepCommands,
  takeBack,
} from './commandRows.ts'
import { recordDiscovery, recordDriverReport } from './driverReport.ts'
import type { DeviceReply } from './replyCheck.ts'
import { settleCommand, settleDocument } from './settingRows.ts'

type EndedState = Exclude<CommandState, 'accepted' | 'sent'>

/** @returns the kind of notice that the processes need, if any */
async function recordOther(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  answer: Exclude<DeviceReply, { kind: 'command' }>,
): Promise<Notice['kind'] | undefined> {
  if (answer.kind === 'settings') return NOTICE_OF[await settleDocument(connection, deviceId, answer.reply)]
  return (await recordReport(connection, deviceId, answer)) ? 'moved' : undefined
}

/** @returns whether it tells anything new */
function recordReport(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  report: Exclude<DeviceReply, { kind: 'command' | 'settings' }>,
): Promise<boolean> {
  switch (report.kind) {
    case 'client':
      return recordClientProgress(connection, deviceId, report.progress)
    case 'drivers':
      return recordDriverReport(connection, deviceId, report.told)
    default:
      return recordDiscovery(connection, deviceId, report.found)
  }
}

const NOTICE_OF = { nothing: undefined, sections: 'moved', version: 'settings' } as const

export interface ConnectedDevices {
  readonly processId: string
  readonly deviceIds: () => readonly DeviceId[]
  /** Whether a connection of this process has subscribed to commands. */
  takesCommands(deviceId: DeviceId): boolean
  /** @returns false when no such connection is left, and nothing was sent */
  sendCommand(deviceId: DeviceId, commandId: string, command: Command): boolean
  sendSettings(deviceId: DeviceId): Promise<void>
}

export interface CommandPathDeps {
  readonly pool: pg.Pool
  /** Opens a separate connection for notices. */
  connectListener(): Promise<pg.Client>
  /** How long a call waits for the device. What was not sent by then is never sent (rules/commands 2). */
  readonly answerSeconds: number
  /** This is called when a command or setting changed at any process. Each process notifies only its own consoles. */
  readonly onMoved: (deviceId: DeviceId) => void
  readonly log: (sentence: string, detail: object) => void
}

/**
 * The one path of every command. A command is a row: its transaction accepts it, the process that holds the device's
 * connection claims it and sends it once, and the device's reply ends it wherever it arrives (docs/decisions/0050).
 */
export class CommandPath {
  readonly ended: Record<EndedState, number> = { done: 0, refused: 0, expired: 0, unknown: 0 }
  readonly #deps: CommandPathDeps
  readonly #stopping = new AbortController()
  readonly #waiters = new Map<DeviceId, Set<() => void>>()
  /** The last work under way for each device, because commands and replies must keep their order. */
  readonly #pending = new Map<DeviceId, Promise<void>>()
  #devices: ConnectedDevices | undefined
  #listener: ChannelListener | undefined

  constructor(deps: CommandPathDeps) {
    this.#deps = deps
  }

  get answerSeconds(): number {
    return this.#deps.answerSeconds
  }

  get #answeredWithinMs(): number {
    return 1000 * this.#deps.answerSeconds
  }

  open(devices: ConnectedDevices | undefined): void {
    this.#devices = devices
    this.#listener = new ChannelListener({
      connect: () => this.#deps.connectListener(),
      channels: [NOTICES_CHANNEL],
      onNotice: (_channel, text) => this.#hear(readNotice(text)),
      onListening: () => this.#catchUp(),
      onFailure: (error) => {
        if (!this.#stopping.signal.aborted) this.#deps.log('Notices about commands cannot be heard for now.', { error })
      },
    })
  }

  /** Records a reply. @returns true when it is stored, false when this process stops before */
  async reply(deviceId: DeviceId, reply: DeviceReply): Promise<boolean> {
    let isStored = false
    await this.inOrder(deviceId, async () => {
      const recorded = await untilStored(() => this.#record(deviceId, reply), {
        signal: this.#stopping.signal,
        onFailure: (error) => this.#deps.log('A reply could not be stored; it is tried again.', { deviceId, error }),
      })
      isStored = recorded !== undefined
      if (recorded?.ended) this.#count(recorded.ended)
    })
    return isStored
  }

  /**
   * Waits until the device has answered a command or it is clear that it was not sent, at most the time to answer since
   * its acceptance. A command not sent by then never will be.
   *
   * @returns the row at that moment, where `sent` or `unknown` means silence; undefined when the device was deleted
   * meanwhile
   */
  outcome(deviceId: DeviceId, commandId: string): Promise<CommandRow | undefined> {
    const attributes = { 'wayside.device.id': deviceId, 'wayside.command.id': commandId }
    return traced('command', { attributes }, async ({ note }) => {
      const row = await this.#outcome(deviceId, commandId)
      note({ 'wayside.command.state': row?.state ?? 'gone' })
      return row
    })
  }

  async #outcome(deviceId: DeviceId, commandId: string): Promise<CommandRow | undefined> {
    const { pool } = this.#deps
    const isOver = ({ state }: CommandRow) => state !== 'accepted' && state !== 'sent'
    for (;;) {
      const change = this.#nextMove(deviceId)
      const row = await findCommand(pool, deviceId, commandId)
      if (row === undefined || isOver(row) || this.#stopping.signal.aborted) {
        change.forget()
        if (row === undefined || isOver(row)) return row
        break
      }
      if (!(await change.within(this.#answeredWithinMs - row.age_ms))) break
    }
    if (await giveUp(pool, deviceId, commandId)) {
      this.#count('expired')
      await this.#tell({ kind: 'moved', deviceId })
    }
    return findCommand(pool, deviceId, commandId)
  }

  /** Announces changed settings, so that the process that holds the device's connection sends them again. */
  settingsChanged(deviceId: DeviceId): Promise<void> {
    return this.#tell({ kind: 'settings', deviceId })
  }

  /** Ends commands that nothing else will end. Unanswered settings are sent once more, as a document. */
  async sweep(): Promise<void> {
    for (const { device_id: deviceId, settings_version, state } of await sweepCommands(
      this.#deps.pool,
      this.#answeredWithinMs,
    )) {
      this.#count(state)
      await this.#tell({ kind: settings_version === null ? 'moved' : 'settings', deviceId })
    }
  }

  /** Settings read before a command was accepted must not reach the device after it, or older settings would win. */
  inOrder(deviceId: DeviceId, work: () => Promise<void>): Promise<void> {
    const own = (this.#pending.get(deviceId) ?? Promise.resolve()).then(work)
    const ended = own.catch(() => undefined)
    this.#pending.set(deviceId, ended)
    ended.then(() => {
      if (this.#pending.get(deviceId) === ended) this.#pending.delete(deviceId)
    })
    return own
  }

  /** Calls that wait are answered with what is known. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const deviceId of [...this.#waiters.keys()]) this.#wake(deviceId)
    await this.#listener?.stop()
    await Promise.all(this.#pending.values())
  }

  #hear({ kind, deviceId }: Notice): void {
    this.#wake(deviceId)
    this.#deps.onMoved(deviceId)
    if (kind === 'accepted') this.#send(deviceId)
    if (kind === 'settings') {
      this.#devices?.sendSettings(deviceId).catch((error: unknown) => this.#failed(deviceId, error))
    }
  }

  async #catchUp(): Promise<void> {
    for (const deviceId of [...this.#waiters.keys()]) this.#wake(deviceId)
    const held = this.#devices?.deviceIds() ?? []
    if (held.length === 0) return
    for (const deviceId of await devicesWithAccepted(this.#deps.pool, held)) this.#send(deviceId)
  }

  #send(deviceId: DeviceId): void {
    if (!this.#devices?.takesCommands(deviceId)) return
    this.inOrder(deviceId, () => this.#claimAndSend(deviceId)).catch((error: unknown) => this.#failed(deviceId, error))
  }

  async #claimAndSend(deviceId: DeviceId): Promise<void> {
    const devices = this.#devices
    if (!devices?.takesCommands(deviceId) || this.#stopping.signal.aborted) return
    const askedAtMs = performance.now()
    const claimed = await claimCommands(this.#deps.pool, deviceId, devices.processId, this.#answeredWithinMs)
    if (claimed.length === 0) return
    let isLate = false
    for (const { id, name, args, accepted_at, expires_at, age_ms } of claimed) {
      const command = { name, args, issuedAt: accepted_at.toISOString(), expiresAt: expires_at.toISOString() }
      // The age counts by the clock that accepted the command, because the claim may have been delayed and this process
      // frozen since.
      const isOver = age_ms + performance.now() - askedAtMs >= this.#answeredWithinMs
      if (!isOver && devices.sendCommand(deviceId, id, command)) continue
      isLate ||= isOver
      if (await takeBack(this.#deps.pool, deviceId, id)) this.#count('expired')
    }
    // Settings whose command came too late are sent inside the document instead.
    const kind = isLate && claimed.some(({ settings_version }) => settings_version !== null) ? 'settings' : 'moved'
    await this.#tell({ kind, deviceId })
  }

  /** @returns how a command ended, if one has */
  #record(deviceId: DeviceId, answer: DeviceReply): Promise<{ readonly ended?: CommandState }> {
    return inTransaction(this.#deps.pool, async (connection) => {
      if (answer.kind !== 'command') {
        const kind = await recordOther(connection, deviceId, answer)
        if (kind) await this.#tell({ kind, deviceId }, connection)
        return {}
      }
      const command = await endCommand(connection, deviceId, answer.commandId, answer.reply)
      if (command === undefined) return {}
      await settleCommand(connection, command)
      await this.#tell({ kind: 'moved', deviceId }, connection)
      return { ended: command.state }
    })
  }

  async #tell(notice: Notice, queryable: pg.Pool | pg.PoolClient = this.#deps.pool): Promise<void> {
    await queryable.query('select pg_notify($1, $2)', [NOTICES_CHANNEL, noticeText(notice)])
  }

  #count(state: CommandState): void {
    if (state in this.ended) this.ended[state as EndedState]++
  }

  /** Waits for the next change. It must be asked for before the row is read, so that no change is missed in between. */
  #nextMove(deviceId: DeviceId) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const wake = () => resolve(true)
    const waiters = this.#waiters.get(deviceId) ?? new Set()
    this.#waiters.set(deviceId, waiters.add(wake))
    const forget = () => {
      waiters.delete(wake)
      if (waiters.size === 0 && this.#waiters.get(deviceId) === waiters) this.#waiters.delete(deviceId)
    }
    return {
      forget,
      async within(ms: number): Promise<boolean> {
        const timer = setTimeout(() => resolve(false), Math.max(0, ms))
        const hasMoved = await promise
        clearTimeout(timer)
        forget()
        return hasMoved
      },
    }
  }

  #wake(deviceId: DeviceId): void {
    for (const wake of this.#waiters.get(deviceId) ?? []) wake()
  }

  #failed(deviceId: DeviceId, error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#deps.log('Commands or settings of a device could not be sent.', { deviceId, error })
  }
}
