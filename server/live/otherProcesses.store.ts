import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { startListener } from '#server/db/connect/listener.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { PEOPLE_CHANNEL } from '#server/people/peopleChange.store.ts'
import type { OtherProcesses } from './hub.ts'

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

export interface ConnectedProcesses extends OtherProcesses {
  stop(): Promise<void>
}

/**
 * Shares between processes which devices consoles watch, and which changed. Notices carry only ids. After every LISTEN
 * the table behind them is read again, because notices are lost while a listener reconnects.
 */
export function connectOtherProcesses(deps: OtherProcessesDeps): ConnectedProcesses {
  const { pool, processId, log } = deps
  let watchedElsewhere: ReadonlySet<DeviceId> = new Set()
  let wantedWatchList: readonly DeviceId[] | undefined
  let watchListTimer: NodeJS.Timeout | undefined
  let isStopped = false

  async function readWatchedElsewhere() {
    const { rows } = await pool.query<{ device_id: DeviceId }>(
      `select distinct w.device_id from live_watch w
       join server_process p on p.id = w.process_id and p.lease_until > now()
       where w.process_id <> $1`,
      [processId],
    )
    const before = watchedElsewhere
    watchedElsewhere = new Set(rows.map((row) => row.device_id))
    deps.onWatchedElsewhere([...watchedElsewhere].filter((deviceId) => !before.has(deviceId)))
  }

  async function storeWatchList() {
    const deviceIds = wantedWatchList
    wantedWatchList = undefined
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

  async function tell(channel: string, deviceIds: readonly DeviceId[]) {
    for (let first = 0; first < deviceIds.length; first += IDS_PER_NOTICE) {
      const notice = `${processId} ${deviceIds.slice(first, first + IDS_PER_NOTICE).join(',')}`
      await pool.query(`select pg_notify('${channel}', $1)`, [notice])
    }
  }

  const fail = (error: unknown) => {
    if (!isStopped) log.error({ error: String(error) }, 'live: other processes cannot be heard for now')
  }

  const listener = startListener({
    connect: deps.connect,
    channels: [WATCH_CHANNEL, CHANGED_CHANNEL, ALERTS_CHANNEL, PEOPLE_CHANNEL],
    onNotice(channel, payload) {
      if (channel === PEOPLE_CHANNEL) return deps.onPeopleChanged()
      const [sender, ids = ''] = payload.split(' ')
      if (sender === processId) return
      const deviceIds = ids.split(',').map((id) => Number(id) as DeviceId)
      if (channel === CHANGED_CHANNEL) deps.onChangedElsewhere(deviceIds)
      else if (channel === ALERTS_CHANNEL) deps.onAlertsElsewhere(deviceIds)
      else readWatchedElsewhere().catch(fail)
    },
    async onListening() {
      await readWatchedElsewhere()
      deps.onReconnected()
    },
    onFailure: fail,
  })

  return {
    isWatchedElsewhere: (deviceId) => watchedElsewhere.has(deviceId),
    tellChanged: (deviceIds) => tell(CHANGED_CHANNEL, deviceIds),
    tellAlerts: (deviceIds) => tell(ALERTS_CHANNEL, deviceIds),
    async tellWatched(deviceIds) {
      wantedWatchList = deviceIds
      watchListTimer ??= setTimeout(() => {
        watchListTimer = undefined
        storeWatchList().catch(fail)
      }, WATCH_LIST_PAUSE_MS)
    },
    async stop() {
      isStopped = true
      clearTimeout(watchListTimer)
      await listener.stop()
      await pool.query('delete from live_watch where process_id = $1', [processId]).catch(() => undefined)
    },
  }
}
