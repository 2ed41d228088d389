import type pg from 'pg'
import { LIGHT_RULES, type LightSeconds } from '#domain/energy/displayDay.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { CountedDisplay, DayEnergy } from './energyDays.ts'

const numbersOf = ({ known, lit, level }: LightSeconds) => [known, lit, Math.round(level)]
// Arrays within an array would be taken for one of two dimensions.
const arrayText = (numbers: readonly number[]) => `{${numbers.join()}}`
const lightText = ({ byRule }: CountedDisplay) => arrayText(LIGHT_RULES.flatMap((rule) => numbersOf(byRule[rule])))

/** Stores what the displays of a device did on days. The caller holds the lock of dark days. */
export async function keepDisplayDays(
  owner: pg.ClientBase,
  deviceId: DeviceId,
  days: readonly (Partial<DayEnergy> & { readonly date: LocalDate })[],
): Promise<void> {
  const rows = days.flatMap(({ date, displays = [] }) => displays.map((display) => ({ date, display })))
  if (rows.length === 0) return
  await owner.query(
    `insert into display_day as k (device_id, day, number, component_model_id, light, unmetered, unknown_s, heat)
     select $1, day, number, model, light::integer[], unmetered::integer[], unknown_s, heat::smallint[]
     from unnest($2::date[], $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::integer[], $8::text[])
       as g (day, number, model, light, unmetered, unknown_s, heat)
     on conflict (device_id, day, number) do update set component_model_id = excluded.component_model_id,
       light = excluded.light, unmetered = excluded.unmetered, unknown_s = excluded.unknown_s, heat = excluded.heat`,
    [
      deviceId,
      rows.map(({ date }) => date),
      rows.map(({ display }) => display.number),
      rows.map(({ display }) => display.modelId),
      rows.map(({ display }) => lightText(display)),
      rows.map(({ display }) => arrayText(numbersOf(display.unmetered))),
      rows.map(({ display }) => display.unknownSeconds),
      rows.map(({ display }) => arrayText(display.heat)),
    ],
  )
}
