import { expect, test } from 'vitest'
import { writeCsv } from '#console/lib/csv.ts'
import { type RawRow, rawRow } from '#contract/http/devices/records.ts'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { otherFieldsText, rawColumnsOf, rawCsvColumns } from './rawColumns.ts'

const [DEVICE, DISPLAY, ROUTER_RELAY] = [3, 4, 9]
const row = (values: Record<string, unknown> = {}): RawRow =>
  rawRow.parse({ device_dt: '2026-11-20T08:00:00Z', inserted: '2026-11-20T08:00:01Z', number: 1, ...values })
const shown = (eventTypeId: number, id: string, values: Record<string, unknown>) =>
  rawColumnsOf(eventTypeId)
    ?.fields.find((field) => field.id === id)
    ?.shown(row(values))
const cells = (eventTypeId: number, reported: RawRow): Record<string, unknown> =>
  Object.fromEntries((rawCsvColumns(eventTypeId) ?? []).map(({ header, cell }) => [header, cell(reported)]))

test('every event type has the columns of the catalogue, under names that rows have', () => {
  for (const type of EVENT_TYPES) {
    const columns = rawColumnsOf(type.id)
    expect(columns?.fields.map(({ id }) => id)).toEqual(type.fields.map(({ name }) => `${type.prefixes[0]}${name}`))
    expect(new Set(columns?.fields.map(({ header }) => header)).size).toBe(type.fields.length)
  }
})

test('an event type that the catalogue does not know has no columns', () => {
  expect(rawColumnsOf(77)).toBeUndefined()
  expect(rawCsvColumns(77)).toBeUndefined()
})

test('a header has its unit', () => {
  const headers = rawColumnsOf(DEVICE)?.fields.map(({ header }) => header)
  expect(headers).toContain('CPU temperature (°C)')
  expect(headers).toContain('Client version')
})

test('rows say which component they are of only where a device can have several', () => {
  expect([DEVICE, DISPLAY].map((id) => rawColumnsOf(id)?.isNumbered)).toEqual([false, true])
  expect(Object.keys(cells(DEVICE, row()))).not.toContain('Component')
  expect(cells(DISPLAY, row({ number: 2 })).Component).toBe(2)
})

test('out of order is Yes and No, a router relay On and Off, on the screen and in a file', () => {
  expect([1, 0, 7].map((status_id) => shown(DEVICE, 'status_id', { status_id }))).toEqual(['No', 'Yes', 'Yes'])
  expect([0, 1].map((status) => shown(ROUTER_RELAY, 'rt_relay_status', { rt_relay_status: status }))).toEqual([
    'On',
    'Off',
  ])
  expect(cells(DEVICE, row({ status_id: 1 }))['Out of order']).toBe('No')
})

test('what a report does not say is a dash on the screen and absent from a file, zero is zero', () => {
  expect(shown(DEVICE, 'cpu_temp', {})).toBe('–')
  expect(cells(DEVICE, row())['CPU temperature (°C)']).toBeUndefined()
  expect(shown(DEVICE, 'cpu_temp', { cpu_temp: 0 })).toBe('0')
  expect(cells(DEVICE, row({ cpu_temp: 0 }))['CPU temperature (°C)']).toBe(0)
})

test('a file has numbers in full where the screen rounds', () => {
  const reported = { cpu_temp: 41.23456 }
  expect(shown(DEVICE, 'cpu_temp', reported)).toBe('41.23')
  expect(cells(DEVICE, row(reported))['CPU temperature (°C)']).toBe(41.23456)
})

test('fields of a newer client are told by name, none is a dash', () => {
  expect(otherFieldsText(row({ extra: { novelty: 5, mood: 'good', on: true } }))).toBe(
    'novelty: 5, mood: good, on: true',
  )
  expect(otherFieldsText(row())).toBe('–')
  expect(otherFieldsText(row({ extra: {} }))).toBe('–')
})

test('a file tells the time of a device whose clock was not believed', () => {
  const claimed = cells(DEVICE, row({ claimed_at: '2030-01-01T00:00:00Z' }))
  expect(claimed['Clock of the device']).toEqual(new Date('2030-01-01T00:00:00Z'))
  expect(cells(DEVICE, row())['Clock of the device']).toBeUndefined()
})

test('a line of a file has as many cells as its head, and no formula', () => {
  const reported = row({ client_version: '=1+1', extra: { '=x': 1 } })
  const [head = '', line = ''] = writeCsv(rawCsvColumns(DEVICE), [reported]).split('\r\n')
  expect(line.split(';')).toHaveLength(head.split(';').length)
  expect(line).toContain(`"'=1+1"`)
  expect(line).toContain('"{""=x"":1}"')
  expect(line).not.toMatch(/(^|;)"=/)
})
