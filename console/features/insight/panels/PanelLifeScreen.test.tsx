import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { getPanelLife, type Panels, setLifeModel } from '#contract/http/insight/panelLife.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import { USUAL_LIFE } from '#domain/panels/panelLife.ts'
import { PANEL_RULES } from '#domain/panels/panelText.ts'
import { PanelLifeScreen } from './PanelLifeScreen.tsx'

const { server, open } = screenTest({ screens: { '/panel-life': PanelLifeScreen }, at: '/panel-life?customerId=7' })

const display = (name: string, life: Panels['displays'][number]['life']): Panels['displays'][number] => ({
  ...{ id: name.length as DeviceId, guid: '0b7e9a52-0000-4000-8000-000000000001' as DeviceGuid, name, address: '' },
  ...{ number: 1, modelId: 17, model: 'Display SP 4096', batch: 'B7', installedOn: null, firstDay: '2026-01-01' },
  ...{ days: 200, byLevel: [0, 6_000, 0, 60_000], byTemperature: [0, 0, 0, 66_000, 0, 0, 0], life },
})
const cohort = (name: string, changes: Partial<Panels['cohorts']['model'][number]> = {}) => ({
  ...{ name, devices: 40, hours: 90_000, failures: 4, between: 22_500, atLeast: 9_830, atMost: 65_883 },
  ...{ isTooFew: false, ...changes },
})
const PANELS: Panels = {
  ...{ customerId: 7 as CustomerId, customerName: 'Nordlys', subject: 'All devices' },
  ...{ countedAt: '2026-11-20T00:00:00.000Z', rules: [...PANEL_RULES] },
  displays: [
    display('Pier', {
      ...{ kind: 'known' as const, usedHundredths: 4_120, daysLeft: 400, earliestDaysLeft: 280, latestDaysLeft: 520 },
    }),
    display('Square', { kind: 'tooLittle', days: 41, needed: 180 }),
  ],
  cohorts: {
    ofEveryCustomer: true,
    model: [cohort('Display SP 4096')],
    batch: [cohort('B7', { between: null, atMost: null, failures: 0, atLeast: 30_000 })],
    clientVersion: [cohort('9.1.0', { isTooFew: true, between: null, atLeast: null, atMost: null, devices: 2 })],
  },
  models: [{ modelId: 17, name: 'Display SP 4096', life: USUAL_LIFE, isOwn: false }],
}

beforeEach(() => {
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Nordlys' }] as never)
  server.answer(getPanelLife, PANELS)
})

test('each display says when it is replaced with its spread, or how much history there is', async () => {
  const { container } = await open()
  const lives = within(await screen.findByRole('table', { name: 'Life of displays' }))
  const pier = lives.getByRole('row', { name: /^Pier/ })
  expect(pier).toHaveTextContent('Replace about Dec 27')
  expect(pier).toHaveTextContent('Aug 27 – Apr 28')
  expect(lives.getByRole('row', { name: /^Square/ })).toHaveTextContent('Not enough history: 41 of 180 days')
  const cohorts = within(screen.getByRole('table', { name: 'Cohorts' }))
  expect(cohorts.getByRole('row', { name: /Display SP 4096/ })).toHaveTextContent('22,500 h')
  expect(cohorts.getByRole('row', { name: /B7/ })).toHaveTextContent('More than 30,000 h')
  expect(cohorts.getByRole('row', { name: /9\.1\.0/ })).toHaveTextContent('Too few')
  expect(screen.getByText(/50,000 hours at full level and 45 °C/)).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
})

test('staff set how a model ages', async () => {
  server.answer(setLifeModel, true)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'How models age' }))
  const form = within(await screen.findByRole('dialog', { name: 'How models age' }))
  for (const [name, text] of [
    [/Rated hours/, '60000'],
    [/Rated temperature/, '50'],
    [/Exponent/, '1.25'],
    [/Activation/, '0.35'],
  ] as const)
    await userEvent.type(form.getByRole('textbox', { name }), text)
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setLifeModel)).toHaveLength(1))
  expect(server.requestsTo(setLifeModel)[0]?.values).toEqual({
    modelId: 17,
    life: { ratedHours: 60_000, ratedCelsius: 50, levelExponentHundredths: 125, activationMillielectronvolts: 350 },
  })
})

test('a customer sees its own, and sets nothing', async () => {
  signInAs({ customerId: 7, roleFunctions: [8] })
  await open('/panel-life')
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  expect(screen.queryByRole('menuitem', { name: 'How models age' })).not.toBeInTheDocument()
})
