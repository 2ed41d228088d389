import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { TurnOffTimes } from '#contract/http/devices/setup.ts'
import type { EmergencyDark, EmergencyProof } from '#contract/http/insight/emergencyDark.ts'
import { getLightRuleProof, type LightRuleSetRow, listLightConflicts } from '#contract/http/insight/lightRules.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { countRuleDays } from './ruleDays.store.ts'

let fixture: CommandFixture
let admin: string
beforeAll(async () => {
  fixture = await commandFixture({ devices: 8 })
  await fixture.owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number)
     select id, 17, 6, 1 from device`,
  )
  await fixture.owner.query(`update device set latitude = 48.85, longitude = 2.35, status_id = 2`)
  admin = await openSession(
    fixture.owner,
    await addUser(fixture.owner, { username: 'admin@staff.example', functions: [1] }),
  )
}, 120_000)
afterAll(() => fixture.close())

let next = 0
/** Gives two devices that no other test uses, with a tag of their own; the second is not connected. */
async function pair(): Promise<{ readonly tag: string; readonly devices: readonly [PlayedDevice, PlayedDevice] }> {
  const [here, away] = [fixture.devices[next++], fixture.devices[next++]]
  if (!here || !away) throw new Error('More devices are needed.')
  const tag = `pair${next}`
  const ids = [here.device.id, away.device.id]
  await fixture.owner.query(`update device set tags = array[$2], tag_keys = array[$2] where id = any($1)`, [ids, tag])
  await fixture.connect(here)
  return { tag, devices: [here, away] }
}
const NIGHT = { wdTimeOffFrom: '23:00', wdTimeOffTo: '05:00' }
const NIGHT_WHOLE = { ...NIGHT, wkndTimeOffFrom: null, wkndTimeOffTo: null, holTimeOffFrom: null, holTimeOffTo: null }
const setNight = (played: PlayedDevice, times: object = NIGHT) =>
  fixture.ask('Device/ApplyTurnDisplayOffSettings', { method: 'POST', body: { deviceId: played.device.id, ...times } })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const start = async (reach: object, until = inHours(3)) => {
  const body = { ...reach, reason: 'Grid operator asks', until, word: 'DARK' }
  return fixture.ask('EmergencyDark/Start', { method: 'POST', body, token: admin })
}
const end = (id: unknown) => fixture.ask('EmergencyDark/End', { method: 'POST', body: { id } })
const proofOf = async (id: unknown) =>
  (await fixture.ask('EmergencyDark/GetProof', { query: { id: id as number } })).body as EmergencyProof
/** The off times of the newest document that a device got. */
const offTimesOf = ({ documents }: PlayedDevice) =>
  documents.at(-1)?.sections.find(({ section }) => section === 'turnOff')?.args as TurnOffTimes | undefined
const isAllAlike = (args: unknown) => {
  const times = args as Record<string, string> | undefined
  return (
    times !== undefined && times.wdTimeOffFrom === times.holTimeOffFrom && times.wdTimeOffTo === times.wkndTimeOffTo
  )
}
const until = (is: () => boolean) => eventually(async () => is(), Boolean)

test('an emergency reaches connected devices at once, others when they come, and gives back what was before', async () => {
  const { tag, devices } = await pair()
  const [here, away] = devices
  await setNight(here)
  const reach = await fixture.ask('EmergencyDark/GetReach', { query: { tag } })
  const counts = { devices: 2, displays: 2, notConnected: 1, unknownPlace: 0, losesPower: 0, unknownPower: 2 }
  expect(reach.body).toEqual({ subject: `tag “${tag}”`, ...counts })
  const { body: id } = await start({ tag })
  await until(() => isAllAlike(offTimesOf(here)))
  await eventually(
    () => proofOf(id),
    ({ confirmed }) => confirmed === 1,
  )
  expect(await proofOf(id)).toMatchObject({ devices: 2, notConnected: 1, dark: 0, unknown: 2, open: [{}, {}] })
  await fixture.connect(away, fixture.there)
  await until(() => isAllAlike(offTimesOf(away)))
  const documents = [here, away].map(
    (one) => one.documents.filter((sent) => isAllAlike(offTimesOf({ documents: [sent] } as never))).length,
  )
  expect(documents).toEqual([1, 1])
  expect((await end(id)).body).toBe(true)
  await until(() => !isAllAlike(offTimesOf(here)) && offTimesOf(away)?.wdTimeOffFrom === null)
  expect(offTimesOf(here)).toEqual(NIGHT_WHOLE)
  expect(
    await eventually(
      () => proofOf(id),
      ({ restored }) => restored === 2,
    ),
  ).toMatchObject({ devices: 2 })
  const audited = await fixture.rows<{ call: string; outcome: string }>(
    'select call, outcome from audit_log where entity_type_id = $2 and entity_id = $1 order by id',
    [id, AUDIT_ENTITY_IDS['Emergency dark']],
  )
  expect(audited).toEqual([
    { call: 'EmergencyDark/Start', outcome: 'done' },
    { call: 'EmergencyDark/End', outcome: 'done' },
  ])
  expect((await end(id)).status).toBe(400)
})

test('it ends itself at its time, and off times that somebody set meanwhile stay', async () => {
  const { tag, devices } = await pair()
  const [here, away] = devices
  const { body: id } = await start({ tag })
  await until(() => isAllAlike(offTimesOf(here)))
  await setNight(here)
  await eventually(
    async () =>
      (await fixture.rows('select from emergency_dark_device where emergency_id = $1 and told_at is null', [id]))
        .length,
    (count) => count === 0,
  )
  await fixture.owner.query(`update emergency_dark set until_at = now() where id = $1`, [id])
  await fixture.owner.query(`select pg_notify('wayside_jobs', 'emergency dark')`)
  await eventually(
    async () =>
      (await fixture.rows('select from emergency_dark_device where emergency_id = $1 and ended_at is null', [id]))
        .length,
    (count) => count === 0,
  )
  const [list] = (await fixture.ask('EmergencyDark/GetList', { query: {} })).body as EmergencyDark[]
  expect(list).toMatchObject({ id, endedBy: null, mayEnd: false, subject: `tag “${tag}”` })
  await fixture.connect(away)
  await until(() => away.documents.length > 0)
  expect(offTimesOf(away)).toMatchObject({ wdTimeOffFrom: null, holTimeOffTo: null })
  const rows = await fixture.rows<{ desired: object }>(
    `select desired from device_setting where device_id = $1 and section = 'turnOff'`,
    [here.device.id],
  )
  expect(rows[0]?.desired).toEqual(NIGHT_WHOLE)
})

test('of two emergencies the longer decides, and what was before the first comes back', async () => {
  const { tag, devices } = await pair()
  const [here] = devices
  await setNight(here)
  const { body: short } = await start({ tag }, inHours(1))
  await until(() => isAllAlike(offTimesOf(here)))
  const first = offTimesOf(here)
  const { body: long } = await start({ tag }, inHours(5))
  await until(() => JSON.stringify(offTimesOf(here)) !== JSON.stringify(first))
  const second = offTimesOf(here)
  expect(isAllAlike(second)).toBe(true)
  await end(short)
  await eventually(
    async () =>
      (await fixture.rows('select from emergency_dark_device where emergency_id = $1 and ended_at is null', [short]))
        .length,
    (count) => count === 0,
  )
  expect(offTimesOf(here)).toEqual(second)
  await end(long)
  await until(() => !isAllAlike(offTimesOf(here)))
  expect(offTimesOf(here)).toEqual(NIGHT_WHOLE)
})

test('nobody darkens others’ displays, everything at once, or for longer than a day', async () => {
  const customerId = await addCustomer(fixture.owner, 'Harbour')
  const userId = await addUser(fixture.owner, { username: 'ada@harbour.example', functions: [2], customerId })
  const token = await openSession(fixture.owner, userId)
  const { tag } = await pair()
  const ask = (body: object) =>
    fixture.ask('EmergencyDark/Start', {
      method: 'POST',
      body: { reason: 'x', until: inHours(2), word: 'DARK', ...body },
      token,
    })
  expect((await ask({ tag })).body).toMatchObject({ message: expect.stringContaining('It reaches no display.') })
  expect((await start({})).body).toMatchObject({ message: expect.stringContaining('Choose a customer') })
  expect((await start({ tag }, inHours(25))).body).toMatchObject({
    message: expect.stringContaining('At most 24 hours'),
  })
  expect((await start({ country: 'DE' })).status).toBe(400)
})

test('a rule set meets devices by their position, and shows which settings break it before it begins', async () => {
  const played = fixture.devices[0] as PlayedDevice
  await setNight(played, {
    wdTimeOffFrom: '23:00',
    wdTimeOffTo: '05:00',
    wkndTimeOffFrom: '23:00',
    wkndTimeOffTo: '05:00',
    holTimeOffFrom: '23:00',
    holTimeOffTo: '05:00',
  })
  await fixture.owner.query('update device set latitude = null where id = $1', [fixture.devices[1]?.device.id])
  const other = fixture.devices[2] as PlayedDevice
  const drivers = `'{"parts":[{"part":"display","setBy":"file","drivers":["hwmon"],"refusal":null}]}'`
  await fixture.owner.query(`insert into device_drivers_told (device_id, told) values (${other.device.id}, ${drivers})`)
  await fixture.owner.query(
    `insert into device_driver (device_id, part, driver, options, secrets)
     values ($1, 'display', 'nec', '{"darkBy":"power"}', '{}')`,
    [played.device.id],
  )
  const { files } = (await fixture.ask('LightRule/GetRuleSetList', {})).body as {
    files: { key: string; set: object }[]
  }
  const france = files.find(({ key }) => key === 'fr-publicity-at-night')
  const body = { customerId: null, set: { ...france?.set, validFrom: '2040-01-02' } }
  const { body: id } = await fixture.ask('LightRule/CreateRuleSet', { method: 'POST', body, token: admin })
  const found = listLightConflicts.answer.parse(
    (await fixture.ask('LightRule/GetConflictList', { query: { id: id as number } })).body,
  )
  expect(found).toMatchObject({ metDevices: 7, unknown: [{ deviceId: fixture.devices[1]?.device.id }] })
  expect(found.rows.find(({ deviceId }) => deviceId === played.device.id)).toMatchObject({
    ...{ minutes: 14 * 60, fromDate: '2040-01-02', first: '2040-01-02, 05:00–06:00', offTimes: '23:00–05:00' },
    change: { kind: 'offTimes', offTimes: { wdTimeOffFrom: '23:00', wdTimeOffTo: '06:00' } },
  })
  const powerOf = ({ device }: PlayedDevice) => found.rows.find(({ deviceId }) => deviceId === device.id)?.powerInDark
  expect([played, other, fixture.devices[3] as PlayedDevice].map(powerOf)).toEqual(['lost', 'kept', 'unknown'])
  const refused = await fixture.ask('LightRule/CreateRuleSet', { method: 'POST', body })
  expect(refused.status).toBe(403)
  expect(
    (
      await fixture.ask('LightRule/EndRuleSet', {
        method: 'POST',
        body: { id, validUntil: '2040-02-01' },
        token: admin,
      })
    ).body,
  ).toBe(true)
  expect((await fixture.ask('LightRule/DeleteRuleSet', { method: 'POST', body: { id }, token: admin })).body).toBe(true)
})

test('a night is proven minute by minute, and counted anew when its light is', async () => {
  const { id } = (fixture.devices[7] as PlayedDevice).device
  const night = await fixture.rows<{ day: string }>(`select to_char(now() - interval '1 day', 'YYYY-MM-DD') as day`)
  const day = night[0]?.day ?? ''
  const levels = (from: number, to: number, percent: number) =>
    fixture.owner.query(
      `insert into reading_display (device_id, number, device_dt, inserted, backlight_level)
       select $1, 1, at, at, $4 from generate_series($2::timestamptz, $3::timestamptz - interval '1 s', '1 minute') at`,
      [id, new Date(Date.parse(day) + from * 60_000), new Date(Date.parse(day) + to * 60_000), percent],
    )
  const countLight = (lit: number) =>
    fixture.owner.query(
      `insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min, counted_to)
       values ($1, $2, 0, 0, $3, 0, 0, now()) on conflict (device_id, day) do update set lit_min = excluded.lit_min`,
      [id, day, lit],
    )
  await fixture.owner.query(`update device set tags = '{}', tag_keys = '{}' where id = $1`, [id])
  const set = {
    ...{ name: 'Nights', country: null, area: null, exceptDates: [], validFrom: null, validUntil: null },
    ...{ source: 'Permit 7', sourceUrl: '' },
    rules: [
      { days: [0, 1, 2, 3, 4, 5, 6], from: '01:00', to: '06:00', onHolidays: 'too', levelPercent: 0, belowLux: null },
    ],
  }
  const body = { customerId: null, set }
  const { body: setId } = await fixture.ask('LightRule/CreateRuleSet', { method: 'POST', body, token: admin })
  await levels(60, 90, 80)
  await levels(90, 240, 0)
  await countLight(30)
  const client = await fixture.owner.connect()
  const proof = async () => {
    expect(await countRuleDays(client, new Date(), () => false)).toBe(true)
    const query = { id: setId as number, month: day.slice(0, 7) }
    const { body: answer } = await fixture.ask('LightRule/GetProof', { query })
    return getLightRuleProof.answer.parse(answer).devices.find(({ deviceId }) => deviceId === id)
  }
  const first = await proof()
  expect(first).toMatchObject({ due: 300, kept: 151, broken: 30, unknown: 119, maintenance: 0, days: 1 })
  expect(first?.brokenAt).toBe(new Date(Date.parse(day) + 3_600_000).toISOString())
  await levels(241, 360, 0)
  expect(await proof()).toMatchObject({ unknown: 119 })
  await countLight(31)
  expect(await proof()).toMatchObject({ kept: 270, broken: 30, unknown: 0 })
  client.release()
})

test('a set is changed by another one that begins when it ends, and what was counted stays (rules/light 12)', async () => {
  const post = (call: string, body: object) => fixture.ask(`LightRule/${call}`, { method: 'POST', body, token: admin })
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const rule = { days: [0], from: '01:00', to: '06:00', onHolidays: 'too', levelPercent: 0, belowLux: null }
  const set = {
    ...{ name: 'Permit', country: null, area: null, rules: [rule], exceptDates: [], validFrom: '2026-01-01' },
    ...{ validUntil: null, source: 'Permit 8', sourceUrl: '' },
  }
  const { body: id } = await post('CreateRuleSet', { customerId: null, set })
  await fixture.owner.query(
    `insert into light_rule_day (rule_set_id, device_id, day, due_min, kept_min, broken_min, unknown_min, maintenance_min, light)
     values ($1, $2, '2026-01-05', 300, 300, 0, 0, 0, '')`,
    [id, fixture.devices[0]?.device.id],
  )
  const changed = { ...set, validFrom: day(2), rules: [{ ...rule, from: '00:00' }] }
  const today = await post('ReplaceRuleSet', { id, set: { ...changed, validFrom: day(0) } })
  expect(today.body).toMatchObject({ message: expect.stringContaining('so that what was counted stays') })
  const both = await Promise.all([1, 2].map(() => post('ReplaceRuleSet', { id, set: changed })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  const made = both.find(({ status }) => status === 200)?.body as number
  const { rows } = (await fixture.ask('LightRule/GetRuleSetList', {})).body as { rows: LightRuleSetRow[] }
  expect(rows.find((row) => row.id === id)).toMatchObject({ set: { ...set, validUntil: day(1) }, replaces: null })
  expect(rows.filter(({ replaces }) => replaces === id)).toMatchObject([{ id: made, set: changed, replaces: id }])
  expect((await post('EndRuleSet', { id, validUntil: day(30) })).status).toBe(400)
  const query = { id: id as number, month: '2026-01' }
  expect((await fixture.ask('LightRule/GetProof', { query })).body).toMatchObject({ total: { due: 300, kept: 300 } })
  const audited = await fixture.rows<{ details: string }>(
    `select details from audit_log where entity_type_id = $2 and entity_id = $1 and outcome = 'done'`,
    [made, AUDIT_ENTITY_IDS['Light rule']],
  )
  expect(audited[0]?.details).toContain(`Replaces rule set ${id} from ${day(2)}`)
  await post('DeleteRuleSet', { id })
  await post('DeleteRuleSet', { id: made })
})
