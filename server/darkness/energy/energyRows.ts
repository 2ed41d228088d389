import type pg from 'pg'
import { LIGHT_RULES } from '#domain/energy/displayDay.ts'
import type { LightCell, MeterCell } from '#domain/energy/energyPeriod.ts'
import type { GridFactor } from '#domain/energy/gridFactors.ts'
import type { PanelPower } from '#domain/energy/panelPower.ts'
import type { Tariff } from '#domain/energy/tariffs.ts'
import type { CountryId, CustomerId } from '#domain/ids.ts'
import type { OwedDevice } from '#domain/statement/lightStatement.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Period } from '../owedDevices.ts'

interface CellsQuestion extends Period {
  readonly devices: readonly OwedDevice[]
  readonly parts: 'months' | 'days'
  /** The days from which prices hold, in order. */
  readonly priceDays: readonly LocalDate[]
}

const sums = (column: string, count: number) =>
  Array.from({ length: count }, (_, index) => `sum(k.${column}[${index + 1}])`).join(', ')

const cellsSql = (table: string, columns: string, groups: string, which = '') => `
  select o.at::integer - 1 as at, left(k.day::text, $6) as part, width_bucket(k.day, $7::date[]) as price, ${columns}
  from unnest($1::integer[], $2::date[], $3::date[]) with ordinality as o (id, owned_from, owned_to, at)
  join ${table} k on k.device_id = o.id and k.day between greatest(o.owned_from, $4)
    and least(coalesce(o.owned_to, 'infinity'), $5) ${which}
  group by 1, 2, 3${groups}`

const cellValues = ({ devices, parts, from, to, priceDays }: CellsQuestion) => [
  devices.map(({ id }) => id),
  devices.map(({ firstDay }) => firstDay),
  devices.map(({ lastDay }) => lastDay),
  ...[from, to, parts === 'months' ? 7 : 10, priceDays],
]

/** Reads what displays did, added up for each device, part, price and model. */
export async function readLightCells(pool: pg.Pool, question: CellsQuestion): Promise<readonly LightCell[]> {
  const { rows } = await pool.query<LightCell>(
    cellsSql(
      'display_day',
      `k.component_model_id as "modelId", array[${sums('light', 3 * LIGHT_RULES.length)}]::float8[] as light,
       array[${sums('unmetered', 3)}]::float8[] as unmetered, sum(k.unknown_s)::float8 as "unknownSeconds",
       count(distinct k.day)::integer as days`,
      ', 4',
    ),
    cellValues(question),
  )
  return rows
}

/** Reads what meters counted. */
export async function readMeterCells(pool: pg.Pool, question: CellsQuestion): Promise<readonly MeterCell[]> {
  const { rows } = await pool.query<MeterCell>(
    cellsSql('device_dark_day', 'sum(k.metered_wh)::float8 as "wattHours"', '', 'and k.metered_s > 0'),
    cellValues(question),
  )
  return rows
}

export interface EnergyCustomer {
  readonly name: string
  readonly country: { readonly id: CountryId; readonly name: string; readonly isoCode: string } | null
}

export async function readEnergyCustomer(pool: pg.Pool, customerId: CustomerId): Promise<EnergyCustomer | undefined> {
  const { rows } = await pool.query<EnergyCustomer>(
    `select c.name, case when n.id is null then null
         else json_build_object('id', n.id, 'name', n.name, 'isoCode', n.iso_code) end as country
       from customer c left join country n on n.id = c.country_id where c.id = $1`,
    [customerId],
  )
  return rows[0]
}

/** Reads the prices of a customer, or with null those of the installation, in the order of their days. */
export async function readTariffs(db: Db | Tx, customerId: CustomerId | null): Promise<readonly Tariff[]> {
  const { rows } = await statementsOf(db).query<Tariff>(
    `select to_char(valid_from, 'YYYY-MM-DD') as "validFrom", currency, per_kwh_thousandths as "perKwhThousandths"
     from energy_tariff where customer_id is not distinct from $1::integer order by valid_from`,
    [customerId],
  )
  return rows
}

export async function writeTariffs(db: Db | Tx, customerId: CustomerId | null, tariffs: readonly Tariff[]) {
  const statements = statementsOf(db)
  await statements.query('delete from energy_tariff where customer_id is not distinct from $1::integer', [customerId])
  await statements.query(
    `insert into energy_tariff (customer_id, valid_from, currency, per_kwh_thousandths)
     select $1, * from unnest($2::date[], $3::text[], $4::integer[])`,
    [
      customerId,
      tariffs.map(({ validFrom }) => validFrom),
      tariffs.map(({ currency }) => currency),
      tariffs.map(({ perKwhThousandths }) => perKwhThousandths),
    ],
  )
}

export async function readPanelPowers(db: Db | Tx): Promise<ReadonlyMap<number, PanelPower>> {
  const { rows } = await statementsOf(db).query<PanelPower & { modelId: number }>(
    `select component_model_id as "modelId", full_watts as "fullWatts", minimum_watts as "minimumWatts",
       dark_watts as "darkWatts" from panel_power`,
    [],
  )
  return new Map(rows.map(({ modelId, ...power }) => [modelId, power]))
}

export async function writePanelPower(db: Db | Tx, modelId: number, power: PanelPower | null) {
  await statementsOf(db).query('delete from panel_power where component_model_id = $1', [modelId])
  if (power === null) return
  await statementsOf(db).query('insert into panel_power values ($1, $2, $3, $4)', [
    ...[modelId, power.fullWatts, power.minimumWatts, power.darkWatts],
  ])
}

export async function readGridFactors(db: Db | Tx, countryId: number): Promise<readonly GridFactor[]> {
  const { rows } = await statementsOf(db).query<GridFactor>(
    `select year, grams_per_kwh as "gramsPerKwh", source from grid_factor where country_id = $1 order by year`,
    [countryId],
  )
  return rows
}

export async function writeGridFactors(db: Db | Tx, countryId: number, factors: readonly GridFactor[]) {
  const statements = statementsOf(db)
  await statements.query('delete from grid_factor where country_id = $1', [countryId])
  await statements.query(
    `insert into grid_factor (country_id, year, grams_per_kwh, source)
     select $1, * from unnest($2::smallint[], $3::integer[], $4::text[])`,
    [
      countryId,
      factors.map(({ year }) => year),
      factors.map(({ gramsPerKwh }) => gramsPerKwh),
      factors.map(({ source }) => source),
    ],
  )
}

export async function readCountryName(db: Db | Tx, countryId: number): Promise<string | undefined> {
  const { rows } = await statementsOf(db).query<{ name: string }>('select name from country where id = $1', [countryId])
  return rows[0]?.name
}
