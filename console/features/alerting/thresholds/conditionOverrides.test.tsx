import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { conditionOf } from '#console/testing/conditionOf.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import {
  deleteAlertCondition,
  listAlertConditions,
  listAlertPeriods,
  listConditionFields,
  listOperators,
  previewAlertCondition,
  setAlertCondition,
} from '#contract/http/alerting/thresholds.ts'
import { listDeviceTags } from '#contract/http/devices/details.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { ALERT_PERIODS } from '#domain/alerts/alertLabels.ts'
import { operatorsFor } from '#domain/alerts/operators.ts'
import { ThresholdsScreen } from './ThresholdsScreen.tsx'

const { server, open } = screenTest({ screens: { '/thresholds': ThresholdsScreen } })

const ofModel = conditionOf({
  id: 6,
  deviceId: null,
  modelId: 1,
  placeName: 'Totem ALT-1920',
  valueDec: 75,
  conditionText: 'Display: hotter than 75',
  deviceCount: 412,
  overriddenCount: 9,
})
const ofCustomer = conditionOf({
  id: 7,
  deviceId: null,
  customerId: 3,
  placeName: 'City of Prague',
  conditionText: 'Not reporting for 30 minutes',
  kind: 'silent',
  minutes: 30,
  valueDec: 30,
  eventTypeFieldId: 1,
  fieldGroupId: 0,
  severityId: 1,
})
const ofTag = conditionOf({
  id: 8,
  deviceId: null,
  customerId: 3,
  tag: 'sunny',
  placeName: '#sunny of City of Prague',
  overridesId: 6,
  valueDec: 80,
  conditionText: 'Display: hotter than 80',
})
const onDevice = conditionOf({ id: 9, overridesId: 6, valueDec: 85, conditionText: 'Display: hotter than 85' })

beforeEach(() => {
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDeviceById, deviceOf())
  server.answer(listCustomers, [{ id: 3, name: 'City of Prague' }])
  server.answer(listDeviceTags, [{ tag: 'sunny', devices: 4 }])
  server.answer(listAlertConditions, [ofModel, ofCustomer])
  server.answer(listConditionFields, [])
  server.answer(
    listOperators,
    operatorsFor(1).map(({ id, code, name }) => ({ id, code, name })),
  )
  server.answer(listAlertPeriods, [...ALERT_PERIODS])
  server.answer(previewAlertCondition, { counts: [], devices: [], stretches: [], skippedDeviceCount: 0, since: null })
  server.answer(setAlertCondition, onDevice)
})

const sent = () => server.requestsTo(setAlertCondition).map(({ values }) => values)
const asked = () => server.requestsTo(listAlertConditions).map(({ values }) => values)
const rowOf = (text: RegExp) => screen.getByRole('row', { name: text })

async function act(of: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${of}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

test('conditions say of whom they are, for how many devices, and what is critical', async () => {
  const { container } = await open('/thresholds?deviceId=1')
  await screen.findByText('Model Totem ALT-1920')
  within(rowOf(/Model Totem ALT-1920/)).getByText(/412 devices/)
  within(rowOf(/City of Prague/)).getByText('Critical')
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('a customer and a tag are chosen in the filter bar, and stand in the address', async () => {
  const { address } = await open('/thresholds?mode=customer&customerId=3')
  await screen.findByText('City of Prague')
  expect(asked()).toContainEqual({ customerId: '3' })
  await userEvent.click(screen.getByRole('radio', { name: 'Tag' }))
  await screen.findByText('Choose a tag')
  await userEvent.type(screen.getByRole('combobox', { name: 'Tag' }), 'sunny{Enter}')
  await waitFor(() => expect(asked()).toContainEqual({ tag: 'sunny', customerId: '3' }))
  expect(address()).toBe('/thresholds?mode=tag&customerId=3&tag=sunny')
})

test("a customer's admin sees conditions of the customer and its tags, and no other customer", async () => {
  signInAs({ customerId: 3 })
  await open('/thresholds?mode=customer&customerId=4')
  await screen.findByText('City of Prague')
  expect(asked()).toContainEqual({ customerId: '3' })
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
  await act('Display: hotter than 75', 'Override here')
  expect(screen.queryByRole('menuitem', { name: 'Edit' })).toBeNull()
})

test('those that differ from a wide condition are listed', async () => {
  server.answer(listAlertConditions, ({ values }) =>
    values.overridesId === undefined ? [ofModel] : [ofTag, { ...onDevice, isOff: true }],
  )
  await open('/thresholds?deviceId=1')
  await userEvent.click(await screen.findByRole('button', { name: '9 overrides of Display: hotter than 75' }))
  const dialog = await screen.findByRole('dialog', { name: 'Overrides' })
  await within(dialog).findByText('#sunny of City of Prague')
  within(dialog).getByText('Display: hotter than 80')
  within(dialog).getByText('Switched off')
  expect(asked().at(-1)).toEqual({ overridesId: '6' })
  expect(await axeFindings(dialog)).toEqual([])
}, 60_000)

test('an override begins as the wider condition, and says what it replaces', async () => {
  await open('/thresholds?deviceId=1')
  await act('Display: hotter than 75', 'Override here')
  const dialog = await screen.findByRole('dialog', { name: 'Override condition' })
  await within(dialog).findByText(/Replaces “Display: hotter than 75” of Model Totem ALT-1920 on this device/)
  const value = within(dialog).getByRole('textbox', { name: /^Value/ })
  expect(value).toHaveValue('75 °C')
  await userEvent.clear(value)
  await userEvent.type(value, '85')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ id: 0, deviceId: 1, overridesId: 6, eventTypeFieldId: 4101, valueDec: 85 })
  expect(sent()[0]).not.toHaveProperty('modelId')
})

test('a wider condition is switched off here after a question that says what happens', async () => {
  await open('/thresholds?deviceId=1')
  await act('Not reporting for 30 minutes', 'Switch off here')
  await screen.findByText(/It is not judged there any more, and its open alerts there are closed\./)
  await userEvent.click(screen.getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ id: 0, deviceId: 1, customerId: null, overridesId: 7, isOff: true, kind: 'silent' })
})

test('what is replaced here is struck, by the narrowest of several, and the override says what it overrides', async () => {
  server.answer(listAlertConditions, [ofModel, ofTag, onDevice])
  server.answer(deleteAlertCondition, true)
  await open('/thresholds?deviceId=1')
  await screen.findByText('overrides “Display: hotter than 75” of Model Totem ALT-1920')
  expect(screen.getAllByText('replaced here by Display: hotter than 85 (This device)')).toHaveLength(2)
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Display: hotter than 75' }))
  await screen.findByRole('menuitem', { name: 'Edit' })
  expect(screen.queryByRole('menuitem', { name: 'Override here' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await act('Display: hotter than 85', 'Remove override')
  await screen.findByText(/"Display: hotter than 75" of Model Totem ALT-1920 counts there again/)
  await userEvent.click(screen.getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(server.requestsTo(deleteAlertCondition)[0]?.values).toEqual({ id: 9 }))
})

test('a customer may override what holds for models, not what others have', async () => {
  const foreign = conditionOf({ id: 20, deviceId: null, customerId: 4, placeName: 'Brno', conditionText: 'Foreign' })
  server.answer(listAlertConditions, ({ values }) =>
    values.customerId === undefined ? [ofModel, ofCustomer, foreign] : [ofCustomer],
  )
  await open('/thresholds?mode=customer&customerId=3')
  await screen.findByRole('button', { name: 'More actions for Display: hotter than 75' })
  expect(screen.queryByText('Brno')).toBeNull()
})

test('from a model, the devices for which something else is to hold are chosen first', async () => {
  await open('/thresholds?mode=model&modelId=1')
  await act('Display: hotter than 75', 'Override for')
  const dialog = await screen.findByRole('dialog', { name: 'Override for' })
  expect(within(dialog).getByRole('button', { name: 'Continue' })).toBeDisabled()
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Tag' }))
  await userEvent.type(within(dialog).getByRole('combobox', { name: 'Tag' }), 'sunny{Enter}')
  expect(await axeFindings(dialog)).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))
  const form = await screen.findByRole('dialog', { name: 'Override condition' })
  await within(form).findByText(/Replaces “Display: hotter than 75” of Model Totem ALT-1920/)
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ id: 0, tag: 'sunny', overridesId: 6, valueDec: 75 })
  expect(sent()[0]).not.toHaveProperty('modelId')
}, 60_000)
