import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import {
  getIssuedStatement,
  getLightStatement,
  type IssuedHead,
  issueLightStatement,
  type LightStatement,
  listLightStatements,
  setStatementTerms,
} from '#contract/http/insight/lightStatements.ts'
import { getStatementMailing, setStatementMailing } from '#contract/http/insight/statementMailings.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import { NO_FIGURES } from '#domain/statement/lightFigures.ts'
import { ruleSentences } from '#domain/statement/statementText.ts'
import { LightStatementsScreen } from './LightStatementsScreen.tsx'

const AT = '/light-statements?customerId=7&month=2026-10'
const { server, open } = screenTest({ screens: { '/light-statements': LightStatementsScreen }, at: AT })

const GUID = '0b7e9a52-0000-4000-8000-000000000001' as DeviceGuid
const FIGURES = {
  ...{ ...NO_FIGURES, time: 44_700, owed: 33_000, given: 32_000, unplanned: 600, unknown: 400 },
  ...{ unplannedBy: { ...NO_FIGURES.unplannedBy, power: 500, display: 100 }, planned: 11_700 },
  ...{ plannedBy: { emergency: 0, offTimes: 11_700, dayPlan: 0, notRecorded: 0 } },
}
const TERMS = {
  ...{ targetHundredths: 9950, unknownCounts: 'leftOut' as const, currency: 'EUR', feeMinor: 12_000 },
  steps: [{ belowHundredths: 9900, creditHundredths: 1000 }],
}

const statementOf = (changes: Partial<LightStatement> = {}): LightStatement => ({
  ...{ customerId: 7 as CustomerId, customerName: 'Nordlys', subject: 'All devices', month: '2026-10', isOver: true },
  ...{ countedAt: '2026-11-20T00:00:00.000Z', terms: TERMS, rules: [...ruleSentences(TERMS)] },
  ...{ total: FIGURES, availabilityHundredths: 9815, isTargetMet: false, credit: { minor: 1200, currency: 'EUR' } },
  days: [{ date: '2026-10-25', figures: FIGURES, availabilityHundredths: 9815 }],
  devices: [
    {
      ...{ id: 1 as DeviceId, guid: GUID, name: 'Pier', address: 'Harbour 1', timeZone: 'Europe/Oslo' },
      ...{ firstDay: '2020-01-01', lastDay: null, hasLeft: false, from: '2026-10-01', to: '2026-10-31' },
      ...{ figures: FIGURES, availabilityHundredths: 9815, creditMinor: 1200, worstDay: '2026-10-25' },
    },
  ],
  trend: [
    { month: '2026-09', given: 0, unplanned: 0, availabilityHundredths: null },
    { month: '2026-10', given: 32_000, unplanned: 600, availabilityHundredths: 9815 },
  ],
  lightRules: [
    {
      ...{ id: 3, name: 'Nights', source: 'Permit 7', sourceUrl: '' },
      ...{ due: 9_300, kept: 9_000, broken: 120, unknown: 180, maintenance: 0 },
    },
  ],
  ...changes,
})
const ISSUED: IssuedHead = {
  ...{ id: 3, number: '7-0001', customerId: 7 as CustomerId, customerName: 'Nordlys', subject: 'All devices' },
  ...{ month: '2026-10', issuedAt: '2026-11-02T08:00:00.000Z', issuedBy: 'ida@staff.example' },
  ...{ corrects: null, correctedBy: null },
}
const CHANGE = { device: 'Pier', figure: 'Unplanned dark', before: '10:00', after: '9:30' }

beforeEach(() => {
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Nordlys' }] as never)
  server.answer(listLightStatements, [])
  server.answer(getLightStatement, { statement: statementOf(), issued: null, changes: [], missing: [] })
})

test('the lines of a month add up, and each figure of a device leads to its evidence (rules/statements 13)', async () => {
  const { container } = await open()
  await screen.findByText('Light owed')
  const ledger = within(screen.getAllByRole('table')[0] as HTMLElement)
  expect(ledger.getByRole('row', { name: /^Light owed .* 550:00 73\.83 %$/ })).toBeVisible()
  expect(ledger.getByRole('row', { name: /^Off times 195:00 / })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Nights' })).toHaveAttribute('href', '/light-rules?shown=3&month=2026-10')
  expect(screen.getByText(/^due 155:00: kept 150:00, too bright 2:00/)).toBeVisible()
  expect(ledger.getByRole('row', { name: /^Power.* 8:20 1\.12 %$/ })).toBeVisible()
  expect(screen.getByText('missed')).toBeVisible()
  const device = await screen.findByRole('link', { name: 'Pier' })
  expect(device.getAttribute('href')).toBe(
    `/devices/${GUID}/status?view=timeline&dateFrom=2026-09-30T22%3A00%3A00.000Z&dateTo=2026-10-31T23%3A00%3A00.000Z`,
  )
  expect(screen.getByText(/Unknown time counts neither for nor against/)).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
})

test('a staff admin issues a month that is over, and a correction once a figure differs (rules/statements 11)', async () => {
  server.answer(issueLightStatement, 3)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Issue statement' }))
  server.answer(getLightStatement, { statement: statementOf(), issued: ISSUED, changes: [CHANGE], missing: [] })
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(server.requestsTo(issueLightStatement)).toHaveLength(1))
  expect(server.requestsTo(issueLightStatement)[0]?.values).toEqual({ customerId: 7, month: '2026-10' })
  expect(await screen.findByRole('button', { name: 'Issue correction' })).toBeVisible()
  expect(screen.getByText(/What differs from 7-0001 since it was issued: 1 figure/)).toBeVisible()
  expect(screen.getByRole('row', { name: 'Pier Unplanned dark 10:00 9:30' })).toBeVisible()
})

test('nothing is issued while the month runs, or nothing differs, or by a customer', async () => {
  server.answer(getLightStatement, {
    statement: statementOf({ isOver: false }),
    issued: null,
    changes: [],
    missing: [],
  })
  await open()
  await screen.findByRole('button', { name: 'Draft (PDF)' })
  expect(screen.queryByRole('button', { name: /Issue/ })).not.toBeInTheDocument()
  server.answer(getLightStatement, { statement: statementOf(), issued: ISSUED, changes: [], missing: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(screen.queryByRole('button', { name: /Issue/ })).not.toBeInTheDocument()
  // A device of it was deleted: that takes nothing out of what was issued.
  server.answer(getLightStatement, {
    ...{ statement: statementOf(), issued: ISSUED, changes: [CHANGE], missing: ['Square'] },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await screen.findByText(/Square counts no more.* 7-0001 stands as it was issued/)).toBeVisible()
  expect(screen.queryByRole('button', { name: /Issue/ })).not.toBeInTheDocument()
})

test('a customer reads its own without a choice of others', async () => {
  signInAs({ customerId: 7, roleFunctions: [8] })
  await open('/light-statements?month=2026-10')
  expect(await screen.findByRole('link', { name: 'Pier' })).toBeVisible()
  expect(screen.queryByRole('combobox', { name: 'Customer' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Issue statement' })).not.toBeInTheDocument()
})

test('an issued statement is shown as it was, and says by which it was corrected', async () => {
  const issued = { ...ISSUED, correctedBy: '7-0002' }
  server.answer(listLightStatements, [issued])
  server.answer(getIssuedStatement, {
    ...issued,
    statement: statementOf({ availabilityHundredths: 9700 }),
    changes: [],
  })
  await open()
  await userEvent.click(await screen.findByRole('link', { name: '7-0001' }))
  expect(await screen.findByText(/as it was issued\. It was corrected by 7-0002\./)).toBeVisible()
  expect(screen.getByText(/Issued .* by ida@staff\.example\./)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Audit log' }).getAttribute('href')).toContain('entityId=3')
  expect(screen.getByText('97.00 %')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Show present figures' }))
  await waitFor(() => expect(screen.queryByText('97.00 %')).not.toBeInTheDocument())
})

test('the file has a line a device, in minutes', async () => {
  const saved = watchDownloads()
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  await waitFor(() => expect(saved).toHaveLength(1))
})

test('target and credits are typed as people write them', async () => {
  server.answer(setStatementTerms, true)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Target and credits' }))
  const form = within(await screen.findByRole('dialog', { name: 'Target and credits of Nordlys' }))
  expect(form.getByRole('textbox', { name: /Monthly fee/ })).toHaveValue('120.00')
  const steps = form.getByRole('textbox', { name: /Credits/ })
  expect(steps).toHaveValue('99.00: 10.00')
  await userEvent.clear(steps)
  await userEvent.type(steps, '99: 10, 95: 50')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setStatementTerms)).toHaveLength(1))
  expect(server.requestsTo(setStatementTerms)[0]?.values).toEqual({
    customerId: 7,
    terms: {
      ...TERMS,
      steps: [
        { belowHundredths: 9900, creditHundredths: 1000 },
        { belowHundredths: 9500, creditHundredths: 5000 },
      ],
    },
  })
})

test('staff with the right to send name who is mailed every month, and see who has confirmed', async () => {
  server.answer(getStatementMailing, {
    day: 3,
    recipients: [{ email: 'ada@a.example', confirmedAt: null, newest: null, newestSentAt: null }],
  })
  server.answer(setStatementMailing, true)
  signInAs({ roleFunctions: [8, 9] })
  const { container } = await open()
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mail every month' }))
  expect(await screen.findByText('ada@a.example: has not confirmed')).toBeVisible()
  const form = within(screen.getByRole('dialog', { name: 'Mail every month: Nordlys, all devices' }))
  expect(await axeFindings(container)).toEqual([])
  await userEvent.type(form.getByRole('textbox', { name: /Recipients/ }), '\nbob@b.example')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setStatementMailing)).toHaveLength(1))
  expect(server.requestsTo(setStatementMailing)[0]?.values).toEqual({
    ...{ customerId: 7, day: 3 },
    recipients: ['ada@a.example', 'bob@b.example'],
  })
})

test('who may not send is offered no mailing', async () => {
  signInAs({ roleFunctions: [8] })
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  await screen.findByRole('menuitem', { name: 'Export (json)' })
  expect(screen.queryByRole('menuitem', { name: 'Mail every month' })).not.toBeInTheDocument()
})
