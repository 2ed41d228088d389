import { DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'
import { READING_HOLDS_MS } from '#domain/darkness/minutes/darkMinutes.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { type DarkProof, darkProof } from '#domain/lightRules/emergencyDark.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { readComponentStates } from '#server/telemetry/state/currentState.ts'

export interface ProvenDevice {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly isOnline: boolean
  readonly isConfirmed: boolean
  readonly isRestored: boolean
  readonly displays: readonly number[]
  readonly proof: DarkProof
}

/** Reads what the devices of an emergency reported last, and so which of them are proven dark. */
export async function readProof(db: Db, scope: Scope, id: number, now: Date): Promise<readonly ProvenDevice[]> {
  const statements = statementsOf(db)
  const { rows } = await statements.query<Omit<ProvenDevice, 'proof'> & { toldAt: Date | null }>(
    `select d.id as "deviceId", d.guid, d.name, m.told_at as "toldAt",
       exists (select from device_connection c join server_process p on p.id = c.process_id
               where c.device_id = d.id and not c.is_silent and p.lease_until > now()) as "isOnline",
       coalesce(s.reported = m.off_times, false) as "isConfirmed",
       m.ended_at is not null and s.waiting_version is null as "isRestored",
       array(select k.number from device_component k where k.device_id = d.id and k.category_id = $3
             order by k.number) as displays
     from emergency_dark_device m join device d on d.id = m.device_id and d.deleted_at is null
     left join device_setting s on s.device_id = d.id and s.section = 'turnOff' and s.number = 1
     where m.emergency_id = $1 and ($2::integer is null or d.customer_id = $2) order by d.name_order, d.id`,
    [id, customerOf(scope), CATEGORY.display],
  )
  const states = await readComponentStates(
    statements,
    { kind: 'everything' },
    rows.map(({ deviceId }) => deviceId),
    { eventTypeIds: [DISPLAY_EVENT_TYPE_ID] },
  )
  return rows.map(({ toldAt, ...row }) => {
    const parts = states.get(row.deviceId) ?? []
    const sinceMs = Math.max(toldAt?.getTime() ?? 0, now.getTime() - READING_HOLDS_MS)
    const levels = row.displays.map((number) => {
      const fields = parts.find((part) => part.eventTypeId === DISPLAY_EVENT_TYPE_ID && part.number === number)?.fields
      return levelOf(fields ?? {}, sinceMs)
    })
    return { ...row, proof: darkProof(levels) }
  })
}

type Fields = Readonly<Record<string, readonly [unknown, string | number | Date, ...unknown[]]>>

/** A measurement at the panel goes over what the display says of itself; nothing older than a reading holds counts. */
function levelOf(fields: Fields, sinceMs: number): number | undefined {
  for (const name of ['panel_light', 'backlight_level']) {
    const [value, at] = fields[name] ?? []
    if (typeof value === 'number' && at !== undefined && new Date(at).getTime() >= sinceMs) return value
  }
  return undefined
}
