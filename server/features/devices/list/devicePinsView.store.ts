import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PinsView } from '#contract/http/devices/pins.ts'
import type { Health } from '#domain/darkness/health.ts'
import type { Db } from '#server/db/database.ts'
import { fleetCount } from '#server/fleet/fleetCounts.store.ts'
import { ACTIVE_ALERTS, HEALTH, HEALTH_JOINS } from './pinHealth.store.ts'

type Area = NonNullable<PinsView['area']>

/** A view of the map, in degrees and in the zoom of its tiles. */
export interface MapView extends Area {
  readonly zoom: number
}

/** A browser groups and lists so many pins at once. */
const MOST_PINS = 2_000
/** The list beside the map shows so many of the devices that are counted together. */
const LISTED = 200
/** This part of the view is added beyond each edge, so that moving the map shows what is there. */
const BEYOND = 0.35
/** The grid is finer than the clusters are drawn, so that clusters of cells look like clusters of pins. */
const CELL_PX = 40
const TILE_PX = 256
/** The map's projection ends here. */
const LARGEST_LATITUDE = 85.05

export interface ShownPins {
  readonly view: Promise<PinsView>
  readonly withoutPosition: number
  /** SQL: whether a device is a pin; undefined when each match is one. */
  readonly isPin: RawBuilder<SqlBool> | undefined
}

interface Wanted {
  /** The filter as SQL, for a statement that knows `device`. */
  readonly where: RawBuilder<SqlBool>
  /** The filter accepts every device of the installation. */
  readonly isWhole: boolean
}

export async function pinsOfView(db: Db, { where, isWhole }: Wanted, view: MapView): Promise<ShownPins> {
  const covers = wider(view)
  const { withoutPosition, covered, ...known } = isWhole
    ? await countAll(db, view, covers)
    : await countPlaced(db, where, view, covers)
  const isAll = known.total <= MOST_PINS
  const isFew = covered <= MOST_PINS
  const cells = isAll || isFew ? NO_CELLS : cellsOf(db, where, view.zoom, covers)
  return {
    view: Promise.resolve(cells).then((found) => ({ ...known, covers: isAll ? null : covers, cells: found })),
    withoutPosition,
    isPin: isAll ? undefined : isFew ? isWithin(covers) : isAmongFirst(where, view),
  }
}

const COUNTS = {
  counts: sql`count(*)`,
  activeAlerts: sql`coalesce(sum(active_alerts), 0)`,
  dark: countOf('dark'),
  silent: countOf('silent'),
  warned: countOf('warned'),
  unknown: countOf('unknown'),
  maintained: countOf('maintained'),
}
type Count = keyof typeof COUNTS
const COUNT_NAMES = Object.keys(COUNTS) as Count[]

function countOf(health: Health) {
  return sql`count(*) filter (where health = ${health})`
}

const NO_CELLS: PinsView['cells'] = {
  latitudes: [],
  longitudes: [],
  counts: [],
  activeAlerts: [],
  dark: [],
  silent: [],
  warned: [],
  unknown: [],
  maintained: [],
}

function wider({ west, south, east, north }: Area): Area {
  const [wide, high] = [(east - west) * BEYOND, (north - south) * BEYOND]
  return { west: west - wide, south: south - high, east: east + wide, north: north + high }
}

const isWithin = ({ west, south, east, north }: Area) => sql<SqlBool>`(
  device.latitude between ${south}::float8 and ${north}::float8
  and device.longitude between ${west}::float8 and ${east}::float8)`

const IS_PLACED = sql<SqlBool>`(device.latitude is not null and device.longitude is not null)`

type Counted = Area & Readonly<Record<'total' | 'without' | 'within' | 'covered', number>>

const EXISTS = sql<SqlBool>`device.deleted_at is null`

/** Counts all devices, as far as possible from maintained counts and indexes, which takes a sixth of the time. */
async function countAll(db: Db, view: Area, covers: Area) {
  const end = (choose: 'min' | 'max', column: 'latitude' | 'longitude') =>
    sql`(select ${sql.raw(`${choose}(device.${column})`)} from device where ${EXISTS} and ${IS_PLACED})`
  const { rows } = await sql<Counted & { readonly devices: number }>`
    select (${fleetCount({ kind: 'everything' }, {})}) as devices,
      (select count(*)::int from device where ${EXISTS} and not ${IS_PLACED}) as without,
      count(*) filter (where ${isWithin(view)})::int as within, count(*)::int as covered,
      ${end('min', 'longitude')} as west, ${end('max', 'longitude')} as east,
      ${end('min', 'latitude')} as south, ${end('max', 'latitude')} as north
    from device where ${EXISTS} and ${IS_PLACED} and ${isWithin(covers)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('An aggregate without a row.')
  return placedOf({ ...found, total: found.devices - found.without })
}

async function countPlaced(db: Db, where: RawBuilder<SqlBool>, view: Area, covers: Area) {
  const { rows } = await sql<Counted>`
    select count(*) filter (where ${IS_PLACED})::int as total, count(*) filter (where not ${IS_PLACED})::int as without,
      count(*) filter (where ${isWithin(view)})::int as within,
      count(*) filter (where ${isWithin(covers)})::int as covered,
      min(longitude) filter (where ${IS_PLACED}) as west, max(longitude) filter (where ${IS_PLACED}) as east,
      min(latitude) filter (where ${IS_PLACED}) as south, max(latitude) filter (where ${IS_PLACED}) as north
    from device where ${where}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('An aggregate without a row.')
  return placedOf(found)
}

function placedOf({ total, without, within, covered, west, south, east, north }: Counted) {
  const area = total === 0 ? null : { west, south, east, north }
  return { total, area, inView: within, covered, withoutPosition: without }
}

const isAmongFirst = (where: RawBuilder<SqlBool>, area: Area) => sql<SqlBool>`device.id in (
  select device.id from device where ${where} and ${isWithin(area)} order by device.name_order, device.id limit ${LISTED})`

/** Counts by cells of a grid in the map's projection. The grid does not move with the view, or counts would jump. */
async function cellsOf(db: Db, where: RawBuilder<SqlBool>, zoom: number, area: Area): Promise<PinsView['cells']> {
  const cells = (TILE_PX * 2 ** zoom) / CELL_PX
  const shown = sql`least(greatest(device.latitude, ${-LARGEST_LATITUDE}::float8), ${LARGEST_LATITUDE}::float8)`
  const row = sql`floor(ln(tan(pi() / 4 + radians(${shown}) / 2)) / (2 * pi()) * ${cells}::float8)`
  const columns = ['latitudes', 'longitudes', ...COUNT_NAMES].map(
    (name) => sql`coalesce(array_agg(${sql.id(name)}), '{}') as ${sql.id(name)}`,
  )
  const counts = COUNT_NAMES.map((name) => sql`(${COUNTS[name]})::int as ${sql.id(name)}`)
  const { rows } = await sql<PinsView['cells']>`
    select ${sql.join(columns)}
    from (
      select round(avg(latitude)::numeric, 5)::float8 as latitudes,
        round(avg(longitude)::numeric, 5)::float8 as longitudes, ${sql.join(counts)}
      from (
        select device.latitude, device.longitude, ${ACTIVE_ALERTS} as active_alerts, ${HEALTH} as health,
          floor(device.longitude / 360 * ${cells}::float8) as across, ${row} as down
        from device ${HEALTH_JOINS}
        where ${where} and ${isWithin(area)}) found
      group by across, down) cell`.execute(db)
  return rows[0] ?? NO_CELLS
}
