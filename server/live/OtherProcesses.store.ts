import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { ChannelListener } from '#server/db/connect/ChannelListener.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { PEOPLE_CHANNEL } from '#server/people/peopleChange.store.ts'

const WATCH_CHANNEL = 'wayside_watch'
const CHANGED_CHANNEL = 'wayside_changed'
const ALERTS_CHANNEL = 'wayside_alerts'
/** A notice holds at most 8,000 bytes, and an id has up to 10 digits. */
const IDS_PER_NOTICE = 600
const WATCH_LIST_PAUSE_MS = 100

export interface OtherProcessesDeps {
  readonly pool: pg.Pool
  /** Opens a separate connection, because listening outlives every request. */
  connect(): Promise<pg.Client>
  readonly processId: string
  onChangedElsewhere(deviceIds: readonly DeviceId[]): void
  onAlertsElsewhere(deviceIds: readonly DeviceId[]): void
  /** Consoles of another process have begun to watch these. */
  onWatchedElsewhere(deviceIds: readonly DeviceId[]): void
  /** Users, roles or customers were changed, in any process. */
  onPeopleChanged(): void
  /** Notices may have been lost while the listener was disconnected. */
  onReconnected(): void
  readonly log: { error(details: object, message: string): void }
}

/**
 * Shares between processes which devices consoles watch, and which changed. Notices carry only ids. After every LISTEN
 * the table behind them is read again, because notices are lost while a listener reconnects.
 */
export class OtherProcesses {
  readonly #deps: OtherProcessesDeps
  readonly #listener: ChannelListener
  #watchedElsewhere: ReadonlySet<DeviceId> = new Set()
  #wantedWatchList: readonly DeviceId[] | undefined
  #watchListTimer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: OtherProcessesDeps) {
    this.#deps = deps
    this.#listener = new ChannelListener({
      connect: deps.connect,
      channels: [WATCH_CHANNEL, CHANGED_CHANNEL, ALERTS_CHANNEL, PEOPLE_CHANNEL],
      onNotice: (channel, payload) => this.#hear(channel, payload),
      onListening: async () => {
        await this.#readWatchedElsewhere()
        deps.onReconnected()
      },
      onFailure: (error) => this.#fail(error),
    })
  }

  isWatchedElsewhere(deviceId: DeviceId): boolean {
    return this.#watchedElsewhere.has(deviceId)
  }

  tellChanged(deviceIds: readonly DeviceId[]): Promise<void> {
    return this.#tell(CHANGED_CHANNEL, deviceIds)
  }

  tellAlerts(deviceIds: readonly DeviceId[]): Promise<void> {
    return this.#tell(ALERTS_CHANNEL, deviceIds)
  }

  /** The list of watched devices is stored after a pause, because a console opens and closes streams in a row. */
  tellWatched(deviceIds: readonly DeviceId[]): void {
    this.#wantedWatchList = deviceIds
    this.#watchListTimer ??= setTimeout(() => {
      this.#watchListTimer = undefined
      this.#storeWatchList().catch((error: unknown) => this.#fail(error))
    }, WATCH_LIST_PAUSE_MS)
  }

  async stop(): Promise<void> {
    const { pool, processId } = this.#deps
    this.#isStopped = true
    clearTimeout(this.#watchListTimer)
    await this.#listener.stop()
    await pool.query('delete from live_watch where process_id = $1', [processId]).catch(() => undefined)
  }

  #hear(channel: string, payload: string): void {
    if (channel === PEOPLE_CHANNEL) {
      this.#deps.onPeopleChanged()
      return
    }
    const [sender, ids = ''] = payload.split(' ')
    if (sender === this.#deps.processId) return
    const deviceIds = ids.split(',').map((id) => Number(id) as DeviceId)
    if (channel === CHANGED_CHANNEL) this.#deps.onChangedElsewhere(deviceIds)
    else if (channel === ALERTS_CHANNEL) this.#deps.onAlertsElsewhere(deviceIds)
    else this.#readWatchedElsewhere().catch((error: unknown) => this.#fail(error))
  }

  async #readWatchedElsewhere(): Promise<void> {
    const { rows } = await this.#deps.pool.query<{ device_id: DeviceId }>(
      `select distinct w.device_id from live_watch w
       join server_process p on p.id = w.process_id and p.lease_until > now()
       where w.process_id <> $1`,
      [this.#deps.processId],
    )
    const before = this.#watchedElsewhere
    this.#watchedElsewhere = new Set(rows.map((row) => row.device_id))
    this.#deps.onWatchedElsewhere([...this.#watchedElsewhere].filter((deviceId) => !before.has(deviceId)))
  }

  async #storeWatchList(): Promise<void> {
    const { pool, processId } = this.#deps
    const deviceIds = this.#wantedWatchList
    this.#wantedWatchList = undefined
    if (!deviceIds) return
    await inTransaction(pool, async (connection) => {
      await connection.query('delete from live_watch where process_id = $1 and device_id <> all($2)', [
        processId,
        deviceIds,
      ])
      await connection.query(
        `insert into live_watch (device_id, process_id) select unnest($2::int[]), $1 on conflict do nothing`,
        [processId, deviceIds],
      )
    })
    await pool.query(`select pg_notify('${WATCH_CHANNEL}', $1)`, [processId])
  }

  async #tell(channel: string, deviceIds: readonly DeviceId[]): Promise<void> {
    const { pool, processId } = this.#deps
    for (let first = 0; first < deviceIds.length; first += IDS_PER_NOTICE) {
      const notice = `${processId} ${deviceIds.slice(first, first + IDS_PER_NOTICE).join(',')}`
      await pool.query(`select pg_notify('${channel}', $1)`, [notice])
    }
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return
    this.#deps.log.error({ error: String(error) }, 'live: other processes cannot be heard for now')
  }
}
