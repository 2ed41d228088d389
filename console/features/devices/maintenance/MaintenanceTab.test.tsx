import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import dayjs from 'dayjs'
import { beforeEach, expect, test } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listAlerts } from '#contract/http/alerting/alerts.ts'
import {
  deleteMaintenance,
  getMaintenance,
  listMaintenance,
  listMaintenanceActions,
  listMaintenanceComponents,
  listMaintenanceElsewhere,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  type MaintenanceEntry,
  maintenanceElsewhere,
  maintenanceEntry,
  setMaintenance,
} from '#contract/http/devices/maintenance.ts'
import { MaintenanceTab } from './MaintenanceTab.tsx'

const { server, open: draw } = screenTest({
  screens: {
    '/here': () => (
      <OpenDevice.Provider value={deviceOf()}>
        <MaintenanceTab />
      </OpenDevice.Provider>
    ),
  },
})
let kept: MaintenanceEntry[]

beforeEach(() => {
  kept = [
    entry(12, {
      startDt: '2026-11-18T08:00:00.000Z',
      endDt: '2026-11-20T11:25:00.000Z',
      reasonId: 1,
      reasonName: 'Fault',
    }),
    entry(11, {
      startDt: '2026-11-01T08:00:00.000Z',
      endDt: '2026-11-01T08:45:00.000Z',
      actionComment: 'Wiped the glass',
    }),
  ]
  server.answer(listMaintenance, () => kept)
  server.answer(
    getMaintenance,
    ({ values }) => kept.find(({ id }) => String(id) === values.id) ?? new Refusal('not_found'),
  )
  server.answer(listMaintenanceComponents, [{ id: 5, name: 'Display 1' }])
  server.answer(listMaintenanceReasons, [{ id: 1, name: 'Fault' }])
  server.answer(listMaintenanceActions, [{ id: 2, name: 'Part replaced' }])
  server.answer(listMaintenanceResolutions, [{ id: 3, name: 'Solved' }])
  server.answer(listAlerts, [])
  server.answer(listMaintenanceElsewhere, [])
  server.answer(setMaintenance, ({ values }) => {
    kept = [entry(13, { startDt: String(values.startDt), actionComment: String(values.actionComment) }), ...kept]
    return 13
  })
})

function entry(id: number, changes: Partial<MaintenanceEntry> = {}): MaintenanceEntry {
  return maintenanceEntry.parse({
    ...{ id, deviceId: 1, startDt: '2026-11-20T10:00:00.000Z', endDt: null, actionComment: 'Changed the fan' },
    ...{ modelComponentId: null, reasonId: null, actionId: null, resolutionId: null, alertId: null },
    ...{ modelComponentName: '', reasonName: '', actionName: '', resolutionName: '', alertText: '', username: 'eva' },
    ...changes,
  })
}

const open = (query = '') => draw(`/here${query}`)
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Maintenance' }))
    .getAllByRole('row')
    .slice(1)
const dialog = async () => within(await screen.findByRole('dialog', { name: /maintenance$/ }))
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const saved = () => server.requestsTo(setMaintenance).map(({ values }) => values)
const offered = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
const choose = async (form: Awaited<ReturnType<typeof dialog>>, field: string, option: string) => {
  form.getByLabelText(field, { selector: 'input' }).focus()
  await userEvent.keyboard('{ArrowDown}')
  await waitFor(() => expect(offered()).toContain(option))
  await userEvent.keyboard('{ArrowDown}{Enter}')
}

test('each entry says how long it took, in days, hours and minutes', async () => {
  const { container } = await open()
  const [long, short] = await rows()
  expect(long).toHaveTextContent('2 d 3 h 25 min')
  expect(long).toHaveTextContent('Fault')
  expect(short).toHaveTextContent('45 min')
  expect(short).toHaveTextContent('Wiped the glass')
  expect(await axeFindings(container)).toEqual([])
})

test('a column that no entry fills is left out, for the comment', async () => {
  await open()
  await rows()
  const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(headers()).toEqual(['Start', 'End', 'Duration', 'Reason', 'Comment', 'Remove'])
  kept = [entry(12, { modelComponentName: 'Display 1', alertText: 'Too hot' })]
  await press('Reload')
  await waitFor(() =>
    expect(headers()).toEqual(['Start', 'End', 'Duration', 'Component', 'Linked alert', 'Comment', 'Remove']),
  )
})

test('work without an end goes on, and work that is planned took no time yet', async () => {
  const hourAgo = new Date(Date.now() - 61 * 60_000).toISOString()
  kept = [entry(12, { startDt: hourAgo }), entry(11, { startDt: new Date(Date.now() + 86_400_000).toISOString() })]
  await open()
  const [going, planned] = await rows()
  expect(going).toHaveTextContent('Going on1 h 1 min')
  expect(planned).toHaveTextContent(/\d\d––Changed the fan/)
})

test('a new entry needs a comment, and its start cannot be cleared', async () => {
  await open()
  await press('Add new')
  const form = await dialog()
  expect(form.queryByLabelText('Clear Start')).toBeNull()
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  form.getByText('Comment is required')
  expect(saved()).toEqual([])
})

test('a new entry stands in the list once it is saved', async () => {
  const page = await open()
  await press('Add new')
  const form = await dialog()
  await choose(form, 'Component', 'Display 1')
  await choose(form, 'Reason', 'Fault')
  await userEvent.type(form.getByLabelText(/^Comment/), ' New panel ')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('The maintenance entry is saved.')
  const [{ startDt, ...body } = {}] = saved()
  expect(body).toEqual({
    ...{ id: 0, deviceId: 1, endDt: null, modelComponentId: 5, reasonId: 1, actionId: null },
    ...{ resolutionId: null, alertId: null, actionComment: 'New panel' },
  })
  expect(Math.abs(dayjs(String(startDt)).diff(dayjs(), 'minute'))).toBeLessThan(3)
  await waitFor(async () => expect(await rows()).toHaveLength(3))
  expect(page.address()).toBe('/here')
})

test('a moment is typed by whoever begins to type in its field, in words too', async () => {
  await open('?entry=12')
  const form = await dialog()
  const end = await form.findByRole('button', { name: /^End / })
  end.focus()
  await userEvent.keyboard('1')
  const typed = within(await screen.findByRole('dialog', { name: 'Type End' }))
  const text = await typed.findByRole('textbox', { name: 'End' })
  expect(text).toHaveValue('1')
  await userEvent.type(text, '9.11.26 16:45')
  typed.getByText(/19\.11\.26 16:45/)
  expect(await axeFindings(screen.getByRole('dialog', { name: 'Type End' }))).toEqual([])
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Type End' })).toBeNull())
  await form.findByRole('button', { name: 'End 19.11.26 16:45' })
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()[0]).toMatchObject({ endDt: dayjs('2026-11-19T16:45').toISOString() }))
})

test('a click on a row edits it, and what is not changed is sent back as it was', async () => {
  await open()
  const [row] = await rows()
  await userEvent.click(within(row as HTMLElement).getByText('Changed the fan'))
  const form = await dialog()
  expect(await form.findByLabelText('Reason', { selector: 'input' })).toHaveValue('Fault')
  await choose(form, 'Resolution', 'Solved')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('The maintenance entry is saved.')
  expect(saved()).toEqual([
    {
      ...{ id: 12, deviceId: 1, startDt: '2026-11-18T08:00:00.000Z', endDt: '2026-11-20T11:25:00.000Z' },
      ...{ modelComponentId: null, reasonId: 1, actionId: null, resolutionId: 3, alertId: null },
      actionComment: 'Changed the fan',
    },
  ])
})

test('Enter on a row edits it, and Escape asks before it throws away what was typed', async () => {
  await open()
  const [, row] = await rows()
  row?.focus()
  await userEvent.keyboard('{Enter}')
  const form = await dialog()
  const comment = await form.findByRole('textbox', { name: 'Comment' })
  expect(comment).toHaveValue('Wiped the glass')
  await userEvent.type(comment, ' again{Escape}')
  await screen.findByText('There are unsaved changes. Close without saving?')
  await press('No')
  expect(comment).toHaveValue('Wiped the glass again')
  await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
  await press('Yes')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved()).toEqual([])
})

test.each([
  ['that is gone', '99'],
  ['of another device', '12'],
])('an entry %s says so, and the modal closes', async (what, id) => {
  if (what === 'of another device') kept = [entry(12, { deviceId: 2 as never })]
  const page = await open(`?entry=${id}`)
  await screen.findByText('Could not load the selected maintenance record. Please, try again.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.address()).toBe('/here')
})

test('a server that answers no id is told, and what was typed stays', async () => {
  server.answer(setMaintenance, 0)
  await open()
  await press('Add new')
  const form = await dialog()
  await userEvent.type(form.getByRole('textbox', { name: 'Comment' }), 'x')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('There was no error but Maintenance Id was not returned. Please, try again.')
  expect(form.getByRole('textbox', { name: 'Comment' })).toHaveValue('x')
  expect(screen.queryByText('The maintenance entry is saved.')).toBeNull()
})

test('an alert of the device can be linked; the one linked already is assigned however old it is', async () => {
  kept = [entry(12, { alertId: 4 as never, alertText: 'Door is open' })]
  server.answer(listAlerts, ({ values }) => {
    expect(values.deviceId).toBe('1')
    return []
  })
  await open('?entry=12')
  const form = await dialog()
  expect(await form.findByRole('combobox', { name: 'Linked alert' })).toHaveValue('Door is open')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()[0]).toMatchObject({ alertId: 4 }))
})

test('a component that was taken out since keeps its name', async () => {
  kept = [entry(12, { modelComponentId: 77, modelComponentName: 'UPS 1' })]
  await open('?entry=12')
  expect(await (await dialog()).findByRole('combobox', { name: 'Component' })).toHaveValue('UPS 1')
})

test('what the server finds wrong stands at its field', async () => {
  server.answer(setMaintenance, new Refusal('invalid_request', 'endDt is not valid'))
  await open('?entry=12')
  const form = await dialog()
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await form.findByText('End is not valid')
})

test('a removed entry is gone at once', async () => {
  server.answer(deleteMaintenance, ({ values }) => {
    kept = kept.filter(({ id }) => id !== values.id)
    return true as const
  })
  await open()
  await rows()
  await press(`Remove maintenance of ${dayjs('2026-11-18T08:00:00.000Z').format('DD.MM.YY HH:mm')}`)
  expect(server.requestsTo(deleteMaintenance)).toEqual([])
  await press('Yes')
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  expect(server.requestsTo(deleteMaintenance).map(({ values }) => values)).toEqual([{ id: 12 }])
})

test('a removal that failed is told, and the list is read again', async () => {
  server.answer(deleteMaintenance, () => {
    kept = [entry(15, { actionComment: 'Written meanwhile' }), ...kept]
    return new Refusal('not_found')
  })
  await open()
  await rows()
  await press(`Remove maintenance of ${dayjs('2026-11-18T08:00:00.000Z').format('DD.MM.YY HH:mm')}`)
  await press('Yes')
  await screen.findByText('Written meanwhile')
  expect(await rows()).toHaveLength(3)
  expect(screen.getByRole('alert')).toBeVisible()
})

test('Reload reads the list again', async () => {
  await open()
  await rows()
  kept = []
  await press('Reload')
  await screen.findByText('No maintenance is recorded for this device')
})

test('a page without entries begins with the last visits of the customer, each a way to its device', async () => {
  kept = []
  const visit = { ...entry(40, { deviceId: 9 as never, actionName: 'Cleaned' }), deviceName: 'Pier' }
  server.answer(listMaintenanceElsewhere, [
    maintenanceElsewhere.parse({ ...visit, deviceGuid: '0b7dd6ab-7ee4-4e67-a8a7-1f0f6d9d8c55' }),
  ])
  const { container } = await open()
  const link = await screen.findByRole('link', { name: 'Pier' })
  expect(link).toHaveAttribute('href', '/devices/0b7dd6ab-7ee4-4e67-a8a7-1f0f6d9d8c55/maintenance?entry=40')
  expect(link.closest('li')).toHaveTextContent('Cleaned')
  screen.getByText('No maintenance is recorded for this device')
  expect(await axeFindings(container)).toEqual([])
})

test('the form is accessible', async () => {
  await open('?entry=new')
  await dialog()
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})
