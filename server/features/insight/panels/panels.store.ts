import type pg from 'pg'
import { CATEGORY } from '#domain/components/componentFields.ts'
import { DARK_CAUSES } from '#domain/darkness/causes/darkCauses.ts'
import type { ComponentModelId, CustomerId, DeviceId } from '#domain/ids.ts'
import { HEAT_CELLS } from '#domain/panels/heatBands.ts'
import type { LifeModel } from '#domain/panels/panelLife.ts'
import { FAILURE_MINUTES } from '#domain/panels/panelText.ts'
import type { OwedDevice } from '#domain/statement/lightStatement.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Period } from '#server/darkness/owedDevices.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

/** A month of one present display; the month is null where none was counted. */
export interface DisplayMonth {
  /** The place of the device in the list. */
  readonly at: number
  readonly number: number
  readonly modelId: ComponentModelId
  readonly batch: string
  readonly installedOn: LocalDate | null
  readonly month: string | null
  readonly firstDay: LocalDate | null
  readonly days: number
  readonly heat: readonly number[]
}

const HEAT = Array.from({ length: HEAT_CELLS }, (_, index) => `coalesce(sum(k.heat[${index + 1}]), 0)`).join(', ')
/** A day of which more is unknown says little about how a display ages. */
const MOST_UNKNOWN_SECONDS = 43_200

/** Reads how warm and bright displays were since they were put in, by month. */
export async function readDisplayMonths(
  pool: pg.Pool,
  devices: readonly OwedDevice[],
): Promise<readonly DisplayMonth[]> {
  const { rows } = await pool.query<DisplayMonth>(
    `select o.at::integer - 1 as at, c.number, c.component_model_id as "modelId", c.batch,
       to_char(c.installed_on, 'YYYY-MM-DD') as "installedOn", left(k.day::text, 7) as month,
       to_char(min(k.day), 'YYYY-MM-DD') as "firstDay", count(k.day)::integer as days, array[${HEAT}]::float8[] as heat
     from unnest($1::integer[], $2::date[]) with ordinality as o (id, owned_from, at)
     join device_component c on c.device_id = o.id and c.category_id = ${CATEGORY.display}
     left join display_day k on k.device_id = o.id and k.number = c.number and k.unknown_s < ${MOST_UNKNOWN_SECONDS}
       and k.day >= greatest(o.owned_from, coalesce(c.installed_on, '-infinity'))
     group by o.at, c.number, c.component_model_id, c.batch, c.installed_on, left(k.day::text, 7)
     order by 1, 2, month`,
    [devices.map(({ id }) => id), devices.map(({ firstDay }) => firstDay)],
  )
  return rows
}

/** The light and the failures of a device while its client had one version. */
export interface VersionShare {
  readonly id: DeviceId
  readonly clientVersion: string | null
  readonly modelId: ComponentModelId
  readonly batch: string
  readonly litMinutes: number
  /** Days on which a display failed, as numbers. */
  readonly failedDays: readonly number[]
}

const DISPLAY_CAUSE = DARK_CAUSES.indexOf('display') + 1

/** Reads the light of every device of a customer, or of all. */
export async function readVersionShares(
  pool: pg.Pool,
  customerId: CustomerId | null,
  { from, to }: Period,
): Promise<readonly VersionShare[]> {
  const { rows } = await pool.query<VersionShare>(
    `select s.device_id as id, k.client_version as "clientVersion", c.component_model_id as "modelId", c.batch,
       sum(k.lit_min + coalesce(k.lit_in_off_min, 0))::float8 as "litMinutes",
       coalesce(array_agg(k.day - date '2000-01-01') filter (where k.causes[${DISPLAY_CAUSE}] >= ${FAILURE_MINUTES}), '{}')
         as "failedDays"
     from dark_span s join device d on d.id = s.device_id and d.deleted_at is null
     join device_dark_day k on k.device_id = s.device_id and k.day >= greatest(s.owned_from, $2)
       and k.day <= least(coalesce(s.owned_to, 'infinity'), $3)
     join device_component c on c.device_id = s.device_id and c.category_id = ${CATEGORY.display} and c.number = 1
     where $1::integer is null or s.customer_id = $1
     group by 1, 2, 3, 4 order by 1`,
    [customerId, from, to],
  )
  return rows
}

export async function readLifeModels(db: Db | Tx): Promise<ReadonlyMap<number, LifeModel>> {
  const { rows } = await statementsOf(db).query<LifeModel & { modelId: number }>(
    `select component_model_id as "modelId", rated_hours as "ratedHours", rated_celsius as "ratedCelsius",
       level_exponent_hundredths as "levelExponentHundredths",
       activation_millielectronvolts as "activationMillielectronvolts" from panel_life_model`,
    [],
  )
  return new Map(rows.map(({ modelId, ...life }) => [modelId, life]))
}

export async function writeLifeModel(db: Db | Tx, modelId: number, life: LifeModel | null) {
  await statementsOf(db).query('delete from panel_life_model where component_model_id = $1', [modelId])
  if (life === null) return
  const { ratedHours, ratedCelsius, levelExponentHundredths, activationMillielectronvolts } = life
  await statementsOf(db).query('insert into panel_life_model values ($1, $2, $3, $4, $5)', [
    ...[modelId, ratedHours, ratedCelsius, levelExponentHundredths, activationMillielectronvolts],
  ])
}
