import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { conditionOf } from '#console/testing/conditionOf.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import {
  answerDefaultConditions,
  conditionPreview,
  deleteAlertCondition,
  getDefaultConditions,
  listAlertConditions,
  listAlertPeriods,
  listConditionFields,
  listOperators,
  previewAlertCondition,
  setAlertCondition,
} from '#contract/http/alerting/thresholds.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { getAnalyticsColumns } from '#contract/http/insight/analytics.ts'
import { listDeviceModels } from '#contract/http/operation/lookups.ts'
import { ALERT_PERIODS } from '#domain/alerts/alertLabels.ts'
import { operatorsFor } from '#domain/alerts/operators.ts'
import { ThresholdsScreen } from './ThresholdsScreen.tsx'

const { server, open } = screenTest({ screens: { '/thresholds': ThresholdsScreen } })

const ofModel = conditionOf({
  id: 6,
  deviceId: null,
  modelId: 1,
  placeName: 'Outdoor totem',
  valueDec: 75,
  conditionText: 'Display: Internal temperature (°C) > 75',
})
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const previewOf = (timesMet: number, since: string | null = daysAgo(120), days = [7, 30]) =>
  conditionPreview.parse({
    counts: days.map((one) => ({ days: one, timesMet, activeMinutes: 90, deviceCount: 1 })),
    devices: [{ deviceId: 1, deviceName: 'Praha 0001', timesMet, activeMinutes: 90 }],
    stretches: [{ from: daysAgo(2), to: daysAgo(1) }],
    skippedDeviceCount: 0,
    since,
  })

beforeEach(() => {
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDeviceById, deviceOf())
  server.answer(getDefaultConditions, { isOffered: false, conditions: [] })
  server.answer(listDeviceModels, [{ id: 1, name: 'Outdoor totem' }])
  server.answer(listAlertConditions, [conditionOf(), ofModel])
  server.answer(listConditionFields, [
    {
      id: 4101,
      name: 'Internal temperature',
      dbName: 'd_internal_temp',
      attTypeId: 1,
      groupId: 4,
      groupName: 'Display',
      unit: '°C',
    },
    { id: 5101, name: 'UPS status', dbName: 'u_status', attTypeId: 2, groupId: 5, groupName: 'Ups', unit: null },
  ])
  server.answer(listOperators, ({ values }) =>
    operatorsFor(Number(values.attTypeId)).map(({ id, code, name }) => ({ id, code, name })),
  )
  server.answer(listAlertPeriods, [...ALERT_PERIODS])
  server.answer(
    getAnalyticsColumns,
    analyticsColumns([{ time: `${daysAgo(1).slice(0, 19)}Z`, deviceId: 1, m_4101: 61 }]),
  )
  server.answer(previewAlertCondition, ({ values }) =>
    values.days === 90 ? previewOf(8, daysAgo(120), [7, 30, 90]) : previewOf(3),
  )
})

const DEVICE = '/thresholds?deviceId=1'
async function fillIn(dialog: HTMLElement, field: string, option: string) {
  await userEvent.click(within(dialog).getByRole('combobox', { name: new RegExp(field) }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
async function openNew() {
  await userEvent.click(await screen.findByRole('button', { name: 'Add condition' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add condition' })
  await within(dialog).findByRole('combobox', { name: /Field/ })
  return dialog
}

async function act(of: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${of}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

test('at first the conditions of many devices are shown, and one is added to all devices', async () => {
  server.answer(setAlertCondition, conditionOf({ id: 7, deviceId: null, allDevices: true }))
  await open('/thresholds')
  const dialog = await openNew()
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Kind' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Dark against plan' }))
  await userEvent.type(within(dialog).getByRole('textbox', { name: /Minutes/ }), '5')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText('The condition is saved. It counts from the next reading.')
  expect(server.requestsTo(setAlertCondition).map(({ values }) => values)).toMatchObject([
    { id: 0, kind: 'dark', minutes: 5, allDevices: true },
  ])
})

test('an upgraded installation is offered the default conditions, without those that are watched already', async () => {
  const offered = (key: string, title: string, isWatched: boolean) => ({
    ...{ key, title, isWatched },
    ...{ conditionText: `${title} for 5 minutes`, severityId: 1 },
  })
  server.answer(
    getDefaultConditions,
    getDefaultConditions.answer.parse({
      isOffered: true,
      conditions: [offered('dark', 'Dark against plan', false), offered('silent', 'Not reporting', true)],
    }),
  )
  server.answer(answerDefaultConditions, [8])
  const { container } = await open('/thresholds')
  expect(await screen.findByRole('checkbox', { name: 'Dark against plan' })).toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'Not reporting' })).not.toBeChecked()
  expect(await axeFindings(container)).toEqual([])
  server.answer(getDefaultConditions, { isOffered: false, conditions: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Add selected' }))
  await screen.findByText('1 condition added.')
  expect(server.requestsTo(answerDefaultConditions).map(({ values }) => values)).toEqual([{ keys: ['dark'] }])
  await waitFor(() => expect(screen.queryByText('Default conditions for all devices')).toBeNull())
})

test('without a device the conditions of many are shown, and whoever adds one is asked for which devices', async () => {
  server.answer(setAlertCondition, conditionOf({ id: 7, deviceId: null, allDevices: true }))
  const { container } = await open('/thresholds?mode=device')
  await screen.findByText('Choose a device')
  await userEvent.click(screen.getByRole('button', { name: 'Add condition' }))
  const choice = await screen.findByRole('dialog', { name: 'Add condition for' })
  await userEvent.click(within(choice).getByRole('button', { name: 'Continue' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  const table = within(await screen.findByRole('table'))
  table.getByText('> 75 °C')
  table.getByRole('button', { name: /^More actions for/ })
  expect(table.queryByText('> 60 °C')).toBeNull()
  expect(server.requestsTo(listAlertConditions)[0]?.values).toEqual({})
  expect(await axeFindings(container)).toEqual([])
})

test('device, mode and field group stand in the address and are asked of the server', async () => {
  const { address } = await open('/thresholds?deviceId=1&fieldGroupId=4')
  await screen.findByText('> 60 °C')
  expect(server.requestsTo(listAlertConditions)[0]?.values).toEqual({ deviceId: '1', fieldGroupId: '4' })
  await userEvent.click(screen.getByRole('radio', { name: 'Model' }))
  await screen.findByText('Choose a model')
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Outdoor totem' }))
  await waitFor(() => expect(server.requestsTo(listAlertConditions).at(-1)?.values).toEqual({ modelId: '1' }))
  expect(address()).toBe('/thresholds?deviceId=1&mode=model&modelId=1')
})

test("a customer's admin has no model mode and only looks at conditions of the model", async () => {
  signInAs({ customerId: 3 })
  await open('/thresholds?mode=model&modelId=1&deviceId=1')
  await screen.findByText('75 °C')
  expect(server.requestsTo(listAlertConditions)[0]?.values).toEqual({ deviceId: '1' })
  for (const name of ['Model', 'All devices']) expect(screen.queryByRole('radio', { name })).toBeNull()
  await userEvent.click(
    screen.getByRole('button', { name: 'More actions for Display: Internal temperature (°C) > 75' }),
  )
  await screen.findByRole('menuitem', { name: 'Override here' })
  expect(screen.queryByRole('menuitem', { name: 'Edit' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await act('Display: Internal temperature (°C) > 60', 'Edit')
})

test('field, operator and value are required, and the operators are those of the type of the field', async () => {
  server.answer(setAlertCondition, conditionOf({ id: 7 }))
  await open(DEVICE)
  await screen.findByText('> 60 °C')
  const dialog = await openNew()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  for (const field of ['Field', 'Operator']) within(dialog).getByText(`${field} is required`)
  await fillIn(dialog, 'Field', 'Internal temperature (°C)')
  await fillIn(dialog, 'Operator', 'less than or equal to')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await within(dialog).findByText('Value is required')
  expect(server.requestsTo(setAlertCondition)).toEqual([])

  await userEvent.type(within(dialog).getByRole('textbox', { name: /Value/ }), '-5.5')
  await fillIn(dialog, 'Period', '15 minutes')
  await fillIn(dialog, 'Action', 'No action')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText('The condition is saved. It counts from the next reading.')
  expect(server.requestsTo(setAlertCondition).map(({ values }) => values)).toEqual([
    {
      id: 0,
      kind: 'level',
      severityId: 2,
      eventTypeFieldId: 4101,
      operatorId: 4,
      valueDec: -5.5,
      periodId: 3,
      actionTypeId: 2,
      title: null,
      deviceId: 1,
    },
  ])
})

test('a text field offers equal and not equal, and sends a text', async () => {
  server.answer(setAlertCondition, conditionOf({ id: 7 }))
  await open(DEVICE)
  const dialog = await openNew()
  await fillIn(dialog, 'Field', 'UPS status')
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Operator/ }))
  await screen.findByRole('option', { name: 'equal to' })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['equal to', 'not equal to'])
  await userEvent.click(screen.getByRole('option', { name: 'not equal to' }))
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Value' }), 'on battery')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setAlertCondition)).toHaveLength(1))
  expect(server.requestsTo(setAlertCondition)[0]?.values).toMatchObject({ operatorId: 6, valueText: 'on battery' })
  expect(server.requestsTo(setAlertCondition)[0]?.values).not.toHaveProperty('valueDec')
})

test('an edited condition keeps its id, and that of a model stays of the model', async () => {
  server.answer(setAlertCondition, ofModel)
  await open(DEVICE)
  await act('Display: Internal temperature (°C) > 75', 'Edit')
  const dialog = await screen.findByRole('dialog', { name: 'Edit condition' })
  const value = await within(dialog).findByRole('textbox', { name: /Value/ })
  await userEvent.clear(value)
  await userEvent.type(value, '80')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setAlertCondition)).toHaveLength(1))
  expect(server.requestsTo(setAlertCondition)[0]?.values).toMatchObject({ id: 6, modelId: 1, valueDec: 80 })
  expect(server.requestsTo(setAlertCondition)[0]?.values).not.toHaveProperty('deviceId')
})

test('the preview counts for 7, 30 and 90 days and draws the value with the threshold', async () => {
  await open(DEVICE)
  await act('Display: Internal temperature (°C) > 60', 'Edit')
  const preview = await screen.findByRole('region', { name: 'What would it have done?' })
  await within(preview).findByText('8×')
  expect(within(preview).getAllByText('3×')).toHaveLength(2)
  within(preview).getByRole('img', { name: /^Raised once, the last time at/ })
  await within(preview).findByRole('img', { name: /threshold 60 °C/ })
  expect(server.requestsTo(previewAlertCondition).map(({ values }) => values.days)).toEqual([30, 90])
})

test('only what was typed last is asked, and an older answer never stands for it', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  server.answer(previewAlertCondition, async ({ values }) => {
    if (values.valueDec === 70) await held
    return previewOf(values.valueDec === 70 ? 70 : values.valueDec === 7051 ? 6 : 5)
  })
  await open(DEVICE)
  await act('Display: Internal temperature (°C) > 60', 'Edit')
  const value = await screen.findByRole('textbox', { name: /Value/ })
  await screen.findAllByText('5×')
  await userEvent.clear(value)
  await userEvent.type(value, '70')
  await waitFor(() => expect(server.requestsTo(previewAlertCondition).at(-1)?.values).toMatchObject({ valueDec: 70 }))
  await userEvent.type(value, '5')
  await waitFor(() => expect(server.requestsTo(previewAlertCondition).at(-1)?.values).toMatchObject({ valueDec: 705 }))
  release()
  await screen.findAllByText('5×')
  // This answer comes after the late one, which would be visible by now if it had counted.
  await userEvent.type(value, '1')
  await screen.findAllByText('6×')
  expect(screen.queryByText('70×')).toBeNull()
  expect(server.requestsTo(previewAlertCondition).map(({ values }) => values.valueDec)).not.toContain(7)
})

test('where readings do not reach back the number is unknown, never zero', async () => {
  server.answer(previewAlertCondition, ({ values }) =>
    values.days === 90 ? previewOf(4, daysAgo(10), [7, 30, 90]) : previewOf(4, daysAgo(10)),
  )
  await open(DEVICE)
  await act('Display: Internal temperature (°C) > 60', 'Edit')
  const preview = await screen.findByRole('region', { name: 'What would it have done?' })
  await waitFor(() => expect(within(preview).getAllByText('Readings do not reach back')).toHaveLength(2))
  expect(within(preview).getAllByText('4×')).toHaveLength(1)
  within(preview).getByText(/Readings reach back to .*: 4 times since then\./)
})

test('a removed condition is gone at once; refused, it is there again', async () => {
  let refuse = () => {}
  server.answer(
    deleteAlertCondition,
    () => new Promise<Refusal>((resolve) => (refuse = () => resolve(new Refusal('not_found')))),
  )
  await open(DEVICE)
  await act('Display: Internal temperature (°C) > 60', 'Remove')
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(screen.queryByText('> 60 °C')).toBeNull())
  expect(server.requestsTo(listAlertConditions)).toHaveLength(1)
  refuse()
  await screen.findByText('It does not exist, or you may not see it.')
  await screen.findByText('> 60 °C')
  expect(server.requestsTo(deleteAlertCondition)[0]?.values).toEqual({ id: 5 })
})

test('the list is accessible', async () => {
  const { container } = await open(DEVICE)
  await screen.findByText('> 60 °C')
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('the form is accessible', async () => {
  await open(DEVICE)
  expect(await axeFindings(await openNew())).toEqual([])
}, 60_000)

test('what nobody watches is offered, and one click fills in the form', async () => {
  const reported = (id: number, name: string, attTypeId: number, unit: string | null) => ({
    ...{ id, name, dbName: name, attTypeId, unit },
    ...{ groupId: Math.floor(id / 1000), groupName: 'Router' },
  })
  server.answer(listConditionFields, [
    reported(7107, 'Data budget used', 1, '%'),
    reported(5109, 'Battery test', 2, null),
    reported(4101, 'Internal temperature', 1, '°C'),
  ])
  server.answer(listAlertConditions, [conditionOf({ eventTypeFieldId: 5109 })])
  server.answer(setAlertCondition, conditionOf({ id: 7 }))
  const { container } = await open(DEVICE)
  const button = await screen.findByRole('button', { name: 'Add condition: Data budget used up to 90 %' })
  expect(screen.queryByRole('button', { name: /Battery test failed/ })).toBeNull()
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(button)
  const dialog = await screen.findByRole('dialog', { name: 'Add condition' })
  await within(dialog).findByText(/Data budget used \(%\) ≥ 90/)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(server.requestsTo(setAlertCondition)[0]?.values).toMatchObject({
      ...{ deviceId: 1, eventTypeFieldId: 7107, operatorId: 2, valueDec: 90, kind: 'level', severityId: 2 },
    }),
  )
})
