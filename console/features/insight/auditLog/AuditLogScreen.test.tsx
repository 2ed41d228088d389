import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { auditedFields, detailsOf } from '#console/lib/audit/auditChanges.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { AUDIT_ACTIONS, AUDIT_ENTITIES } from '#contract/call/call.ts'
import { type AuditEntry, listAudit, listAuditActions, listAuditEntityTypes } from '#contract/http/insight/auditLog.ts'
import { listUsers } from '#contract/http/people/users.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { UserId } from '#domain/ids.ts'
import { AuditLogScreen } from './AuditLogScreen.tsx'

const entry = (id: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  inserted: '2026-11-20T08:00:00.000Z',
  actionId: 2,
  actionName: 'Update',
  entityTypeId: 1,
  entityTypeName: 'Device',
  entityId: 7,
  entityName: `Pier ${id}`,
  deviceGuid: null,
  userId: 3 as UserId,
  username: 'eva@example.com',
  details: '',
  outcome: 'done',
  settingOutcome: null,
  address: '10.0.0.7',
  call: 'Device/SetDeviceDetails',
  before: { name: 'Old pier', timeZone: 'UTC' },
  after: { name: `Pier ${id}`, timeZone: 'UTC' },
  bulkId: null,
  fold: null,
  names: [],
  ...changes,
})

const { server, open } = screenTest({ screens: { '/audit-log': AuditLogScreen }, at: '/audit-log' })
let entries: AuditEntry[]
beforeEach(() => {
  entries = Array.from({ length: 120 }, (_, n) => entry(n + 1))
  server.answer(listAuditActions, [...AUDIT_ACTIONS])
  server.answer(listAuditEntityTypes, [...AUDIT_ENTITIES])
  server.answer(listUsers, [{ id: 3 as UserId, username: 'eva@example.com' }])
  server.answer(listAudit, ({ values }) => {
    const size = Number(values.pageSize)
    const first = values.next === undefined ? Number(values.rowNum) - 1 : Number(values.next)
    const found = entries.filter(({ actionId }) => values.actionId === undefined || actionId === values.actionId)
    const next = first + size < found.length ? String(first + size) : null
    return { rows: found.slice(first, first + size), total: found.length, next }
  })
})

const asked = () => server.requestsTo(listAudit).map(({ values }) => values)
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

test('entries stand in their columns (rules/lists 5); what changed is told where nobody wrote details', async () => {
  await open()
  await screen.findByText('Pier 1')
  expect(headers()).toEqual(['Timestamp', 'Action', 'Entity', 'Name', 'User', 'Details'])
  screen.getByText('Name: Old pier → Pier 1')
  expect(asked()[0]).toEqual({ folds: true, rowNum: 1, pageSize: 50 })
  expect(await axeFindings(document.body)).toEqual([])
})

test('pages of 50 by arrows: back only behind the first, no next when fewer than a full page came', async () => {
  const { address } = await open()
  await screen.findByText('Pier 1')
  expect(screen.queryByRole('button', { name: 'Previous page' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('Pier 51')
  expect(asked().at(-1)).toMatchObject({ rowNum: 51, pageSize: 50 })
  expect(address()).toContain('page=2')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('Pier 120')
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  await screen.findByText('Pier 51')
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  await screen.findByText('Pier 1')
  expect(asked().at(-1)).toMatchObject({ rowNum: 1 })
})

test('the user of an entry tells from where', async () => {
  await open()
  expect((await screen.findAllByTitle(/ from 10\.0\.0\.7$/)).length).toBeGreaterThan(0)
})

test('filters live in the address, and each can be cleared', async () => {
  entries = [entry(999, { actionId: 3, actionName: 'Delete', entityName: 'Gone' }), ...entries]
  const { address } = await open()
  await screen.findByText('Gone')
  await userEvent.click(screen.getByRole('combobox', { name: 'Action' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Delete' }))
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ actionId: 3, rowNum: 1 }))
  await waitFor(() => expect(screen.queryByText('Pier 2')).toBeNull())
  await userEvent.click(screen.getByRole('combobox', { name: 'User' }))
  await userEvent.click(await screen.findByRole('option', { name: 'eva@example.com' }))
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ actionId: 3, userId: 3 }))
  await userEvent.type(screen.getByLabelText('Name'), 'pier')
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ entityName: 'pier' }))
  expect(address()).toMatch(/actionId=3.*userId=3|userId=3.*actionId=3/)
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(asked().at(-1)).toEqual({ folds: true, rowNum: 1, pageSize: 50 }))
  expect(address()).toBe('/audit-log')
})

test('a pasted link restores the filter and the page', async () => {
  await open('/audit-log?actionId=2&page=2&entityName=pier&userId=nonsense')
  await screen.findByText('Pier 51')
  expect(asked()[0]).toEqual({ actionId: 2, entityName: 'pier', folds: true, rowNum: 51, pageSize: 50 })
})

test('who changed what is asked behind "More filters", and is a chip that can be removed', async () => {
  const { address } = await open('/audit-log?details=by+phone')
  await userEvent.click(await screen.findByRole('button', { name: 'More filters' }))
  await userEvent.type(screen.getByLabelText('What changed'), 'brightness{Enter}')
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ changed: 'brightness', details: 'by phone' }))
  expect(address()).toContain('changed=brightness')
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Details: by phone' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Changed: brightness' }))
  await waitFor(() => expect(address()).toBe('/audit-log'))
})

test('an entry opens with what was before and after, and where it came from', async () => {
  entries = [entry(1), entry(2, { outcome: 'forbidden', details: 'You may not.', before: null, after: null })]
  await open()
  await userEvent.click(await screen.findByText('Pier 1'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Audit entry' }))
  const row = within(dialog.getByRole('row', { name: /Name/ }))
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['Old pier', 'Pier 1'])
  dialog.getByText('10.0.0.7')
  dialog.getByText('Done')
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  await userEvent.keyboard('{Escape}')
  await screen.findByText('Refused')
})

test('entries of one thing are said to be, and everything is one press away', async () => {
  const { address } = await open('/audit-log?entityTypeId=1&entityId=7')
  await screen.findByText('Only Pier 1')
  expect(asked()[0]).toMatchObject({ entityId: 7, entityTypeId: 1 })
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Only Pier 1' }))
  await waitFor(() => expect(asked().at(-1)).toEqual({ folds: true, rowNum: 1, pageSize: 50 }))
  expect(address()).toBe('/audit-log')
})

test('a bulk action is one row that opens by click and by key, and leads to itself alone', async () => {
  const bulkId = '11111111-1111-8111-8111-111111111111'
  const [first, last] = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:01:20.000Z']
  const part = { bulkId, call: 'Device/SetDeviceStatus' }
  const nothing = { queued: 0, unanswered: 0, replaced: 0 }
  const fold = { entries: 41, things: 41, done: 38, refused: 3, ...nothing, first, last }
  server.answer(listAudit, ({ values }) => {
    const rows = values.bulkId === bulkId ? [entry(1, part), entry(2, part)] : [entry(1, { ...part, fold }), entry(3)]
    return { rows, total: null, next: null }
  })
  const { address } = await open()
  const title = await screen.findByRole('button', { name: 'Status updated on 41 devices' })
  expect(title).toHaveAttribute('aria-expanded', 'false')
  screen.getByText('38 done')
  screen.getByText('3 refused')
  expect(screen.queryByText('Pier 1')).toBeNull()
  await userEvent.click(title)
  await screen.findByText('Pier 2')
  expect(title).toHaveAttribute('aria-expanded', 'true')
  screen.getByRole('link', { name: 'All of its entries' })
  expect(await axeFindings(document.body)).toEqual([])
  title.closest('tr')?.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByText('Pier 2')).toBeNull())
  await userEvent.click(screen.getByRole('link', { name: 'Only this action' }))
  await waitFor(() => expect(asked().at(-1)).toEqual({ bulkId, rowNum: 1, pageSize: 50 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Only one bulk action' }))
  await waitFor(() => expect(address()).toBe('/audit-log'))
})

test('settings that are kept are told by the words of the summary of who has made them, and so is a late refusal', async () => {
  const [first, last] = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:01:20.000Z']
  const bulkId = '11111111-1111-8111-8111-111111111111'
  const part = { bulkId, call: 'Device/ApplyDisplaySettings', before: null, after: null }
  const fold = { entries: 42, things: 41, done: 35, queued: 1, unanswered: 2, replaced: 1, refused: 2, first, last }
  const waiting = entry(2, { ...part, settingOutcome: 'unanswered' })
  const late = entry(3, { ...part, settingOutcome: 'refused', details: 'The device refused it: Too bright.' })
  server.answer(listAudit, ({ values }) => ({
    rows: values.bulkId === bulkId ? [waiting, late] : [entry(1, { ...part, fold })],
    total: null,
    next: null,
  }))
  await open()
  const title = await screen.findByRole('button', { name: 'Display settings updated on 41 devices' })
  const figures = ['35 done', '1 will be applied on reconnect', '2 kept, no answer yet', '1 replaced before an answer']
  for (const text of [...figures, '2 refused']) screen.getByText(text)
  await userEvent.click(title)
  const row = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
  ;(await row('Pier 2')).getByText('Kept, no answer yet')
  ;(await row('Pier 3')).getByText('Refused')
  ;(await row('Pier 3')).getByText('The device refused it: Too bright.')
  await userEvent.click(await screen.findByText('Pier 3'))
  expect(await screen.findByRole('dialog')).toHaveTextContent('OutcomeRefused by the device')
})

test('changes are told by the words of the screens', () => {
  const change = (entityTypeName: string, before: object | null, after: object | null) =>
    detailsOf(entry(1, { entityTypeName, before, after }))
  expect(change('Device', { statusId: 2 }, { statusId: 3 })).toBe('Paired → Maintenance')
  expect(change('Device', { modelId: 1 }, { modelId: 22 })).toBe('Model: Totem ALT-1920 → Totem SP-4096')
  expect(change('Device', { tags: ['a'] }, { tags: ['a', 'b'] })).toBe('Tags: a → a, b')
  expect(change('Alert', { ids: [4], statusId: 1 }, { ids: [4], statusId: 2, resolutionId: 1 })).toBe(
    'Opened → Closed; Resolution: – → Resolved on site',
  )
  expect(change('Role', { functions: [1] }, { functions: [1, 2] })).toBe('Functions: Admin → Admin, DeviceManager')
  const { id: fieldId } = NUMBERED_FIELDS.find(({ field }) => field.name === 'load') as { readonly id: number }
  const condition = { fieldId, operator: 'GT', valueDec: 60, valueText: null, periodId: 3 }
  expect(change('Alert condition', condition, { ...condition, valueDec: 65 })).toMatch(
    /^UPS: .* > 60 for 15 minutes → UPS: .* > 65 for 15 minutes$/,
  )
  expect(change('Alert condition', condition, null)).toMatch(/> 60 for 15 minutes$/)
  const silent = { ...condition, fieldId: 1, operator: 'GTE', valueDec: 30, periodId: 1, kind: 'silent', minutes: 30 }
  expect(change('Alert condition', { ...silent, severityId: 2 }, { ...silent, severityId: 1 })).toBe(
    'Severity: Warning → Critical',
  )
  expect(
    change('Alert condition', null, { ...silent, tag: 'sunny', overridesId: 7, overrides: 'Wide', isOff: true }),
  ).toBe('Not reporting for 30 minutes; Switched off: Yes; Tag: sunny; Overrides: Wide')
  const pair = { kind: 'pair', joinedBy: 'and', secondFieldId: fieldId, secondOperator: 'LT', secondValueDec: 30 }
  expect(change('Alert condition', condition, { ...condition, ...pair })).toMatch(/> 60 and .* < 30 for 15 minutes$/)
  expect(change('Incident', { ids: [7, 4] }, { id: 4 })).toBe('Incident: 7, 4 → 4')
  expect(change('Incident', { id: 4 }, { id: 9, alertIds: [41, 42] })).toBe(
    'Incident: 4 → 9; Alerts split off: – → 41, 42',
  )
  // An unknown field is shown as recorded.
  expect(change('Device', { statusId: 'x' }, { statusId: 'y' })).toBe('Status id: x → y')
})

test('customers, roles and owners are told by their names, one that is removed by its number', () => {
  const names: AuditEntry['names'] = [
    { field: 'customerId', id: 3, name: 'City Media' },
    { field: 'customerId', id: 4, name: 'Metro' },
    { field: 'roleId', id: 3, name: null },
    { field: 'ownerId', id: 4, name: 'eva@example.com' },
  ]
  const told = (before: object, after: object) => detailsOf(entry(1, { entityTypeName: 'User', before, after, names }))
  expect(told({ customerId: 3, roleId: 3 }, { customerId: 4, roleId: 9 })).toBe(
    'Customer: City Media → Metro; Role: 3 (removed) → 9',
  )
  expect(told({ ownerId: null }, { ownerId: 4 })).toBe('Owner: – → eva@example.com')
})

test('components are lines of their own, by the names of their models', () => {
  const display = { id: 5, category: 'Display', categoryId: 6, number: 1, modelId: 17, label: '', removed: false }
  const fields = auditedFields({
    entityTypeName: 'Device component',
    before: { components: [display, { ...display, id: 6, number: 2, modelId: 7 }] },
    after: {
      components: [
        { ...display, label: 'Front', als: 2 },
        { ...display, id: 6, number: 2, modelId: 7 },
      ],
    },
  })
  expect(fields).toEqual([
    {
      name: 'Display 1',
      before: 'Display SP 4096',
      after: 'Display SP 4096, Label: Front, Als: 2',
      isChanged: true,
    },
    { name: 'Display 2', before: 'Display ALT 1920', after: 'Display ALT 1920', isChanged: false },
  ])
})

test.each([
  [{ deviceGuid: '6a204bd8-9f4f-4f0b-8f24-1f1a5f3f7f11' }, '/devices/6a204bd8-9f4f-4f0b-8f24-1f1a5f3f7f11/status'],
  [{ entityTypeName: 'Role', entityId: 4 }, '/roles?shown=4'],
  [{ entityTypeName: 'User', entityId: 4 }, '/users/user-details?data=%7B%22id%22%3A4%7D'],
  [{ entityTypeName: 'Client update', entityId: 4 }, '/device-software/rollouts/4'],
])('an entry with %o leads to %s', async (changes, href) => {
  entries = [entry(1, changes)]
  await open()
  expect(await screen.findByRole('link', { name: 'Pier 1' })).toHaveAttribute('href', href)
})

test('what was deleted or has no page is no link, and a refusal says why in words', async () => {
  entries = [
    entry(1, { entityTypeName: 'Role', entityId: 4, actionName: 'Delete', outcome: 'invalid_request' }),
    entry(2, { entityTypeName: 'Session' }),
  ]
  await open()
  await userEvent.click(await screen.findByText('Pier 1'))
  await screen.findByText('Refused: The request is not valid.')
  expect(screen.queryByRole('link', { name: /Pier/ })).toBeNull()
})

test('fields are told by names as people read them, and unchanged ones apart', () => {
  const before = { timeZone: 'UTC', isOn: true }
  expect(auditedFields({ entityTypeName: 'Device', before, after: { ...before, isOn: false } })).toEqual([
    { name: 'Time zone', before: 'UTC', after: 'UTC', isChanged: false },
    { name: 'Is on', before: 'Yes', after: 'No', isChanged: true },
  ])
  expect(detailsOf(entry(1, { before: null, after: { name: 'New', list: [1, 2] } }))).toBe('Name: New; List: 1, 2')
  expect(detailsOf(entry(1, { details: 'Written' }))).toBe('Written')
  const visit = { startAt: '2026-11-20T10:00:00.000Z', endAt: null, comment: '' }
  expect(detailsOf(entry(1, { before: null, after: visit }))).toBe('Start at: 20.11.26 10:00:00')
  const name = '2026-99-99T99:99:99Z'
  expect(detailsOf(entry(1, { before: null, after: { name } }))).toBe(`Name: ${name}`)
  expect(detailsOf(entry(1, { before: visit, after: { ...visit, comment: 'Dry' } }))).toBe('Comment: – → Dry')
  expect(detailsOf(entry(1, { before: null, after: { text: 'a'.repeat(300) } }))).toMatch(/^Text: a+…$/)
})

test('entries are never counted, and no number is made up for them', async () => {
  await open()
  await screen.findByRole('table', { name: 'Audit log' })
  expect(screen.getByRole('navigation', { name: 'Pages' })).toHaveTextContent(/^1–50 of 120$/)
})

test('paper has every row of the filter, by the button and by its key, and then the page is there again (rules/lists 15)', async () => {
  const sheets: number[] = []
  const rowCount = () => screen.getAllByRole('row').length - 1
  // The simulated browser has no printer.
  vi.stubGlobal('print', () => void sheets.push(rowCount()))
  await open()
  await screen.findByText('Pier 1')
  await waitFor(() => expect(rowCount()).toBe(50))
  await userEvent.click(screen.getByRole('button', { name: /^Print all/ }))
  await waitFor(() => expect(sheets).toEqual([120]))
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(rowCount()).toBe(50)
  await userEvent.keyboard('{Control>}p{/Control}')
  await waitFor(() => expect(sheets).toEqual([120, 120]))
  act(() => void window.dispatchEvent(new Event('afterprint')))
  vi.unstubAllGlobals()
})
