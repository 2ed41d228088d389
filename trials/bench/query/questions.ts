import type { DeviceColumns } from '#contract/http/insight/analytics.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { FIELDS, type Fleet } from './fleet.ts'

/** Values of the database as it wrote them. */
export type TextRow = readonly (string | null)[]

/** One answer, read from the product over HTTP and from the database by the best statement we could write. */
export interface Question {
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly sql: string
  readonly values: readonly unknown[]
  /** Both give the same form, unmeasured: a statement with another result is no reference. */
  readonly ofAnswer: (answer: never) => unknown
  readonly ofRows: (rows: readonly TextRow[]) => unknown
  /** It only shows what every call costs before it reads anything. */
  readonly isForComparison?: true
  /** The answer may take so many times as long as its statement, where that differs from the usual. */
  readonly mustRatio?: number
}

const THREE = [4101, 4102, 4103]
const columnOf = (id: number) => `"${FIELDS.find((field) => field.id === id)?.column}"`
const mean = (column: string) => `(sum(${column}::float8) / count(${column}))::real`
const iso = (ms: number) => new Date(ms).toISOString()
const numberOf = (text: string | null | undefined) =>
  text === null || text === undefined || text === '' ? null : +text

type ChartRow = Readonly<Record<string, string | number | null>>
const ofChart =
  (fieldIds: readonly number[]) =>
  (rows: readonly ChartRow[]): unknown[] =>
    rows.map((row) => [Date.parse(String(row.time)), row.deviceId, ...fieldIds.map((id) => row[`m_${id}`])])

export function questionsOf(fleet: Fleet, days: number): readonly Question[] {
  const { deviceIds } = fleet
  return [
    oneDevice(fleet),
    dayInFineSteps(fleet, days),
    { ...yearInRows(fleet, deviceIds.slice(0, 5), THREE), mustRatio: MUST_RATIO_OF_ROWS },
    yearInColumns(fleet, deviceIds.slice(0, 5), THREE),
    yearInRows(fleet, deviceIds.slice(0, 1), THREE.slice(0, 1)),
    yearInColumns(fleet, deviceIds.slice(0, 1), THREE.slice(0, 1)),
    sparklines(fleet),
    deepPage(fleet, days),
  ]
}

function oneDevice({ deviceIds: [one = 0] }: Fleet): Question {
  return {
    name: 'one device (what any call costs)',
    path: 'Device/GetDeviceById',
    query: { id: String(one) },
    sql: 'select id, name from device where id = $1',
    values: [one],
    ofAnswer: ({ id, name }: { id: number; name: string }) => [[String(id), name]],
    ofRows: (rows) => rows,
    isForComparison: true,
  }
}

const chartOf = ({ deviceIds }: Fleet) => ({ devices: deviceIds.slice(0, 5).join(), measurements: THREE.join() })

function dayInFineSteps(fleet: Fleet, days: number): Question {
  const beginMs = fleet.endMs - Math.min(10, days) * DAY_MS
  return {
    name: 'a day, 15 series, 5 minutes',
    path: 'Analytics/GetAnalyticsDataTable',
    query: { ...chartOf(fleet), dateFrom: iso(beginMs), dateTo: iso(beginMs + DAY_MS), minutesRound: '5' },
    sql: `select date_part('epoch', date_bin('5 minutes', device_dt, timestamptz 'epoch')), device_id,
        ${THREE.map((id) => mean(columnOf(id))).join(', ')}
      from reading_display where device_id = any ($1::integer[]) and number = 1 and device_dt >= $2 and device_dt < $3
      group by 1, 2 order by 1, 2`,
    values: [fleet.deviceIds.slice(0, 5), new Date(beginMs), new Date(beginMs + DAY_MS)],
    ofAnswer: ofChart(THREE),
    ofRows: (rows) => rows.map(([atS, ...rest]) => [Number(atS) * 1000, ...rest.map(numberOf)]),
  }
}

/** Rows name each number, and only programs read them: the console reads columns. */
const MUST_RATIO_OF_ROWS = 4

/** Reads the days as they are stored: making a row of each hour costs the database four times as long. */
function yearInRows({ endMs }: Fleet, deviceIds: readonly number[], fieldIds: readonly number[]): Question {
  const beginMs = endMs - 365 * DAY_MS
  const number = deviceIds.length * fieldIds.length
  return {
    name: `a year, ${number} series, rows`,
    path: 'Analytics/GetAnalyticsDataTable',
    query: { devices: deviceIds.join(), measurements: fieldIds.join(), dateFrom: iso(beginMs), dateTo: iso(endMs) },
    sql: `select day::text, device_id, field_id, array_to_string(means, ',', '') from rollup
      where device_id = any ($1::integer[]) and field_id = any ($2::integer[]) and day >= $3::date and day < $4::date
      order by day, device_id, field_id`,
    values: [deviceIds, fieldIds, iso(beginMs).slice(0, 10), iso(endMs).slice(0, 10)],
    ofAnswer: ofChart(fieldIds),
    ofRows: (rows) => {
      const byDay = Map.groupBy(rows, ([day]) => day)
      return [...byDay].flatMap(([day, ofDay]) => {
        const byDevice = [...Map.groupBy(ofDay, ([, deviceId]) => deviceId)].map(
          ([deviceId, series]) => [Number(deviceId), series.map(([, , , means]) => means?.split(',') ?? [])] as const,
        )
        return Array.from({ length: 24 }, (_, hour) =>
          byDevice.map(([deviceId, series]) => [
            Date.parse(day ?? '') + hour * HOUR_MS,
            deviceId,
            ...series.map((means) => numberOf(means[hour])),
          ]),
        ).flat()
      })
    },
  }
}

/** Reads the same numbers in the form of the console. */
function yearInColumns(fleet: Fleet, deviceIds: readonly number[], fieldIds: readonly number[]): Question {
  const rows = yearInRows(fleet, deviceIds, fieldIds)
  return {
    ...rows,
    name: rows.name.replace('rows', 'columns'),
    path: 'Analytics/GetAnalyticsColumns',
    ofAnswer: ({ devices }: { readonly devices: readonly DeviceColumns[] }) => {
      const hours = devices[0]?.columns[0]?.means.length ?? 0
      return Array.from({ length: hours }, (_, hour) =>
        devices.map(({ deviceId, from, columns }) => [
          Date.parse(from) + hour * HOUR_MS,
          deviceId,
          ...columns.map(({ means }) => means[hour]),
        ]),
      ).flat()
    },
  }
}

/** Reads the newest values, the days of the roll-ups, and the running hour, which those lack. */
function sparklines({ deviceIds: [one = 0] }: Fleet): Question {
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const firstMs = hourMs - 23 * HOUR_MS
  // The fleet's state has one value, and some tiles appear once their field was reported.
  const tiled = FIELDS.filter(({ hasTile }) => hasTile)
  return {
    name: 'all sparklines of a device',
    path: 'Device/GetDeviceDashboardData',
    query: { deviceId: String(one) },
    sql: `select 0, null, null, fields::text from device_state where device_id = $1
      union all
      select 1, field_id, day::text, array_to_string(means, ',', '') from rollup
      where device_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
        and day <= ($3::timestamptz at time zone 'UTC')::date
      union all
      select 2, null, null, array_to_string(array[${tiled.map(({ column }) => mean(`"${column}"`)).join(', ')}], ',', '')
      from reading_display where device_id = $1 and number = 1 and device_dt >= $3 and device_dt < $3 + interval '1 hour'`,
    values: [one, new Date(firstMs), new Date(hourMs)],
    ofAnswer: (tiles: readonly { field_id: number; data_points_24h: readonly (number | null)[] }[]) =>
      tiled.map(({ id }) => tiles.find(({ field_id }) => field_id === id)?.data_points_24h),
    ofRows: (rows) => {
      const running = rows.find(([part]) => part === '2')?.[3]?.split(',') ?? []
      return tiled.map(({ id }, index) => {
        const points = new Array<number | null>(24).fill(null)
        for (const [, , day, means] of rows.filter(([part, fieldId]) => part === '1' && Number(fieldId) === id)) {
          means?.split(',').forEach((text, hour) => {
            const at = (Date.parse(day ?? '') + hour * HOUR_MS - firstMs) / HOUR_MS
            if (at >= 0 && at < 24) points[at] = numberOf(text)
          })
        }
        points[23] = numberOf(running[index])
        return points
      })
    },
  }
}

function deepPage({ deviceIds: [one = 0], endMs }: Fleet, days: number): Question {
  const beginMs = endMs - days * DAY_MS
  const deepMs = endMs - Math.floor(days * 0.8) * DAY_MS
  const key = JSON.stringify({ atMicroseconds: deepMs * 1000, number: 1, total: null })
  const names = FIELDS.map(({ column }) => `d_${column}`)
  return {
    name: 'a raw page deep in the month',
    path: 'Device/GetDeviceEvTypeRawDataV2',
    query: {
      deviceId: String(one),
      evTypeId: '4',
      dateFrom: iso(beginMs),
      dateTo: iso(endMs),
      pageSize: '100',
      next: Buffer.from(key).toString('base64url'),
    },
    sql: `select date_part('epoch', device_dt), ${FIELDS.map(({ column }) => `"${column}"`).join(', ')}, inserted, claimed_at,
        number, extra, touch_matrix_status, source, source_search_status, out_of_order_status, backlight_automatic_status
      from reading_display where device_id = $1 and number = 1 and device_dt < $2 and device_dt >= $3
      order by device_dt desc limit 101`,
    values: [one, new Date(deepMs), new Date(beginMs)],
    ofAnswer: ({ rows }: { rows: readonly ChartRow[] }) =>
      rows.map((row) => [Date.parse(String(row.device_dt)), ...names.map((name) => row[name])]),
    ofRows: (rows) =>
      rows.slice(0, 100).map(([atS, ...rest]) => [Number(atS) * 1000, ...rest.slice(0, FIELDS.length).map(numberOf)]),
  }
}
