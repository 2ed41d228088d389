import { type DisplayDrivers, type PowerInDark, powerInDark } from '#domain/drivers/powerInDark.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'

interface Row {
  readonly id: DeviceId
  readonly displays: readonly { readonly [Part in keyof DisplayDrivers]: DisplayDrivers[Part] | null }[] | null
}

/** Reads whether panels keep their power while they are dark, by what was chosen for them and what devices said. */
export async function readPowerInDark(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, PowerInDark>> {
  const { rows } = await statements.query<Row>(
    `select d.id, (
       select json_agg(json_build_object('chosen', r.options, 'told', t.part))
       from (select part, options from device_driver where device_id = d.id and ${isDisplay('part')}) r
       full join (
         select part from device_drivers_told s, jsonb_array_elements(s.told -> 'parts') part
         where s.device_id = d.id and ${isDisplay(`part ->> 'part'`)}
       ) t on t.part ->> 'part' = r.part
     ) as displays
     from unnest($1::integer[]) as d (id)`,
    [deviceIds],
  )
  return new Map(
    rows.map(({ id, displays }) => [
      id,
      powerInDark(
        (displays ?? []).map(({ chosen, told }) => ({ chosen: chosen ?? undefined, told: told ?? undefined })),
      ),
    ]),
  )
}

const isDisplay = (part: string) => `split_part(${part}, '/', 1) = 'display'`
