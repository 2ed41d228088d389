import { expect, test } from 'vitest'
import type { DevicePins, PinsView } from '#contract/http/devices/pins.ts'
import { type Health, healthOf } from '#domain/darkness/health.ts'
import type { CustomerId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'
import { analyze } from '#server/testing/database/analyze.ts'

const api = await apiTest()
const { pool } = api
const [large, small] = [await addCustomer(pool, 'Large'), await addCustomer(pool, 'Small')]
const [LARGE, SMALL] = [2_600, 60]
// Devices lie around Prague, thinning out; some share a place, some have none, some lie beyond the projection.
await pool.query(
  `insert into device (guid, name, model_id, customer_id, iot_device_id, latitude, longitude, deleted_at)
   select gen_random_uuid(), 'Mast ' || n * 7919 % 5000, 1, case when n <= $3 then $1::int else $2::int end, '',
     case when n % 50 <> 0 then case when n % 97 = 0 then 89.5 when n % 31 = 0 then 50.1 else 50 + (n % 40 - 20) * n / 2000.0 end end,
     case when n % 31 = 0 then 14.4 else 14 + (n % 61 - 30) * n / 1000.0 end, case when n % 101 = 0 then now() end
   from generate_series(1, $3::int + $4::int) n`,
  [large, small, LARGE, SMALL],
)
await pool.query(
  `insert into alert (device_id, condition_id, condition_state_id, created_at, found_at, field_id, operator_code,
     period_id, action_type_id, condition_text, state_since)
   select id, kind, 1 + (kind % 3 = 0)::int, now(), now(), 4101, '>', 1, 1, 'warm', now()
   from device, generate_series(1, 3) kind where id % 4 = 0`,
)
await pool.query('update device set status_id = 1 + id % 5')
// Devices have every light and every set of faults; some have no verdict yet, or lost their customer's when they moved.
await pool.query(
  `delete from device_now;
   insert into device_now (device_id, light, customer_id, wrong_kinds, cause)
   select id, (array['lit', 'planned', 'unplanned', 'unknown', 'litInOffTime', 'maintenance', null])[1 + id % 7],
     case when id % 17 > 0 then customer_id end, case when id % 3 = 0 then id / 7 % 64 else 0 end,
     case when id % 7 = 2 then '{"sentence": "No mains."}'::jsonb end
   from device where id % 13 > 0`,
)
await analyze(api, 'device', 'device_now', 'alert')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const ofSmall = await api.signedIn({ username: 'small@a.example', functions: [2], customerId: small as CustomerId })
const ofLarge = await api.signedIn({ username: 'large@a.example', functions: [2], customerId: large as CustomerId })

type Area = NonNullable<PinsView['area']>
type Query = Partial<Area> & { zoom?: number; customerId?: number; deviceName?: string }

async function pinsOf(query: Query, token = staff) {
  const answer = await ask(api, 'Device/GetDevicePins', { token, query: query as Record<string, number> })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json() as DevicePins
}

async function viewOf(query: Query, token = staff) {
  const pins = await pinsOf(query, token)
  if (!pins.view) throw new Error('There is no view.')
  return { ...pins, view: pins.view }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function within({ ids, latitudes, longitudes, activeAlerts }: DevicePins, { west, south, east, north }: Area) {
  const places = ids
    .map((_, index) => index)
    .filter((index) => {
      const [latitude = 0, longitude = 0] = [latitudes[index], longitudes[index]]
      return latitude >= south && latitude <= north && longitude >= west && longitude <= east
    })
  return {
    ids: places.map((index) => ids[index] as number).sort((one, other) => one - other),
    alerts: sum(places.map((index) => activeAlerts[index] as number)),
  }
}

const sorted = (ids: readonly number[]) => [...ids].sort((one, other) => one - other)
const AROUND = { west: 13.5, south: 49.5, east: 14.5, north: 50.5 }
const WORLD = { west: -180, south: -90, east: 180, north: 90 }

test('of few devices all are pins, whatever the view, and those in view are counted', async () => {
  const all = await pinsOf({}, ofSmall)
  const { view, ...pins } = await viewOf({ ...AROUND, zoom: 9 }, ofSmall)
  expect(pins).toEqual(all)
  expect(view).toEqual({
    total: all.ids.length,
    inView: within(all, AROUND).ids.length,
    area: {
      west: Math.min(...all.longitudes),
      east: Math.max(...all.longitudes),
      south: Math.min(...all.latitudes),
      north: Math.max(...all.latitudes),
    },
    covers: null,
    cells: {
      latitudes: [],
      longitudes: [],
      counts: [],
      activeAlerts: [],
      dark: [],
      silent: [],
      warned: [],
      unknown: [],
      maintained: [],
    },
  })
})

test.each([AROUND, WORLD, { west: 100, south: 10, east: 120, north: 20 }])(
  'of every device of the installation in %j is counted what is there, and what is nowhere',
  async (area) => {
    const all = await pinsOf({})
    const { view, withoutPosition } = await viewOf({ ...area, zoom: 5 })
    expect({ ...view, cells: sum(view.cells.counts) > 0, covers: view.covers !== null }).toEqual({
      total: all.ids.length,
      inView: within(all, area).ids.length,
      area: {
        west: Math.min(...all.longitudes),
        east: Math.max(...all.longitudes),
        south: Math.min(...all.latitudes),
        north: Math.max(...all.latitudes),
      },
      cells: area === WORLD,
      covers: true,
    })
    expect(withoutPosition).toBe(all.withoutPosition)
  },
)

test.each([0, 4, 8, 12])('of many in view at zoom %i each is counted once, with its alerts', async (zoom) => {
  const all = await pinsOf({ customerId: large })
  const { view, ids, withoutPosition } = await viewOf({ customerId: large, zoom })
  expect(view.total).toBe(all.ids.length)
  expect(view.inView).toBe(all.ids.length)
  expect(withoutPosition).toBe(all.withoutPosition)
  expect(sum(view.cells.counts)).toBe(all.ids.length)
  expect(sum(view.cells.activeAlerts)).toBe(sum(all.activeAlerts))
  expect(view.cells.counts.length).toBe(view.cells.latitudes.length)
  // The closer the view, the more cells hold a single device.
  expect(view.cells.counts.length).toBeGreaterThan(zoom * 20)
  expect(view.cells.counts.length).toBeLessThan(all.ids.length)
  expect(ids).toHaveLength(200)
  const names = all.ids.map((id, index) => ({ id, name: all.names[index] ?? '' }))
  const { compare } = new Intl.Collator('en', { numeric: true })
  names.sort((one, other) => compare(one.name, other.name) || one.id - other.id)
  expect(sorted(ids)).toEqual(sorted(names.slice(0, 200).map(({ id }) => id)))
})

const healthsOf = (pins: DevicePins): Health[] =>
  pins.ids.map((_, index) => healthOf({ wrong: pins.wrong[index] ?? null, light: pins.lights[index] ?? null }))

test('cells count each health as the pins say it, and only of devices that one may see', async () => {
  const healths = healthsOf(await pinsOf({ customerId: large }))
  const counted = { dark: 0, silent: 0, warned: 0, unknown: 0, maintained: 0, fine: 0 }
  for (const health of healths) counted[health]++
  for (const cells of [
    (await viewOf({ customerId: large, zoom: 6 })).view.cells,
    (await viewOf({ zoom: 6 }, ofLarge)).view.cells,
  ]) {
    const { fine, ...others } = counted
    const { dark, silent, warned, unknown, maintained } = cells
    expect({
      dark: sum(dark),
      silent: sum(silent),
      warned: sum(warned),
      unknown: sum(unknown),
      maintained: sum(maintained),
    }).toEqual(others)
    expect(Math.min(...Object.values(counted))).toBeGreaterThan(20)
  }
})

test('of a view with few of many devices, its own and those a little around it are pins', async () => {
  const all = await pinsOf({ customerId: large })
  const { view, ids } = await viewOf({ customerId: large, ...AROUND, zoom: 9 })
  const covers = view.covers ?? WORLD
  expect(covers.west).toBeLessThan(AROUND.west)
  expect(covers.north).toBeGreaterThan(AROUND.north)
  expect(sorted(ids)).toEqual(within(all, covers).ids)
  expect(ids.length).toBeGreaterThan(view.inView)
  expect(view.inView).toBe(within(all, AROUND).ids.length)
  expect(view.cells.counts).toEqual([])
})

test('cells lie still while the view is moved: what stays in view is counted as before', async () => {
  const cellsOf = async (east: number) => {
    const { latitudes, longitudes, counts } = (await viewOf({ customerId: large, zoom: 7, east })).view.cells
    return new Set(counts.map((count, index) => `${count} ${latitudes[index]} ${longitudes[index]}`))
  }
  const [one, other] = [await cellsOf(170), await cellsOf(179)]
  expect(other).toEqual(one)
})

test('a view is of the filter, and of the devices that one may see', async () => {
  const named = await pinsOf({ deviceName: 'mast 4' })
  const { view } = await viewOf({ deviceName: 'mast 4', zoom: 3 })
  expect([view.total, view.inView]).toEqual([named.ids.length, named.ids.length])
  const own = await viewOf({ zoom: 3 }, ofSmall)
  const others = await ask(api, 'Device/GetDevicePins', { token: ofSmall, query: { customerId: large, zoom: 3 } })
  expect([own.view.total < SMALL, others.statusCode]).toEqual([true, 404])
})

test.each([{ zoom: 25 }, { zoom: 4, west: -181 }, { zoom: 4, north: 91 }, { zoom: 1.5 }])(
  '%j is no view',
  async (query) => {
    const answer = await ask(api, 'Device/GetDevicePins', {
      token: staff,
      query: query as unknown as Record<string, number>,
    })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request'])
  },
)

test('a view that is turned round holds nothing', async () => {
  const { view } = await viewOf({ customerId: large, zoom: 4, west: 20, east: 10 })
  expect([view.inView, view.cells.counts.length]).toEqual([0, 0])
})
