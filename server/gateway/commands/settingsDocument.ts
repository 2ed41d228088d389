import type { DeviceSettings } from '#contract/mqtt/settings.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import { OFFER_OF_DEVICE } from '#server/rollouts/clientOffers.ts'

interface SettingsRow {
  readonly version: number | null
  readonly model_id: number
  readonly time_zone: string
  readonly components: DeviceSettings['components']
  readonly sections: DeviceSettings['sections']
  readonly client: DeviceSettings['client']
}

/** What the device is told about itself, as it stands in the database now. */
export async function readSettingsDocument(
  queryable: Queryable,
  deviceId: DeviceId,
): Promise<DeviceSettings | undefined> {
  // One statement: the version and what it stands for must be of the same moment.
  const { rows } = await queryable.query<SettingsRow>(
    `select s.version, d.model_id, d.time_zone,
       coalesce((select jsonb_agg(jsonb_build_object('componentModelId', c.component_model_id, 'number', c.number,
                                                     'label', c.label, 'als', c.als, 'buttonRules', c.json_settings)
                                  order by c.category_id, c.number)
                 from device_component c where c.device_id = d.id), '[]'::jsonb) as components,
       coalesce((select jsonb_agg(jsonb_build_object('section', w.section, 'number', w.number, 'args', w.desired)
                                  order by w.section, w.number)
                 from device_setting w where w.device_id = d.id and w.desired is not null), '[]'::jsonb) as sections,
       ${OFFER_OF_DEVICE} as client
     from device d left join device_settings s on s.device_id = d.id
     where d.id = $1 and d.deleted_at is null`,
    [deviceId],
  )
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    version: row.version ?? 1,
    modelId: row.model_id,
    timeZone: row.time_zone,
    components: row.components,
    sections: row.sections,
    holidays: (await holidaysOfDevice(queryable, deviceId)).map(({ date }) => date),
    client: row.client,
  }
}
