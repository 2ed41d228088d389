import { DAY_MS, FIELDS, type Fleet } from './fleet.ts'

/** One answer, asked of the product over HTTP and of the database by the best statement we could write. */
export interface Question {
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly sql: string
  readonly values: readonly unknown[]
  /** Only there to see what every call costs before it asks anything. */
  readonly isForComparison?: true
}

const THREE = [4101, 4102, 4103]
const columnOf = (id: number) => `"${FIELDS.find((field) => field.id === id)?.column}"`
const iso = (ms: number) => new Date(ms).toISOString()

export function questionsOf({ deviceIds, endMs }: Fleet, days: number): readonly Question[] {
  const five = deviceIds.slice(0, 5)
  const chart = { devices: five.join(), measurements: THREE.join() }
  const dayMs = endMs - Math.min(10, days) * DAY_MS
  const yearMs = endMs - 365 * DAY_MS
  const sparklinesMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 23 * 3_600_000
  const deepMs = endMs - Math.floor(days * 0.8) * DAY_MS
  const [one = 0] = deviceIds
  return [
    {
      name: 'one device (what any call costs)',
      path: 'Device/GetDeviceById',
      query: { id: String(one) },
      sql: 'select * from device where id = $1',
      values: [one],
      isForComparison: true,
    },
    {
      name: 'a day, 15 series, 5 minutes',
      path: 'Analytics/GetAnalyticsDataTable',
      query: { ...chart, dateFrom: iso(dayMs), dateTo: iso(dayMs + DAY_MS), minutesRound: '5' },
      sql: `select date_bin('5 minutes', device_dt, timestamptz 'epoch'), device_id,
          ${THREE.map((id) => `avg(${columnOf(id)})::real`).join(', ')}
        from reading_display where device_id = any ($1::integer[]) and number = 1 and device_dt >= $2 and device_dt < $3
        group by 1, 2 order by 1, 2`,
      values: [five, new Date(dayMs), new Date(dayMs + DAY_MS)],
    },
    {
      name: 'a year, 15 series, hours',
      path: 'Analytics/GetAnalyticsDataTable',
      query: { ...chart, dateFrom: iso(yearMs), dateTo: iso(endMs) },
      sql: `select day + h * interval '1 hour', a.device_id, a.means[h + 1], b.means[h + 1], c.means[h + 1]
        from rollup a join rollup b using (device_id, day) join rollup c using (device_id, day), generate_series(0, 23) h
        where a.field_id = ${THREE[0]} and b.field_id = ${THREE[1]} and c.field_id = ${THREE[2]}
          and a.device_id = any ($1::integer[]) and day >= $2::date and day < $3::date
        order by 1, 2`,
      values: [five, iso(yearMs).slice(0, 10), iso(endMs).slice(0, 10)],
    },
    {
      name: 'all sparklines of a device',
      path: 'Device/GetDeviceDashboardData',
      query: { deviceId: String(one) },
      sql: `select date_trunc('hour', device_dt), ${FIELDS.map(({ id }) => `avg(${columnOf(id)})::real`).join(', ')}
        from reading_display where device_id = $1 and device_dt >= $2 group by 1 order by 1`,
      values: [one, new Date(sparklinesMs)],
    },
    {
      name: 'a raw page deep in the month',
      path: 'Device/GetDeviceEvTypeRawDataV2',
      query: {
        deviceId: String(one),
        evTypeId: '4',
        dateFrom: iso(endMs - days * DAY_MS),
        dateTo: iso(endMs),
        pageSize: '100',
        next: Buffer.from(JSON.stringify({ atMicroseconds: deepMs * 1000, number: 1, total: null })).toString(
          'base64url',
        ),
      },
      sql: `select * from reading_display where device_id = $1 and number = 1 and device_dt < $2 and device_dt >= $3
        order by device_dt desc limit 101`,
      values: [one, new Date(deepMs), new Date(endMs - days * DAY_MS)],
    },
  ]
}
