import { sql } from 'kysely'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/audit.store.ts'
import type { Scope } from '#server/http/caller.ts'
import { existingDevices, isOnline } from '#server/http/existingDevices.store.ts'
import type { SectionWish } from './wishes.ts'

type Arguments = Record<string, unknown>

export interface SettingRow {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
  readonly desired: Arguments | null
  readonly desiredAt: Date | null
  readonly desiredBy: string | null
  readonly reported: Arguments | null
  readonly reportedAt: Date | null
  /** Whether the device does not have, as far as it has said, what it is to have. */
  readonly differs: boolean
  readonly refused: Arguments | null
  readonly refusedAt: Date | null
  readonly refusedErrors: readonly string[] | null
}

export interface SettledDevice {
  readonly id: DeviceId
  readonly name: string
  readonly statusId: number
  readonly modelId: DeviceModelId
  readonly timeZone: string
  readonly isOnline: boolean
  readonly version: number
  readonly displayNumbers: readonly number[]
}

export interface DeviceSettingsStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Writes a wish as the next version of the settings. @returns that version, and what was wished for before */
  readonly keepWish: (
    wish: SectionWish & { readonly username: string },
    transaction: Tx,
  ) => Promise<{ readonly version: number; readonly before: Arguments }>
  readonly findDevices: (ids: readonly DeviceId[], scope: Scope) => Promise<readonly SettledDevice[]>
  /** Sections that somebody has set, by device, section and number. The caller has checked the devices. */
  readonly settings: (deviceIds: readonly DeviceId[]) => Promise<readonly SettingRow[]>
}

const DISPLAY_CATEGORY = 6

export function createDeviceSettingsStore(db: Db): DeviceSettingsStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    keepWish: async ({ deviceId, section, number, args, username }, transaction) => {
      const { version } = await transaction
        .insertInto('device_settings')
        .values({ device_id: deviceId, version: 2 })
        .onConflict((conflict) =>
          conflict.column('device_id').doUpdateSet((eb) => ({
            version: eb('device_settings.version', '+', 1),
            revision: eb('device_settings.revision', '+', 1),
            updated_at: sql<Date>`now()`,
          })),
        )
        .returning('version')
        .executeTakeFirstOrThrow()
      const before = await transaction
        .selectFrom('device_setting')
        .select('desired')
        .where('device_id', '=', deviceId)
        .where('section', '=', section)
        .where('number', '=', number)
        .executeTakeFirst()
      const wish = {
        desired: JSON.stringify(args),
        desired_at: sql<Date>`clock_timestamp()`,
        desired_by: username,
        waiting_version: version,
        refused: null,
        refused_at: null,
        refused_errors: null,
      }
      await transaction
        .insertInto('device_setting')
        .values({ device_id: deviceId, section, number, ...wish })
        .onConflict((conflict) => conflict.columns(['device_id', 'section', 'number']).doUpdateSet(wish))
        .execute()
      return { version, before: (before?.desired as Arguments | null | undefined) ?? {} }
    },

    findDevices: async (ids, scope) =>
      db
        .selectFrom('device')
        .leftJoin('device_settings', 'device_settings.device_id', 'device.id')
        .where((eb) => existingDevices(eb, scope))
        .where('device.id', 'in', [...ids])
        .select([
          'device.id',
          'name',
          'status_id as statusId',
          'model_id as modelId',
          'time_zone as timeZone',
          isOnline('device.id').as('isOnline'),
          sql<number>`coalesce(device_settings.version, 1)`.as('version'),
          sql<number[]>`array(select c.number from device_component c
            where c.device_id = device.id and c.category_id = ${DISPLAY_CATEGORY} order by c.number)`.as(
            'displayNumbers',
          ),
        ])
        .orderBy(sql`lower(name)`)
        .orderBy('device.id')
        .execute(),

    settings: async (deviceIds) => {
      const rows = await db
        .selectFrom('device_setting')
        .selectAll()
        .select(sql<boolean>`desired is distinct from reported`.as('differs'))
        .where('device_id', 'in', [...deviceIds])
        .orderBy('device_id')
        .orderBy('section')
        .orderBy('number')
        .execute()
      return rows.map((row) => ({
        deviceId: row.device_id,
        section: row.section,
        number: row.number,
        desired: row.desired as Arguments | null,
        desiredAt: row.desired_at,
        desiredBy: row.desired_by,
        reported: row.reported as Arguments | null,
        reportedAt: row.reported_at,
        differs: row.differs,
        refused: row.refused as Arguments | null,
        refusedAt: row.refused_at,
        refusedErrors: row.refused_errors as string[] | null,
      }))
    },
  }
}
