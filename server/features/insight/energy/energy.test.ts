import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getEnergy } from '#contract/http/insight/energy.ts'
import { getPanelLife } from '#contract/http/insight/panelLife.ts'
import { factorsOf } from '#domain/energy/gridFactors.ts'
import type { ComponentModelId, CustomerId, DeviceId } from '#domain/ids.ts'
import { HEAT_CELLS, heatCell } from '#domain/panels/heatBands.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { keepDisplayDays } from '#server/darkness/keepDisplayDays.ts'
import { keepDays, settleDevices, sumCustomer } from '#server/darkness/sums/darkSums.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
afterAll(() => owner.end())
const staff = await api.signedIn({ username: 'admin@staff.example', functions: [1] })

const YEAR = new Date().getUTCFullYear() - 1
const NONE = { known: 0, lit: 0, level: 0 }
const heat = new Array<number>(HEAT_CELLS).fill(0)
heat[heatCell(100, 45)] = 720

interface Kept {
  readonly meteredWh?: number
  readonly displayCause?: number
}

/** Half a day at full level by hand, and half in off times. */
async function keep(id: DeviceId, date: string, { meteredWh = 0, displayCause = 0 }: Kept = {}) {
  const half = { known: 43_200, lit: 43_200, level: 4_320_000 }
  const off = { known: 43_200, lit: 0, level: 0 }
  await keepDays(owner, id, [
    {
      ...{ date, measured: 0, toMs: Date.parse(`${date}T23:59:00Z`), clientVersion: '9.1.0' },
      minutes: { unplanned: displayCause, planned: 720, lit: 720 - displayCause, litInOffTime: 0, maintenance: 0 },
      causes: displayCause > 0 ? [0, 0, 0, 0, displayCause, 0] : null,
      metered: { wattHours: meteredWh, seconds: meteredWh > 0 ? 86_400 : 0 },
    },
  ])
  const unmetered = meteredWh > 0 ? NONE : { known: 86_400, lit: 43_200, level: 4_320_000 }
  const byRule = { offTimes: off, dayPlan: NONE, ambient: NONE, byHand: half, dark: NONE }
  const display = { number: 1, modelId: 17 as ComponentModelId, byRule, unmetered, unknownSeconds: 0, heat }
  await keepDisplayDays(owner, id, [{ date, displays: [display] }])
}

async function addTotem(customerId: CustomerId, name: string): Promise<DeviceId> {
  const { id } = await addDevice(api.pool, { name, customerId })
  await owner.query(`update device set status_id = 2, created_at = now() - interval '900 days' where id = $1`, [id])
  await owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number, batch, installed_on)
     values ($1, 17, 6, 1, 'B7', '2020-01-01')`,
    [id],
  )
  await settleDevices(owner, [id])
  return id
}

const post = (path: string, body: object) => ask(api, path, { token: staff, method: 'POST', body })
async function energyOf(query: object, token = staff) {
  const answer = await ask(api, 'Energy/GetEnergy', { token, query: query as never })
  expect(answer.statusCode, answer.body).toBe(200)
  return getEnergy.answer.parse(answer.json())
}

let customerId: CustomerId
let devices: readonly [DeviceId, DeviceId]
let own: string

beforeAll(async () => {
  customerId = await addCustomer(api.pool, 'Nordlys')
  await owner.query(`update customer set country_id = (select id from country where iso_code = 'NO') where id = $1`, [
    customerId,
  ])
  devices = [await addTotem(customerId, 'Metered'), await addTotem(customerId, 'Estimated')]
  await keep(devices[0], `${YEAR}-02-10`, { meteredWh: 9_000 })
  await keep(devices[1], `${YEAR}-02-10`)
  await keep(devices[1], `${YEAR}-07-01`)
  await sumCustomer(owner, customerId)
  const userId = await addUser(api.pool, { username: 'seer@nordlys.example', functions: [8], customerId })
  own = await openSession(api.pool, userId)
})

test('a year has months and devices, measured and estimated, and always full closes', async () => {
  const { total, parts, devices: sums, basis } = await energyOf({ customerId, period: `${YEAR}` })
  expect(parts).toHaveLength(12)
  // Half a day at 620 W and half at 15 W.
  const estimated = 12 * 620 + 12 * 15
  expect(sums.map(({ name, figures }) => [name, figures.used, figures.measured])).toEqual([
    ['Estimated', 2 * estimated, 0],
    ['Metered', 9_000, 9_000],
  ])
  expect(total.figures).toMatchObject({
    ...{ used: 9_000 + 2 * estimated, saved: { offTimes: 3 * 12 * 605, dayPlan: 0, ambient: 0, byHand: 0 } },
    alwaysFull: 9_000 + 2 * estimated + 3 * 12 * 605,
  })
  expect(parts.map(({ figures }) => figures.used)).toEqual([0, 9_000 + estimated, 0, 0, 0, 0, estimated, 0, 0, 0, 0, 0])
  expect(total).toMatchObject({ cost: [], unpriced: total.figures.used })
  expect(basis.factor).toMatchObject({ year: 2023, gramsPerKwh: 15, isOwn: false })
  expect(total.grams).toBe(Math.floor((total.figures.used * 15) / 1000))
  const month = await energyOf({ customerId, period: `${YEAR}-02` })
  expect(month.parts).toHaveLength(28 + Number(YEAR % 4 === 0))
  expect(month.parts[9]?.figures.used).toBe(9_000 + estimated)
})

test('prices hold from their days on, those of a customer before those of all, and sums are of whole units', async () => {
  const tariff = (validFrom: string, perKwhThousandths: number) => ({ validFrom, currency: 'EUR', perKwhThousandths })
  const all = [tariff('2000-01-01', 10_000)]
  expect((await post('Energy/SetTariffs', { customerId: null, tariffs: all })).statusCode).toBe(200)
  expect((await energyOf({ customerId, period: `${YEAR}` })).basis).toMatchObject({
    areTariffsOwn: false,
    tariffs: all,
  })
  const twice = [tariff('2026-01-01', 1), tariff('2026-01-01', 2)]
  expect((await post('Energy/SetTariffs', { customerId, tariffs: twice })).statusCode).toBe(400)
  const its = [tariff(`${YEAR}-02-11`, 30_000)]
  expect((await post('Energy/SetTariffs', { customerId, tariffs: its })).statusCode).toBe(200)
  const { total, basis, devices: sums } = await energyOf({ customerId, period: `${YEAR}` })
  expect(basis).toMatchObject({ areTariffsOwn: true, tariffs: its })
  // Only the day in July has a price: 7.62 kWh at 30 cents.
  expect(total).toMatchObject({ cost: [{ currency: 'EUR', minor: 228 }], unpriced: 9_000 + 7_620 })
  expect(sums.flatMap(({ cost }) => cost)).toEqual([{ currency: 'EUR', minor: 228 }])
  await post('Energy/SetTariffs', { customerId: null, tariffs: [] })
})

test('power of a model and CO₂ of a country are set, and taken back', async () => {
  const power = { fullWatts: 1000, minimumWatts: 100, darkWatts: 0 }
  expect(
    (await post('Energy/SetPanelPower', { modelId: 17, power: { ...power, minimumWatts: 2000 } })).statusCode,
  ).toBe(400)
  expect((await post('Energy/SetPanelPower', { modelId: 3, power })).statusCode).toBe(404)
  await post('Energy/SetPanelPower', { modelId: 17, power })
  const country = (await energyOf({ customerId, period: `${YEAR}` })).basis.country
  const factor = { year: YEAR, gramsPerKwh: 40, source: 'The supplier' }
  await post('Energy/SetGridFactors', { countryId: country?.id, factors: [factor] })
  const changed = await energyOf({ customerId, period: `${YEAR}`, deviceId: devices[1] })
  expect(changed).toMatchObject({ subject: 'Estimated', total: { figures: { used: 2 * 12_000 } } })
  expect(changed.basis.factor).toEqual({ ...factor, isOwn: true })
  await post('Energy/SetPanelPower', { modelId: 17, power: null })
  await post('Energy/SetGridFactors', { countryId: country?.id, factors: [] })
  expect((await energyOf({ customerId, period: `${YEAR}` })).basis.factor).toMatchObject({ isOwn: false })
})

test('every country that a customer can have has a published figure', async () => {
  const { rows } = await api.pool.query<{ iso_code: string }>('select iso_code from country')
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter(({ iso_code }) => factorsOf(iso_code, []).length === 0)).toEqual([])
})

test('a customer sees its own energy and panels, and nobody else’s', async () => {
  expect((await energyOf({ customerId, period: `${YEAR}` }, own)).total.figures.measured).toBe(9_000)
  const other = await addCustomer(api.pool, 'Other')
  for (const [path, query] of [
    ['Energy/GetEnergy', { customerId: other, period: `${YEAR}` }],
    ['PanelLife/GetPanelLife', { customerId: other }],
  ] as const)
    expect((await ask(api, path, { token: own, query: query as never })).statusCode).toBe(404)
})

test('a panel is replaced about a month once there is history, and cohorts count failures', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const [first] = devices
  for (let day = 1; day <= 190; day++)
    await keep(first, addDays(today, -day), { displayCause: day === 20 || day === 21 || day === 90 ? 30 : 0 })
  const panelsOf = async (token: string) => {
    const answer = await ask(api, 'PanelLife/GetPanelLife', { token, query: { customerId } })
    expect(answer.statusCode, answer.body).toBe(200)
    return getPanelLife.answer.parse(answer.json())
  }
  const { displays, cohorts, models } = await panelsOf(staff)
  expect(displays[0]).toMatchObject({
    name: 'Metered',
    batch: 'B7',
    installedOn: '2020-01-01',
    life: { kind: 'known' },
  })
  expect(displays[0]?.byLevel).toEqual([0, 0, 0, 191 * 720])
  expect(displays[1]).toMatchObject({ name: 'Estimated', life: { kind: 'tooLittle', days: 2, needed: 180 } })
  expect(cohorts).toMatchObject({ ofEveryCustomer: true, batch: [{ name: 'B7', failures: 2, isTooFew: true }] })
  expect(cohorts.clientVersion[0]?.name).toBe('9.1.0')
  const life = { ratedHours: 1000, ratedCelsius: 45, levelExponentHundredths: 100, activationMillielectronvolts: 0 }
  expect(models.find(({ modelId }) => modelId === 17)?.isOwn).toBe(false)
  expect((await post('PanelLife/SetLifeModel', { modelId: 17, life })).statusCode).toBe(200)
  expect((await panelsOf(own)).displays[0]?.life).toMatchObject({ kind: 'known', daysLeft: 0 })
  expect((await panelsOf(own)).cohorts.ofEveryCustomer).toBe(false)
  await post('PanelLife/SetLifeModel', { modelId: 17, life: null })
})
