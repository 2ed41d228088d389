import { type DesiredSection, type DeviceSettings, spreadSections } from '#contract/mqtt/settings.ts'
import type { KeptOptions } from '#domain/drivers/keptSecrets.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { holidaysOfDevices } from '#server/fleet/deviceHolidays.ts'
import { OFFER_OF_DEVICE } from '#server/rollouts/assignedReleases.ts'
import { optionsForDevice } from '#server/secrets/driverOptions.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

interface SettingsRow {
  readonly id: DeviceId
  readonly version: number | null
  readonly model_id: number
  readonly time_zone: string
  readonly components: DeviceSettings['components']
  readonly latitude: number | null
  readonly longitude: number | null
  readonly sections: readonly DesiredSection[]
  readonly client: DeviceSettings['client']
  readonly drivers: readonly (NonNullable<DeviceSettings['drivers']>[number] & { readonly secrets: KeptOptions })[]
}

/** Reads the settings documents of devices as the database holds them now. Devices that are gone are left out. */
export async function readSettingsDocuments(
  queryable: Queryable,
  deviceIds: readonly DeviceId[],
  cipher: SecretCipher,
): Promise<ReadonlyMap<DeviceId, DeviceSettings>> {
  // It is one statement, because the version and its content must be of the same moment.
  const { rows } = await queryable.query<SettingsRow>(
    `select d.id, s.version, d.model_id, d.time_zone, d.latitude, d.longitude,
       coalesce((select jsonb_agg(jsonb_build_object('componentModelId', c.component_model_id, 'number', c.number,
                                                     'label', c.label, 'als', c.als, 'buttonRules', c.json_settings)
                                  order by c.category_id, c.number)
                 from device_component c where c.device_id = d.id), '[]'::jsonb) as components,
       coalesce((select jsonb_agg(jsonb_build_object('section', w.section, 'number', w.number, 'args', w.desired)
                                  order by w.section, w.number)
                 from device_setting w where w.device_id = d.id and w.desired is not null), '[]'::jsonb) as sections,
       coalesce(r.drivers, '[]'::jsonb) as drivers,
       ${OFFER_OF_DEVICE} as client
     from device d left join device_settings s on s.device_id = d.id
     left join (select device_id, jsonb_agg(jsonb_build_object('part', part, 'driver', driver,
                                                               'options', options, 'secrets', secrets) order by part) as drivers
                from device_driver where device_id = any($1::int[]) group by device_id) r on r.device_id = d.id
     where d.id = any($1::int[]) and d.deleted_at is null`,
    [deviceIds],
  )
  const holidays = await holidaysOfDevices(queryable, deviceIds)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        version: row.version ?? 1,
        modelId: row.model_id,
        timeZone: row.time_zone,
        components: row.components,
        position:
          row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude },
        ...spreadSections(row.sections),
        holidays: (holidays.get(row.id) ?? []).map(({ date }) => date),
        client: row.client,
        drivers: row.drivers.map(({ secrets, ...driver }) => ({
          ...driver,
          options: { ...driver.options, ...optionsForDevice(cipher, { deviceId: row.id, part: driver.part }, secrets) },
        })),
      },
    ]),
  )
}
