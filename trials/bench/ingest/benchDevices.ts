import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { componentModelById } from '#domain/components/componentModels.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'

export type BenchDevice = { readonly guid: string; readonly key: string }

export const DISPLAY_COLUMNS = [
  'internal_temp',
  'intake_temp',
  'exhaust_temp',
  'humidity',
  'fan1_speed',
  'fan2_speed',
  'fan3_speed',
  'fan4_speed',
  'fan1_speed_target',
  'fan2_speed_target',
  'fan3_speed_target',
  'fan4_speed_target',
  'backlight_level',
  'brightness',
  'contrast',
  'gamma_value',
  'red_color_balance',
  'green_color_balance',
  'blue_color_balance',
  'ambient_light',
] as const

/** It is the kiosk with three displays. */
export const BENCH_MODEL = 15

export async function insertBenchDevices(db: pg.Client, count: number): Promise<BenchDevice[]> {
  await db.query(`insert into customer (name) values ('Benchmark') on conflict do nothing`)
  const devices = Array.from({ length: count }, () => ({
    guid: randomUUID(),
    key: randomBytes(32).toString('base64url'),
  }))
  const hashes = devices.map(({ key }) => createHash('sha256').update(key).digest())
  await db.query(
    `with made as (
       insert into device (guid, name, model_id, customer_id, iot_device_id)
       select g, 'Bench ' || g, $3, (select min(id) from customer), g from unnest($1::uuid[]) g returning id, guid)
     insert into device_credential (device_id, key_hash, first_used_at)
     select made.id, given.hash, now() from made join unnest($1::uuid[], $2::bytea[]) given(guid, hash) using (guid)`,
    [devices.map(({ guid }) => guid), hashes, BENCH_MODEL],
  )
  const components = standardComponents(BENCH_MODEL as DeviceModelId)
  await db.query(
    `insert into device_component (device_id, component_model_id, category_id, number, label, als)
     select device.id, c.model, c.category, c.number, c.label, c.als
     from device, unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::int[]) c(model, category, number, label, als)
     where device.guid = any($6)`,
    [
      components.map(({ componentModelId }) => componentModelId),
      components.map(({ componentModelId }) => componentModelById(componentModelId)?.categoryId),
      components.map(({ number }) => number),
      components.map(({ label }) => label),
      components.map(({ als }) => als),
      devices.map(({ guid }) => guid),
    ],
  )
  return devices
}
