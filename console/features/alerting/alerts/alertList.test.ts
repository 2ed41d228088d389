import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionOf, withFilter } from '#console/lib/list/listAddress.ts'
import { readAddress } from '#console/router/useAddress.ts'
import { alertOf } from '#console/testing/alertOf.ts'
import type { QueryOf } from '#contract/call/call.ts'
import type { Alert, listAlerts } from '#contract/http/alerting/alerts.ts'
import { alertFilterQuery, statusInAddress } from './alertListAddress.ts'
import { analyseAlertsData } from './analyseAlerts.ts'
import { belongsTo, mergedAlerts } from './liveAlerts.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const queryAt = (parameters: Record<string, unknown>): QueryOf<typeof listAlerts> =>
  questionOf(readAddress('/alerts', parameters), { asks: alertFilterQuery })

test('without a word the list shows what is Opened', () => {
  expect(queryAt({})).toEqual({ statusId: 1, pageSize: 100, rowNum: 1 })
})

test('the word last24h means every status, opened only those that are', () => {
  expect(queryAt({ filter: 'last24h' })).toEqual({ filter: 'last24h', pageSize: 100, rowNum: 1 })
  expect(queryAt({ filter: 'opened' })).toMatchObject({ filter: 'opened', statusId: 1 })
  expect(queryAt({ filter: 'last24h', statusId: '2' })).toMatchObject({ filter: 'last24h', statusId: 2 })
})

test('any status can be asked for, and what counts anyway stays out of the address', () => {
  expect(queryAt({ statusId: 'any' })).not.toHaveProperty('statusId')
  expect(statusInAddress(undefined, {})).toEqual({ statusId: 'any' })
  expect(statusInAddress(1, { statusId: 2 })).toEqual({ statusId: undefined })
  expect(statusInAddress(1, { filter: 'last24h' })).toEqual({ statusId: 1 })
  expect(statusInAddress(undefined, { filter: 'last24h' })).toEqual({ statusId: undefined })
})

test('a cell of the heat map means every status, and what happens now joins it in its hour alone', () => {
  const cell = { weekHour: '5-12', timeZone: 'Europe/Prague' }
  expect(queryAt(cell)).toEqual({ ...cell, pageSize: 100, rowNum: 1 })
  expect(queryAt({ weekHour: '5-24', timeZone: 'Mars/Base' })).toMatchObject({ statusId: 1 })
  const belongs = (created: string) => belongsTo(cell, alertOf({ created, statusId: 2 }), now)
  expect(belongs('2026-11-20T11:59:59.999Z')).toBe(true)
  expect(belongs('2026-11-20T12:00:00.000Z')).toBe(false)
  expect(belongs('2026-07-17T10:00:00.000Z')).toBe(true)
  expect(belongs('2025-11-14T11:30:00.000Z')).toBe(false)
})

test('a changed filter starts at the first page', () => {
  expect(withFilter({ statusId: 2, page: 3 }, { alertText: 'hot' })).toEqual({ statusId: 2, alertText: 'hot' })
})

test('whatever an address says, the call can be made', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('id', 'page', 'next', 'statusId', 'filter', 'deviceId'), fc.anything()),
      (said) => {
        const { id, deviceId, rowNum, next } = queryAt(said)
        for (const number of [id, deviceId, rowNum]) expect(number === undefined || Number(number) >= 1).toBe(true)
        expect(next === undefined || typeof next === 'string').toBe(true)
      },
    ),
  )
})

const merge = (rows: Alert[], changed: Alert[], takesNew = true) =>
  mergedAlerts({ rows, changed, belongs: (alert) => belongsTo({}, alert, now), takesNew, mostRows: 3 }).map(
    ({ id }) => id,
  )
const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`

test('a new alert stands where its time puts it, and the page keeps its length', () => {
  const rows = [alertOf({ id: 3, created: at(3) }), alertOf({ id: 1, created: at(1) })]
  expect(merge(rows, [alertOf({ id: 2, created: at(2) })])).toEqual([3, 2, 1])
  expect(merge([...rows, alertOf({ id: 9, created: at(0) })], [alertOf({ id: 2, created: at(2) })])).toEqual([3, 2, 1])
  expect(merge(rows, [alertOf({ id: 2, created: at(2) })], false)).toEqual([3, 1])
})

test('a changed alert replaces its row, and a closed one leaves the opened', () => {
  const rows = [alertOf({ id: 3, created: at(3) }), alertOf({ id: 1, created: at(1) })]
  const merged = mergedAlerts({
    rows,
    changed: [alertOf({ id: 1, created: at(1), conditionStateId: 2 })],
    belongs: (alert) => belongsTo({}, alert, now),
    takesNew: true,
    mostRows: 100,
  })
  expect(merged.map(({ conditionStateId }) => conditionStateId)).toEqual([1, 2])
  expect(merge(rows, [alertOf({ id: 3, created: at(3), statusId: 2 })])).toEqual([1])
})

test('an alert belongs to the last 24 hours by when it was active last, whenever it opened', () => {
  const long = { created: '2026-01-01T00:00:00.000Z', conditionStateId: 2 }
  const day = (lastActive: string | null) => belongsTo({ filter: 'last24h' }, alertOf({ ...long, lastActive }), now)
  expect(day('2026-11-19T12:00:00.000Z')).toBe(true)
  expect(day('2026-11-19T11:59:59.999Z')).toBe(false)
  expect(day(null)).toBe(true)
})

test('at most five alerts go to Analytics, an hour around all of them, and what cannot be drawn is left out', () => {
  const alerts = [9, 1, 2, 3, 4, 5].map((id) =>
    alertOf({ id, deviceId: id, created: at(id), measurementId: id === 9 ? null : 4101 }),
  )
  const data = analyseAlertsData([...alerts, alertOf({ id: 6, deviceId: 6, created: at(30) })])
  expect(data.metric.map(({ deviceId }) => deviceId)).toEqual([1, 2, 3, 4, 5])
  expect(data).toMatchObject({
    dateFrom: '2026-11-20T09:01:00.000Z',
    dateTo: '2026-11-20T11:05:00.000Z',
    removeExisting: true,
  })
})

test('route data names an alert or nothing', () => {
  const alertIn = (data: unknown) => readAddress('/alerts/alert-details', { data }).data
  expect(alertIn({ id: 41 })).toBe(41)
  expect(alertIn('{"id":41}')).toBe(41)
  for (const data of [undefined, null, '', '{', 41, {}, { id: 0 }, { id: 'x' }, []])
    expect(alertIn(data)).toBeUndefined()
})
