import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { getAlertDetails, listAlerts } from '#contract/http/alerting/alerts.ts'
import { getIncident, listIncidents } from '#contract/http/alerting/incidents.ts'
import { listAlertConditions } from '#contract/http/alerting/thresholds.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { getMaintenance } from '#contract/http/devices/maintenance.ts'
import { listDevicePins } from '#contract/http/devices/pins.ts'
import { listMessages, listRawData } from '#contract/http/devices/records.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { getDashboardValues } from '#contract/http/insight/overview.ts'
import { getUser, listUsers } from '#contract/http/people/users.ts'
import { listUpdatedDevices } from '#contract/http/software/rollouts.ts'
import { ADDRESSES, DEVICE_FIELDS } from './addresses.ts'
import type { Field } from './addressFields.ts'
import { type Address, address, addressOf, type Path, readGiven, writeGiven } from './addressText.ts'
import { pathOf } from './pathOf.ts'
import { readAddress } from './useAddress.ts'

type Shape = Readonly<Record<string, z.ZodType>>
const CALLED_BY: readonly (readonly [where: string, fields: Readonly<Record<string, Field<unknown>>>, takes: Shape])[] =
  [
    ['/overview', ADDRESSES['/overview'], getDashboardValues.query.shape],
    ['/devices', ADDRESSES['/devices'], listDevices.query.shape],
    ['/locations', DEVICE_FIELDS, listDevicePins.query.shape],
    ['/alerts', ADDRESSES['/alerts'], listAlerts.query.shape],
    ['/users', ADDRESSES['/users'], listUsers.query.shape],
    ['/audit-log', ADDRESSES['/audit-log'], listAudit.body.shape],
    ['/thresholds', ADDRESSES['/thresholds'], listAlertConditions.query.shape],
    [
      '/device-software/rollouts/$updateId',
      ADDRESSES['/device-software/rollouts/$updateId'],
      listUpdatedDevices.query.shape,
    ],
    [
      '/devices/$guid/status',
      ADDRESSES['/devices/$guid/status'],
      { ...listRawData.query.shape, ...listMessages.query.shape },
    ],
    ['/devices/$guid/maintenance', { id: ADDRESSES['/devices/$guid/maintenance'].entry }, getMaintenance.query.shape],
    ['/users/user-details', { id: ADDRESSES['/users/user-details'].data }, getUser.query.shape],
    ['/incidents', ADDRESSES['/incidents'], listIncidents.query.shape],
    ['/incidents/incident', { id: ADDRESSES['/incidents/incident'].data }, getIncident.query.shape],
    ['/alerts/alert-details', { id: ADDRESSES['/alerts/alert-details'].data }, getAlertDetails.query.shape],
  ]
const CALLED = CALLED_BY.flatMap(([where, fields, takes]) =>
  Object.keys(fields)
    .filter((name) => name in takes)
    .map((name) => ({ where, name, field: fields[name] as Field<unknown>, schema: takes[name] as z.ZodType })),
)
const OF_ONE_RECORD = /-details$|^\/incidents\/incident$/
const WORDS = ['any', 'new']

const words = Object.values(ADDRESSES).flatMap((fields) => Object.keys(fields))
const given = fc.oneof(
  fc.anything(),
  fc.string({ unit: 'binary', maxLength: 5000 }),
  fc.integer({ min: 1, max: 5_000_000_000 }),
  fc.integer({ min: 1, max: 2_147_483_647 }).map(String),
  fc.constantFrom<unknown>(
    ...['activeConnected', 'pending', 'last24h', 'opened', 'name', 'username', 'failed', 'waiting', 'alerts'],
    ...[true, 'true', false, '', 'any', 'new', null, 'a\0b', '\ud800', 'x'.repeat(4001), ...words],
  ),
  fc.date({ min: new Date('1899-01-01'), max: new Date('2101-01-01'), noInvalidDate: true }).map((at) => at.toJSON()),
  fc
    .date({ min: new Date('1999-01-01'), max: new Date('2101-01-01'), noInvalidDate: true })
    .map((at) => at.toJSON().slice(0, 10)),
  fc.record({ id: fc.oneof(fc.integer({ min: -5, max: 5_000_000_000 }), fc.anything()) }),
)
const sent = (value: unknown) => (value instanceof Date ? value.toISOString() : value)
/** Nobody can ask for these: no value, every customer, numbers that no record has, and years that no device knew. */
const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || value === false || (typeof value === 'number' && value <= 0)
const isOutOfRange = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d/.test(value)

test('what an address is read as, its call takes; what its call takes, an address is read as: 10,000 values', () => {
  let readCount = 0
  fc.assert(
    fc.property(fc.constantFrom(...CALLED), given, ({ field, schema, where }, value) => {
      const read = field(value)
      if (read !== undefined) readCount++
      if (read !== undefined && !WORDS.includes(read as string)) expect(schema.safeParse(sent(read)).success).toBe(true)
      const isTaken = !OF_ONE_RECORD.test(where) && schema.safeParse(value).success
      // A list of tags is cleaned when it is read, so only its presence is compared.
      if (isTaken && Array.isArray(value)) expect(read).toBeDefined()
      else if (isTaken && !isNothing(value) && !isOutOfRange(value)) expect(read).toEqual(value)
    }),
    { numRuns: 10_000 },
  )
  expect(readCount).toBeGreaterThan(1_000)
})

test('every list reads what its call can be narrowed and ordered by', () => {
  const ofLists = CALLED.filter(({ where }) => where !== '/locations')
  const byAddress = Map.groupBy(ofLists, ({ where }) => where)
  const lines = [...byAddress].map(([where, fields]) => `${where}: ${fields.map(({ name }) => name).join(' ')}`)
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "/overview: customerId
    /devices: customerId search place deviceName modelId attrSerial tags clientVersion statusId connStatusId filter forMinutes since sort descending next
    /alerts: customerId deviceId statusId conditionStateId severityId id alertText filter weekHour timeZone next
    /users: email customerId sort descending next
    /audit-log: actionId entityTypeId entityId bulkId entityName userId details changed byOthers dateFrom dateTo next
    /thresholds: deviceId modelId customerId tag fieldGroupId
    /device-software/rollouts/$updateId: state wave next
    /devices/$guid/status: evTypeId dateFrom dateTo text
    /devices/$guid/maintenance: id
    /users/user-details: id
    /incidents: state customerId deviceId severityId text dateFrom dateTo newFrom overFrom
    /incidents/incident: id
    /alerts/alert-details: id"
  `)
})

test('the map is narrowed by whatever narrows the list of devices', () => {
  const namesOf = (wanted: string) => CALLED.filter(({ where }) => where === wanted).map(({ name }) => name)
  expect([...namesOf('/locations'), 'sort', 'descending', 'next']).toEqual(namesOf('/devices'))
})

test('what a link writes is read back', () => {
  const values = fc.record(
    {
      deviceName: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      statusId: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(values, fc.string({ unit: 'binary', minLength: 1 }), (filter, guid) => {
      const list = new URL(address('/devices', filter), 'http://console')
      const kept = Object.fromEntries(
        Object.entries(filter).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
        ]),
      )
      expect(readAddress('/devices', readGiven(list.search))).toEqual(
        Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== '')),
      )
      fc.pre(guid.isWellFormed())
      const page = new URL(address('/devices/$guid/status', { guid }, 'dark-minutes'), 'http://console')
      fc.pre(guid !== '.' && guid !== '..')
      expect(pathOf(page.pathname, Object.keys(ADDRESSES))).toEqual({ path: '/devices/$guid/status', names: { guid } })
      expect(page.hash).toBe('#dark-minutes')
    }),
  )
})

test('any parameters come back as they went', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.jsonValue()), (parameters) => {
      const absent = (value: unknown) => value === null || value === ''
      const there = Object.fromEntries(Object.entries(parameters).filter(([, value]) => !absent(value)))
      const back = readGiven(writeGiven(there))
      expect(JSON.stringify(back)).toBe(JSON.stringify(there))
    }),
  )
})

test('bookmarks keep their words', () => {
  expect(address('/devices', { filter: 'pending', customerId: undefined })).toBe('/devices?filter=pending')
  expect(address('/alerts/alert-details', { data: { id: 7 as never } })).toBe(
    '/alerts/alert-details?data=%7B%22id%22%3A7%7D',
  )
  expect(address('/devices', { deviceName: '12' })).toBe('/devices?deviceName=%2212%22')
  expect(addressOf('/alerts', { statusId: 'any', page: 2 })).toBe('/alerts?statusId=any&page=2')
  expect(readGiven('?deviceName=%2212%22&page=3&descending=true&devices=1,2&x=1&x=b')).toEqual({
    deviceName: '12',
    page: 3,
    descending: true,
    devices: '1,2',
    x: [1, 'b'],
  })
})

test.each([
  ['/devices/', '/devices'],
  ['/Devices/ab/Status', '/devices/$guid/status'],
  ['/device-software/rollouts/new', '/device-software/rollouts/new'],
  ['/device-software/rollouts/4', '/device-software/rollouts/$updateId'],
  ['/', '/'],
  ['/devices/a%2Fb/setup', '/devices/$guid/setup'],
  ['/devices/%E0%A4%A/setup', '/devices/$guid/setup'],
  ['/nothing', undefined],
  ['/devices/a/b/c', undefined],
])('%s is the page %s', (pathname, path) => {
  expect(pathOf(pathname, Object.keys(ADDRESSES))?.path).toBe(path)
})

test('a link that leads nowhere, or says what its page does not read, does not compile', () => {
  const guid = '1'
  const wrong: readonly (() => Address)[] = [
    // @ts-expect-error: no such page
    () => address('/device'),
    // @ts-expect-error: of which device
    () => address('/devices/$guid/status'),
    // @ts-expect-error: no such part of the path
    () => address('/devices/$guid/status', { id: guid }),
    // @ts-expect-error: no such filter
    () => address('/devices', { filter: 'broken' }),
    // @ts-expect-error: no such field
    () => address('/devices', { colour: 'red' }),
    // @ts-expect-error: the number of a device is not that of a customer
    () => address('/devices', { customerId: 3 }),
    () => address('/devices/$guid/status', { guid, view: 'raw' } satisfies { guid: string; view: 'raw' }),
  ]
  const paths: readonly Path[] = ['/devices']
  expect([wrong.length, paths.length]).toEqual([7, 1])
})
