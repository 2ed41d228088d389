import { expect, test } from 'vitest'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { chartDataOf } from '#console/ui/chart/series/chartData.ts'
import { drawnColour, METRIC_COLOURS, nextColour } from '#console/ui/chart/series/metricColours.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { readLooks, readRouteData, stepInUse, writeRouteData } from './read/analyticsAddress.ts'
import { type MetricChoice, MOST_METRICS, withEdited, withMetric, withMetrics } from './read/metricChoice.ts'
import { shownMoments, statisticsOf } from './read/statistics.ts'

const wanted = (deviceId: number, metricId: number) => ({
  deviceId: deviceId as DeviceId,
  metricId: metricId as FieldId,
})
const day = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') }

test('metrics get their colours in one order (rules/analytics 4), and the last is reused', () => {
  const metrics = withMetrics(
    [],
    [1, 2, 3, 4, 5, 6, 7].map((id) => wanted(id, 4101)),
  )
  expect(metrics.map(({ color }) => color)).toEqual([
    '00FFD7',
    'feb019',
    '1485cc',
    'ff4560',
    'ff19ff',
    'ff19ff',
    'ff19ff',
  ])
  expect(metrics.every(({ yAxis }) => yAxis === 1)).toBe(true)
})

test('a colour given back is the next one', () => {
  expect(nextColour(['00FFD7', '1485cc'])).toBe('feb019')
})

test('every colour has a darker twin for the white theme', () => {
  expect(METRIC_COLOURS.map((colour) => drawnColour(colour, 'light'))).toEqual([
    '#007f6d',
    '#9c6400',
    '#0f6ea8',
    '#d61f3c',
    '#c000c0',
  ])
})

test('a metric already present is not added again', () => {
  const metrics = withMetric([], { ...wanted(1, 4101), yAxis: 2 })
  expect(withMetric(metrics, wanted(1, 4101))).toEqual(metrics)
  expect(withMetric(metrics, wanted(1, 4102))).toHaveLength(2)
})

test('a metric edited into another one of the list takes its place', () => {
  const metrics = withMetrics([], [wanted(1, 4101), wanted(1, 4102)])
  const edited = withEdited(metrics, metrics[0] as MetricChoice, {
    ...(metrics[0] as MetricChoice),
    ...wanted(1, 4102),
  })
  expect(edited.map(({ metricId }) => metricId)).toEqual([4102])
})

test('data with one metric and data with a list read alike', () => {
  const one = readRouteData({ metric: { deviceId: 7, metricId: '4101', deviceName: 'x' }, removeExisting: 'true' })
  expect(one).toEqual({ metrics: [wanted(7, 4101)], removeExisting: true })
  expect(readRouteData({ metric: [{ deviceId: 7, metricId: 4101 }] })?.metrics).toEqual([wanted(7, 4101)])
})

test('what is written reads the same', () => {
  const metrics = withMetrics([], [wanted(1, 4101), { ...wanted(2, 4102), yAxis: 2 }])
  const text = JSON.stringify(writeRouteData(metrics, day))
  expect(readRouteData(text)).toEqual({ metrics, period: day, removeExisting: true })
})

test.each([
  ['text', '{"metric":'],
  ['a number', 7],
  ['nothing', null],
  ['a list', [[[]]]],
  ['a foreign type', { metric: { deviceId: { $ne: 1 }, metricId: '1;drop' } }],
  ['prototype keys', '{"__proto__":{"x":1},"metric":{"deviceId":1,"metricId":{"__proto__":[]}}}'],
  ['ids beyond the database', { metric: { deviceId: 9_999_999_999, metricId: -1 } }],
])('hostile data (%s) shows no metric and breaks nothing', (_what, data) => {
  expect(readRouteData(data)?.metrics ?? []).toEqual([])
})

test('hostile data asks for no more than the page holds, and for no period without end', () => {
  const metric = Array.from({ length: 5000 }, (_, index) => ({ deviceId: index + 1, metricId: 4101 }))
  const data = readRouteData({ metric, dateFrom: '0001-01-01', dateTo: '9999-12-31', removeExisting: {} })
  expect(data?.metrics).toHaveLength(MOST_METRICS)
  expect(data?.period).toBeUndefined()
  expect(data?.removeExisting).toBe(false)
  expect(readRouteData({ dateFrom: '2026-11-21', dateTo: '2026-11-20' })?.period).toBeUndefined()
  expect(readRouteData({ metric: { ...wanted(1, 2), color: 'url(x)', yAxis: [2, 1] } })?.metrics).toEqual([
    wanted(1, 2),
  ])
  expect(readLooks({ step: '7', zoom: '<b>', view: {}, autoScale: [] })).toEqual({
    stepMinutes: 60,
    isAutoScaled: true,
    band: undefined,
    showsAlerts: true,
    showsPlanned: true,
    showsLimits: true,
    comparesWeek: false,
    view: 'chart',
  })
})

test('beyond three days the step is one hour, and the earlier choice comes back with a shorter period', () => {
  expect(stepInUse(5, { from: day.from, to: new Date('2026-11-23T00:00:00.001Z') })).toBe(60)
  expect(stepInUse(5, day)).toBe(5)
})

const row = (minutes: number, values: Record<`m_${string}`, number | null>) => ({
  time: new Date(day.from.getTime() + minutes * 60_000).toISOString(),
  deviceId: 1,
  ...values,
})
const columns = (rows: Parameters<typeof analyticsColumns>[0], stepMinutes: number) =>
  analyticsColumns(rows, stepMinutes).devices[0]
const at = (minutes: number) => day.from.getTime() / 1000 + minutes * 60

test('a hole longer than a step becomes a gap, and devices are joined on their times', () => {
  const data = chartDataOf(
    [wanted(1, 10), wanted(2, 20)],
    new Map([
      [1 as DeviceId, columns([row(0, { m_10: 1 }), row(5, { m_10: 2 }), row(60, { m_10: 3 })], 5)],
      [2 as DeviceId, columns([row(5, { m_20: null }), row(60, { m_20: 9 })], 5)],
    ]),
    5,
  )
  expect(data.timesS).toEqual([at(0), at(5), at(10), at(60)])
  expect(data.series.map(({ values }) => values)).toEqual([
    [1, 2, null, 3],
    [null, null, null, 9],
  ])
})

test('another period lies over the same times, and longer than what is known of this one', () => {
  const own = new Map([[1 as DeviceId, columns([row(0, { m_10: 1 }), row(60, { m_10: 2 })], 60)]])
  const before = new Map([[1 as DeviceId, columns([row(60, { m_10: 7 }), row(120, { m_10: 8 })], 60)]])
  const data = chartDataOf([wanted(1, 10)], own, 60, before)
  expect(data.timesS).toEqual([at(0), at(60), at(120)])
  expect(data.series.map(({ values }) => values)).toEqual([[1, 2, null]])
  expect(data.compared.map(({ values }) => values)).toEqual([[null, 7, 8]])
  expect(chartDataOf([wanted(1, 10)], own, 60).compared).toEqual([])
})

test('a metric without an answer is all gaps, never zero', () => {
  const data = chartDataOf(
    [wanted(1, 10), wanted(3, 10)],
    new Map([[1 as DeviceId, columns([row(0, { m_10: 1 })], 60)]]),
    60,
  )
  expect(data.series[1]?.values).toEqual([null])
})

test('statistics count what is shown, with the extremes of the readings', () => {
  const rows = [
    row(0, { m_10: 100, m_10_min: 100, m_10_max: 100 }),
    row(60, { m_10: 2, m_10_min: 1, m_10_max: 5 }),
    row(120, { m_10: 4, m_10_min: 3, m_10_max: 6 }),
    row(240, { m_10: null, m_10_min: null, m_10_max: null }),
  ]
  const data = chartDataOf([wanted(1, 10)], new Map([[1 as DeviceId, columns(rows, 60)]]), 60)
  const shown = { from: new Date(at(60) * 1000), to: day.to }
  expect(statisticsOf(data.series[0] as never, data.timesS, shown)).toEqual({
    newest: 4,
    newestAt: new Date(at(120) * 1000),
    minimum: 1,
    maximum: 6,
    mean: 3,
  })
  expect(shownMoments(data, shown)).toEqual([1, 2])
  expect(statisticsOf({ values: [null] }, [at(0)], day)).toBeUndefined()
})
