import { expect, test } from 'vitest'
import type { HolidayYear } from '#contract/http/operation/holidays.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { HOLIDAY_DAYS_AHEAD, holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import { defaultHolidays } from '#server/fleet/holidayDefaults.ts'
import { libraryHolidays } from '#server/fleet/holidayLibrary.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const czechia = (await api.pool.query(`select id from country where iso_code = 'CZ'`)).rows[0].id
const customerId = await addCustomer(api.pool, 'Praha', czechia)
const token = await api.signedIn({ username: 'admin@staff.example', functions: [1] })

const get = async (year: number): Promise<HolidayYear> =>
  (await ask(api, 'Country/GetHolidayList', { token, query: { countryId: czechia, year } })).json()
const set = (year: number, rows: unknown) =>
  ask(api, 'Country/SetHolidayList', { token, method: 'POST', body: { countryId: czechia, year, rows } })
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const versionOf = async (id: DeviceId) =>
  (await api.pool.query('select version from device_settings where device_id = $1', [id])).rows[0]?.version

const dayAt = (now: number, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)
const thisYear = new Date().getUTCFullYear()

test('the library knows the public holidays of every country that a customer can be in', async () => {
  const { rows } = await api.pool.query('select iso_code from country')
  expect(rows.length).toBeGreaterThan(40)
  for (const { iso_code } of rows) {
    for (const year of [2026, 2027]) {
      const holidays = libraryHolidays(iso_code, year)
      expect(holidays.length, `${iso_code} ${year}`).toBeGreaterThanOrEqual(5)
      const dates = holidays.map(({ date }) => date)
      expect(dates).toEqual([...new Set(dates)].sort())
      expect(dates.every((date) => date.startsWith(`${year}-`))).toBe(true)
    }
  }
  expect(await defaultHolidays('XX', 2027)).toEqual([])
  for (const year of [2028, 2026]) expect(await defaultHolidays('CZ', year)).toEqual(libraryHolidays('CZ', year))
})

test('holidays are saved while alerts of devices change their owner', async () => {
  const connection = await api.pool.connect()
  await connection.query('begin')
  await connection.query('select lock_alert_counts(array[$1::int], true)', [czechia])
  expect((await set(thisYear, [])).statusCode).toBe(200)
  await connection.query('rollback')
  connection.release()
  await set(thisYear, null)
})

test('feasts of several days are each of them, half days are none', async () => {
  const turkey = (await defaultHolidays('TR', 2027)).filter(({ name }) => name.includes('Ramadan'))
  expect(turkey.map(({ date }) => date)).toEqual(['2027-03-09', '2027-03-10', '2027-03-11'])
  const iceland = (await defaultHolidays('IS', 2027)).map(({ date }) => date)
  expect(iceland).toContain('2027-12-25')
  expect(iceland).not.toContain('2027-12-24')
  // The clocks go forward on this day, which has 23 hours.
  expect((await defaultHolidays('DK', 2027)).map(({ date }) => date)).toContain('2027-03-28')
})

test('a year is the library’s until somebody edits it, and again after the edit is taken back', async () => {
  const library = await get(2027)
  expect(library.isEdited).toBe(false)
  expect(library.rows).toContainEqual({ date: '2027-10-28', name: expect.any(String) })
  const [newYear] = library.rows
  const own = [
    { date: '2027-06-01', name: 'City day' },
    { date: '2027-01-01', name: ' First day ' },
  ]
  const edited = { rows: [{ date: '2027-01-01', name: 'First day' }, own[0]], isEdited: true }
  expect((await set(2027, own)).json()).toEqual(edited)
  expect(await get(2027)).toEqual(edited)
  expect(await lastAudit()).toMatchObject({
    call: 'Country/SetHolidayList',
    entity_id: czechia,
    entity_name: 'Czechia 2027',
    customer_id: null,
    before: library,
    after: edited,
  })
  expect((await get(2028)).isEdited).toBe(false)
  expect((await set(2027, [])).json()).toEqual({ rows: [], isEdited: true })
  expect(await get(2027)).toEqual({ rows: [], isEdited: true })
  expect((await set(2027, null)).json()).toEqual(library)
  expect((await get(2027)).rows[0]).toEqual(newYear)
})

test.each([
  [[{ date: '2026-12-31', name: 'Other year' }], 'date is not valid'],
  [[{ date: '2027-02-30', name: 'No day' }], 'rows.0.date is not valid'],
  [
    [
      { date: '2027-05-01', name: 'One' },
      { date: '2027-05-01', name: 'Two' },
    ],
    'date is not valid',
  ],
  [[{ date: '2027-05-01', name: ' ' }], 'rows.0.name is required'],
  [undefined, 'rows is required'],
])('%j is refused', async (rows, message) => {
  const before = await get(2027)
  const answer = await set(2027, rows)
  expect([answer.statusCode, answer.json().message]).toEqual([400, message])
  expect(await get(2027)).toEqual(before)
})

test('a country that does not exist is not found', async () => {
  const answer = await ask(api, 'Country/GetHolidayList', { token, query: { countryId: 2_000_000_000, year: 2027 } })
  expect(answer.statusCode).toBe(404)
})

test('a device knows the holidays of its customer’s country from its own yesterday to 400 days ahead', async () => {
  const { id } = await addDevice(api.pool, { name: 'Far away', customerId })
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await api.pool.query('update device set time_zone = $2 where id = $1', [id, timeZone])
    const [first, last] = [-1, HOLIDAY_DAYS_AHEAD].map((days) => dayAt(Date.now() + days * DAY_MS, timeZone))
    const every = (await Promise.all([-1, 0, 1, 2].map((more) => defaultHolidays('CZ', thisYear + more)))).flat()
    const expected = every.filter(({ date }) => date >= (first ?? '') && date <= (last ?? ''))
    expect(await holidaysOfDevice(api.pool, id)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(10)
  }
})

test('a device in a zone that nobody knows takes the days of UTC', async () => {
  const { id } = await addDevice(api.pool, { name: 'Odd', customerId })
  await api.pool.query(`update device set time_zone = 'Mars/Olympus' where id = $1`, [id])
  const now = new Date('2027-10-29T00:30:00Z')
  expect((await holidaysOfDevice(api.pool, id, 10, now)).map(({ date }) => date)).toEqual(['2027-10-28'])
  await api.pool.query(`update device set time_zone = 'Europe/Prague' where id = $1`, [id])
  expect(await holidaysOfDevice(api.pool, id, 10, new Date('2027-10-29T22:30:00Z'))).toEqual([])
})

test('the edit wins for the devices there, which get another version of their settings; others do not', async () => {
  const { id: here } = await addDevice(api.pool, { name: 'Here', customerId })
  const { id: nowhere } = await addDevice(api.pool, { name: 'Nowhere', customerId: await addCustomer(api.pool, 'X') })
  const [yesterday, today, tomorrow, later] = [-2, -1, 0, 1].map((days) =>
    dayAt(Date.now() + (days + 1) * DAY_MS, 'UTC'),
  )
  const before = await versionOf(here)
  const years = new Map<number, { date: string; name: string }[]>()
  for (const date of [yesterday, today, tomorrow, later, dayAt(Date.now() - 2 * DAY_MS, 'UTC')] as string[]) {
    const year = Number(date.slice(0, 4))
    years.set(year, [...(years.get(year) ?? []), { date, name: `Day ${date}` }])
  }
  for (const [year, rows] of years) await set(year, rows)
  expect((await holidaysOfDevice(api.pool, here, 1)).map(({ date }) => date)).toEqual([yesterday, today, tomorrow])
  expect(await holidaysOfDevice(api.pool, nowhere)).toEqual([])
  expect(await versionOf(here)).toBe((before ?? 1) + years.size)
  expect(await versionOf(nowhere)).toBeUndefined()
  await api.pool.query('update device set deleted_at = now() where id = $1', [here])
  expect(await holidaysOfDevice(api.pool, here)).toEqual([])
})
