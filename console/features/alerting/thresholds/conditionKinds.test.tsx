import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { conditionOf } from '#console/testing/conditionOf.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import {
  listAlertConditions,
  listAlertPeriods,
  listConditionFields,
  listOperators,
  previewAlertCondition,
  setAlertCondition,
} from '#contract/http/alerting/thresholds.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { ALERT_PERIODS } from '#domain/alerts/alertLabels.ts'
import { CONDITION_KINDS } from '#domain/alerts/conditionKinds.ts'
import { operatorsFor } from '#domain/alerts/operators.ts'
import type { DeviceId } from '#domain/ids.ts'
import { ThresholdsScreen } from './ThresholdsScreen.tsx'

const { server, open } = screenTest({ screens: { '/thresholds': ThresholdsScreen } })

const LOAD = 'Load (%)'
const STATUS = 'UPS status'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

beforeEach(() => {
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDeviceById, deviceOf())
  server.answer(listAlertConditions, [])
  const ofUps = { attTypeId: 1, groupId: 5, groupName: 'Ups', unit: '%' }
  server.answer(listConditionFields, [
    { ...ofUps, id: 5101, name: 'UPS status', dbName: 'u_status', attTypeId: 2, unit: null },
    { ...ofUps, id: 5104, name: 'Load', dbName: 'u_load' },
  ])
  server.answer(listOperators, ({ values }) =>
    operatorsFor(Number(values.attTypeId)).map(({ id, code, name }) => ({ id, code, name })),
  )
  server.answer(listAlertPeriods, [...ALERT_PERIODS])
  server.answer(previewAlertCondition, { counts: [], devices: [], stretches: [], skippedDeviceCount: 0, since: null })
  server.answer(setAlertCondition, conditionOf({ id: 7 }))
})

async function openForm(kind?: string): Promise<HTMLElement> {
  await open('/thresholds?deviceId=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Add condition' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add condition' })
  await within(dialog).findByRole('combobox', { name: 'Kind' })
  if (kind !== undefined) await choose(dialog, 'Kind', kind)
  return dialog
}
async function choose(dialog: HTMLElement, field: string, option: string) {
  await userEvent.click(within(dialog).getByRole('combobox', { name: new RegExp(`^${field}`) }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
async function type(dialog: HTMLElement, field: string, value: string) {
  const input = within(dialog).getByRole('textbox', { name: new RegExp(`^${field}`) })
  await userEvent.clear(input)
  await userEvent.type(input, value)
}
const save = (dialog: HTMLElement) => userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
const sent = () => server.requestsTo(setAlertCondition).map(({ values }) => values)
const REST = { id: 0, severityId: 2, periodId: 1, actionTypeId: 1, deviceId: 1 }

async function act(of: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${of}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

test('a value may have a level of its own where it is over, on the side where it is not met', async () => {
  const dialog = await openForm()
  await choose(dialog, 'Field', LOAD)
  expect(within(dialog).queryByRole('textbox', { name: 'Clear level' })).toBeNull()
  await choose(dialog, 'Operator', 'greater than')
  await type(dialog, 'Value', '60')
  await type(dialog, 'Clear level', '70')
  await save(dialog)
  await within(dialog).findByText('Clear level is not valid')
  expect(sent()).toEqual([])
  await type(dialog, 'Clear level', '55')
  within(dialog).getByText('raised above 60, cleared below 55')
  within(dialog).getByText(/> 60, cleared at < 55$/, { selector: '.condition-sentence' })
  await choose(dialog, 'Severity', 'Critical')
  await save(dialog)
  await waitFor(() => expect(sent()).toHaveLength(1))
  const asked = { kind: 'level', eventTypeFieldId: 5104, operatorId: 1, valueDec: 60, clearDec: 55 }
  expect(sent()).toEqual([{ ...REST, ...asked, severityId: 1 }])
})

test('two fields are asked together, each with operators and a value of its own', async () => {
  const dialog = await openForm('Two fields')
  await save(dialog)
  await within(dialog).findByText('Second field is required')
  await choose(dialog, 'Field', STATUS)
  await choose(dialog, 'Operator', 'equal to')
  await type(dialog, 'Value', 'on battery')
  await choose(dialog, 'Together', 'or: one of them is true')
  await choose(dialog, 'Second field', LOAD)
  await choose(dialog, 'Second operator', 'less than')
  await type(dialog, 'Second value', '30')
  expect(await axeFindings(dialog)).toEqual([])
  within(dialog).getByText(/= "on battery" or .* < 30$/, { selector: '.condition-sentence' })
  await save(dialog)
  await waitFor(() => expect(sent()).toHaveLength(1))
  const first = { kind: 'pair', eventTypeFieldId: 5101, operatorId: 5, valueText: 'on battery', joinedBy: 'or' }
  expect(sent()).toEqual([{ ...REST, ...first, secondFieldId: 5104, secondOperatorId: 3, secondValueDec: 30 }])
}, 60_000)

test('a change is of a number, within at most an hour', async () => {
  const dialog = await openForm('Change')
  await userEvent.click(within(dialog).getByRole('combobox', { name: /^Field/ }))
  await screen.findByRole('option', { name: LOAD })
  expect(screen.queryByRole('option', { name: STATUS })).toBeNull()
  await userEvent.click(screen.getByRole('option', { name: LOAD }))
  await type(dialog, 'By more than', '20')
  await type(dialog, 'Within minutes', '61')
  await save(dialog)
  await within(dialog).findByText('Within minutes is not valid')
  await type(dialog, 'Within minutes', '10')
  await save(dialog)
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()).toEqual([{ ...REST, kind: 'change', eventTypeFieldId: 5104, valueDec: 20, minutes: 10 }])
})

test('what waits for a value asks for a field and minutes', async () => {
  const dialog = await openForm('No value')
  await save(dialog)
  for (const name of ['Field', 'Minutes']) await within(dialog).findByText(`${name} is required`)
  await choose(dialog, 'Field', LOAD)
  await type(dialog, 'Minutes', '30')
  within(dialog).getByText(/not reported for 30 minutes$/, { selector: '.condition-sentence' })
  await save(dialog)
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()).toEqual([{ ...REST, kind: 'absent', eventTypeFieldId: 5104, minutes: 30 }])
})

test('silence asks for minutes alone, and shows when it would have been met', async () => {
  const dialog = await openForm('Not reporting')
  expect(within(dialog).queryByRole('combobox', { name: /^Field/ })).toBeNull()
  await type(dialog, 'Minutes', '10081')
  await save(dialog)
  await within(dialog).findByText('Minutes is not valid')
  await type(dialog, 'Minutes', '30')
  within(dialog).getByText(/Not reporting for 30 minutes/, { selector: '.condition-sentence' })
  await within(dialog).findByText('Nothing came or went in this time.')
  server.answer(previewAlertCondition, {
    counts: [{ days: 30, timesMet: 1, activeMinutes: 12, deviceCount: 1 }],
    devices: [{ deviceId: 1 as DeviceId, deviceName: 'Praha 0001', timesMet: 1, activeMinutes: 12 }],
    stretches: [{ from: daysAgo(2), to: daysAgo(1) }],
    skippedDeviceCount: 0,
    since: daysAgo(20),
  })
  await type(dialog, 'Minutes', '45')
  await within(dialog).findByRole('img', { name: /^Raised once, the last time at/ })
  await save(dialog)
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()).toEqual([{ ...REST, kind: 'silent', minutes: 45 }])
  expect(server.requestsTo(previewAlertCondition)[0]?.values).toMatchObject({ kind: 'silent', minutes: 30 })
})

test.each(CONDITION_KINDS)(
  'the form of "$name" is accessible',
  async ({ kind, name }) => {
    const dialog = await openForm(kind === 'level' ? undefined : name)
    await within(dialog).findByText(CONDITION_KINDS.find((one) => one.kind === kind)?.meaning ?? '')
    expect(await axeFindings(dialog)).toEqual([])
  },
  60_000,
)

test('what the server finds wrong stands at the field of the form', async () => {
  server.answer(setAlertCondition, new Refusal('invalid_request', 'minutes is not valid'))
  const dialog = await openForm('Dark against plan')
  await type(dialog, 'Minutes', '5')
  await save(dialog)
  await within(dialog).findByText('Minutes is not valid')
})

test('a condition of two fields is edited as it stands', async () => {
  const pair = {
    kind: 'pair',
    eventTypeFieldId: 5101,
    valueDec: null,
    valueText: 'on battery',
    operatorId: 5,
    attTypeId: 2,
  }
  const second = { joinedBy: 'and', secondFieldId: 5104, secondOperatorId: 3, secondValueDec: 30 }
  server.answer(listAlertConditions, [
    conditionOf({ ...pair, ...second, severityId: 1, conditionText: 'Nearly empty' }),
  ])
  await open('/thresholds?deviceId=1')
  await act('Nearly empty', 'Edit')
  const dialog = await screen.findByRole('dialog', { name: 'Edit condition' })
  await type(dialog, 'Second value', '20')
  await save(dialog)
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ id: 5, kind: 'pair', severityId: 1, joinedBy: 'and', secondValueDec: 20 })
})
