import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { applyTurnDisplayOffSettings } from '#contract/http/devices/setup.ts'
import {
  type EmergencyDark,
  getEmergencyProof,
  listEmergencyDark,
  previewEmergencyDark,
  startEmergencyDark,
} from '#contract/http/insight/emergencyDark.ts'
import {
  createLightRuleSet,
  getLightRuleProof,
  type LightConflict,
  type LightRuleSetRow,
  listLightConflicts,
  listLightRuleSets,
  replaceLightRuleSet,
} from '#contract/http/insight/lightRules.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import { LightRulesScreen } from './LightRulesScreen.tsx'

const { server, open } = screenTest({ screens: { '/light-rules': LightRulesScreen }, at: '/light-rules?month=2026-10' })

const GUID = '0b7e9a52-0000-4000-8000-000000000001' as DeviceGuid
const SET: LightRuleSetRow['set'] = {
  ...{ name: 'France at night', country: 'FR', area: null, exceptDates: [], source: 'R. 581-35', sourceUrl: '' },
  rules: [
    { days: [0, 1, 2, 3, 4, 5, 6], from: '01:00', to: '06:00', onHolidays: 'too', levelPercent: 0, belowLux: null },
  ],
  ...{ validFrom: '2022-10-07', validUntil: null },
}
const ROW: LightRuleSetRow = {
  ...{ id: 4, customerId: null, customerName: null, set: SET, createdAt: '2026-11-02T08:00:00.000Z' },
  ...{ createdBy: 'ida@staff.example', mayChange: true, metDevices: 3, unknownDevices: 1, replaces: null },
}
const NIGHTS = (from: string, to: string) => ({
  ...{ wdTimeOffFrom: from, wdTimeOffTo: to, wkndTimeOffFrom: from, wkndTimeOffTo: to },
  ...{ holTimeOffFrom: from, holTimeOffTo: to },
})
const CONFLICT: LightConflict = {
  ...{ deviceId: 1 as DeviceId, guid: GUID, name: 'Pier', address: 'Quai 1', timeZone: 'Europe/Paris', minutes: 840 },
  ...{ fromDate: '2026-11-28', first: '2026-11-28, 05:00–06:00', allowedPercent: 0, plannedPercent: 80 },
  ...{ offTimes: '23:00–05:00', change: { kind: 'offTimes', offTimes: NIGHTS('23:00', '06:00') }, basedOn: null },
  powerInDark: 'lost',
}
const MINUTES = { due: 9300, kept: 9000, broken: 120, unknown: 180, maintenance: 0 }
const EMERGENCY: EmergencyDark = {
  ...{ id: 9, customerId: null, subject: 'country FR', reason: 'Grid', startedAt: '2026-11-28T16:00:00.000Z' },
  ...{ startedBy: 'ida@staff.example', until: '2026-11-28T20:00:00.000Z', endedAt: null, endedBy: null },
  ...{ mayEnd: true, devices: 3 },
}

beforeEach(() => {
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Nordlys' }] as never)
  server.answer(listEmergencyDark, [])
  server.answer(listLightRuleSets, { rows: [ROW], files: [{ key: 'fr', set: SET }] })
  const unknown = [{ deviceId: 2 as DeviceId, guid: GUID, name: 'Nowhere' }]
  server.answer(listLightConflicts, { rows: [CONFLICT], metDevices: 3, unknown })
  const { name, address, timeZone, deviceId, guid } = CONFLICT
  server.answer(getLightRuleProof, {
    total: MINUTES,
    devices: [
      {
        ...MINUTES,
        deviceId,
        guid,
        name,
        address,
        timeZone,
        days: 31,
        brokenAt: '2026-10-03T23:00:00.000Z',
        emergency: 0,
      },
    ],
  })
})

test('a rule set, the settings that break it and what came of it stand on one page', async () => {
  const { container } = await open()
  const sets = within(await screen.findByRole('table', { name: 'Rule sets' }))
  expect(sets.getByText('Dark 01:00–06:00, every day')).toBeVisible()
  expect(sets.getByText('3 (1 unknown)')).toBeVisible()
  const broken = within(await screen.findByRole('table', { name: 'Settings that break the rule set' }))
  expect(broken.getByText('80 %; off 23:00–05:00')).toBeVisible()
  expect(broken.getByText(/Off times 23:00–06:00\. The driver takes the panel’s power/)).toBeVisible()
  expect(broken.getByRole('link', { name: 'Pier' }).getAttribute('href')).toBe(`/devices/${GUID}/setup`)
  expect(screen.getByRole('link', { name: 'Nowhere' })).toBeVisible()
  const proof = within(await screen.findByRole('table', { name: 'Proof by device' }))
  expect(proof.getByText('2:00')).toBeVisible()
  expect(proof.getAllByRole('link').at(-1)?.getAttribute('href')).toContain('view=timeline&dateFrom=2026-10-03T23')
  expect(await axeFindings(container)).toEqual([])
})

test('changes are shown before they are made, by the calls of Setup', async () => {
  server.answer(applyTurnDisplayOffSettings, [])
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Apply to 1 device' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Apply to devices' }))
  expect(dialog.getByText(/off 23:00–05:00 → Off times 23:00–06:00/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(server.requestsTo(applyTurnDisplayOffSettings)).toHaveLength(1))
  expect(server.requestsTo(applyTurnDisplayOffSettings)[0]?.values).toMatchObject({
    deviceId: 1,
    ...NIGHTS('23:00', '06:00'),
    basedOn: null,
  })
})

test('a rule set that comes along is used as it is', async () => {
  server.answer(createLightRuleSet, 5)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add rule set' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add rule set' }))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Begin with' }))
  await userEvent.click(await screen.findByRole('option', { name: 'France at night' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(server.requestsTo(createLightRuleSet)).toHaveLength(1))
  expect(server.requestsTo(createLightRuleSet)[0]?.values).toMatchObject({ customerId: null, set: SET })
})

test('a change begins on a day, keeps what the form has no field for, and versions are linked', async () => {
  const area = [{ latitude: 1, longitude: 2 }]
  const old = { ...ROW, id: 3, set: { ...SET, name: 'First', validUntil: '2022-10-06', validFrom: '2013-07-01' } }
  const row = { ...ROW, replaces: 3, set: { ...SET, area, sourceUrl: 'https://law.example' } }
  server.answer(listLightRuleSets, { rows: [old, row], files: [] })
  server.answer(replaceLightRuleSet, 5)
  await open()
  const sets = within(await screen.findByRole('table', { name: 'Rule sets' }))
  const names = sets.getAllByRole('link').map(({ textContent }) => textContent)
  expect(names).toEqual(['France at night', 'First'])
  expect(sets.getByText('2013-07-01 to 2022-10-06, replaced')).toBeVisible()
  expect(screen.getByText(/Replaced by/)).toBeVisible()
  await userEvent.click(sets.getByRole('button', { name: 'Change France at night' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change rule set' }))
  expect(dialog.getByText(/It stays in the list with what was counted\./)).toBeVisible()
  await userEvent.clear(dialog.getByRole('textbox', { name: 'Highest level (%)' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Highest level (%)' }), '20')
  await userEvent.click(dialog.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(server.requestsTo(replaceLightRuleSet)).toHaveLength(1))
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  expect(server.requestsTo(replaceLightRuleSet)[0]?.values).toEqual({
    id: 4,
    set: { ...row.set, validFrom: tomorrow, rules: [{ ...SET.rules[0], levelPercent: 20 }] },
  })
})

test('emergency dark says whom it reaches, and needs the word', async () => {
  server.answer(previewEmergencyDark, {
    subject: 'place “Lyon”',
    devices: 398,
    displays: 412,
    notConnected: 9,
    unknownPlace: 0,
    losesPower: 2,
    unknownPower: 1,
  })
  server.answer(startEmergencyDark, 9)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Emergency dark' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Emergency dark' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Place' }), 'Lyon')
  expect(
    await dialog.findByText(
      '412 displays of 398 devices; 9 are not connected and will follow when they come. Cold nights: panels of 2 devices lose their power, and of 1 device nobody knows.',
    ),
  ).toBeVisible()
  await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Grid')
  const darken = dialog.getByRole('button', { name: 'Darken displays' })
  expect(darken).toBeDisabled()
  await userEvent.type(dialog.getByRole('textbox', { name: /Type DARK/ }), 'DARK')
  await userEvent.click(darken)
  await waitFor(() => expect(server.requestsTo(startEmergencyDark)).toHaveLength(1))
  expect(server.requestsTo(startEmergencyDark)[0]?.values).toMatchObject({
    place: 'Lyon',
    reason: 'Grid',
    word: 'DARK',
  })
})

test('a lasting emergency counts what is proven', async () => {
  server.answer(listEmergencyDark, [EMERGENCY])
  server.answer(getEmergencyProof, {
    ...{ devices: 3, displays: 3, notConnected: 1, confirmed: 2, dark: 1, lit: 1, unknown: 1, restored: 0 },
    open: [{ deviceId: 1 as DeviceId, guid: GUID, name: 'Pier', proof: 'lit', isOnline: true, isConfirmed: true }],
  })
  await open()
  const panel = within(await screen.findByRole('region', { name: 'Emergency dark' }))
  expect(await panel.findByText('1 proven dark')).toBeVisible()
  expect(panel.getByText(/country FR/)).toBeVisible()
  expect(panel.getByRole('link', { name: 'Pier' })).toBeVisible()
  expect(panel.getByRole('button', { name: 'End now' })).toBeVisible()
})
