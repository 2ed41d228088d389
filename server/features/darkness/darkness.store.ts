import { sql } from 'kysely'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type CommandFact, OUTLET_HISTORY_MS, type Reading, type Refusal } from '#domain/darkness/facts.ts'
import type { ChainComponent } from '#domain/darkness/feedChain.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { existingDevices, isOnline } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** Commands longer ago say nothing about now. */
const COMMANDS_OF_HOURS = 24
const MOST_COMMANDS = 100

export interface DarkDevice {
  readonly modelId: DeviceModelId
  readonly timeZone: string
  readonly isOnline: boolean
}

/** What the device has confirmed of its settings, and what of them it refused last. */
export interface ConfirmedSettings {
  readonly offTimes: OffTimes | undefined
  /** Backlight in percent by display number. */
  readonly setBacklights: ReadonlyMap<number, number>
  readonly refusals: readonly Refusal[]
}

export interface DarknessStore {
  readonly find: (id: DeviceId, scope: Scope) => Promise<DarkDevice | undefined>
  /** The following of a device that was found. */
  readonly components: (id: DeviceId) => Promise<readonly ChainComponent[]>
  readonly settings: (id: DeviceId) => Promise<ConfirmedSettings>
  /** Newest first. */
  readonly commands: (id: DeviceId) => Promise<readonly CommandFact[]>
  /** What its outlets said lately, by the wire name of their status, oldest first. */
  readonly outletHistory: (id: DeviceId, now: Date) => Promise<ReadonlyMap<string, readonly Reading[]>>
}

export function createDarknessStore(db: Db): DarknessStore {
  return {
    find: (id, scope) =>
      db
        .selectFrom('device')
        .where((eb) => existingDevices(eb, scope))
        .where('device.id', '=', id)
        .select(['model_id as modelId', 'time_zone as timeZone', isOnline('device.id').as('isOnline')])
        .executeTakeFirst(),

    components: (id) =>
      db
        .selectFrom('device_component')
        .where('device_id', '=', id)
        .select([
          'component_model_id as componentModelId',
          'number',
          'label',
          'label_port1 as labelPort1',
          'label_port2 as labelPort2',
          'als',
        ])
        .execute(),

    settings: async (id) => confirmedSettings(await settingRows(db, id)),

    commands: async (id) => {
      const rows = await db
        .selectFrom('device_command')
        .where('device_id', '=', id)
        .where(isOfOwner('device_command', id))
        .where(sql<boolean>`accepted_at > clock_timestamp() - make_interval(hours => ${COMMANDS_OF_HOURS})`)
        .select(['name', 'args', 'state', 'sent_at', 'ended_at', 'text', 'errors'])
        .orderBy('accepted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MOST_COMMANDS)
        .execute()
      return rows.map((row) => ({
        name: row.name,
        args: row.args as Record<string, unknown>,
        state: row.state as CommandFact['state'],
        sentAt: row.sent_at ?? undefined,
        endedAt: row.ended_at ?? undefined,
        words: [row.text, ...(row.errors as string[])].filter(Boolean).join(' '),
      }))
    },

    outletHistory: async (id, now) => {
      const since = new Date(now.getTime() - OUTLET_HISTORY_MS)
      const { rows } = await sql<OutletRow>`
        select topic, number, device_dt as at, port1_status, port2_status
        from (
          select 'power-switch' as topic, number, device_dt, port1_status, port2_status
          from reading_power_switch where device_id = ${id} and device_dt > ${since} and claimed_at is null
          union all
          select 'relay', number, device_dt, port1_status, port2_status
          from reading_relay where device_id = ${id} and device_dt > ${since} and claimed_at is null
        ) outlets order by device_dt`.execute(db)
      return Map.groupBy(rows.flatMap(portsOf), ({ wireName }) => wireName)
    },
  }
}

interface OutletRow {
  readonly topic: 'power-switch' | 'relay'
  readonly number: number
  readonly at: Date
  readonly port1_status: number | null
  readonly port2_status: number | null
}

/** A report says only what changed, or all of it. */
function portsOf({ topic, number, at, ...ports }: OutletRow) {
  const prefix = eventTypeByTopic(topic)?.prefixes[number - 1] ?? ''
  return Object.entries(ports).flatMap(([name, value]) =>
    value === null ? [] : [{ wireName: prefix + name, value, at }],
  )
}

/** Whoever had the device before did and was told nothing that is for the one who has it now. */
const isOfOwner = (table: 'device_command' | 'device_setting', id: DeviceId) =>
  sql<boolean>`${sql.ref(`${table}.customer_id`)} = (select d.customer_id from device d where d.id = ${id})`

const settingRows = (db: Db, id: DeviceId) =>
  db
    .selectFrom('device_setting')
    .where('device_id', '=', id)
    .select([
      'section',
      'number',
      'reported',
      sql<Date | null>`case when ${isOfOwner('device_setting', id)} then refused_at end`.as('refused_at'),
      'refused_errors',
    ])
    .orderBy('section')
    .orderBy('number')
    .execute()

function confirmedSettings(rows: Awaited<ReturnType<typeof settingRows>>): ConfirmedSettings {
  const turnOff = rows.find(({ section }) => section === 'turnOff')
  return {
    offTimes: (turnOff?.reported as OffTimes | null | undefined) ?? undefined,
    setBacklights: new Map(
      rows.flatMap(({ section, number, reported }): [number, number][] => {
        const level =
          section === 'display' ? (reported as { backlightLevel?: number } | null)?.backlightLevel : undefined
        return level === undefined ? [] : [[number, level]]
      }),
    ),
    refusals: rows.flatMap(({ section, number, refused_at: at, refused_errors: errors }) =>
      at === null
        ? []
        : [
            {
              section: section as Refusal['section'],
              number,
              at,
              words: ((errors as string[] | null) ?? []).join(' '),
            },
          ],
    ),
  }
}
