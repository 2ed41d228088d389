import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { refresh } from '#console/lib/call/useCall.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Queued, Refusal, Unanswered } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { changeDeviceTags, listDeviceTags, setDeviceStatus } from '#contract/http/devices/details.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import {
  applyAmbientSensorSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  compareDeviceSettings,
} from '#contract/http/devices/setup.ts'
import { listViews } from '#contract/http/devices/views.ts'
import { listCustomers, listDeviceModels, listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { getStepUpWays } from '#contract/http/people/factors.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DevicesScreen } from '../DevicesScreen.tsx'
import type { ComparedDevice } from './bulkSettings.ts'

const NAMES = ['Praha', 'Brno', 'Plzen']
const { server, open } = screenTest({
  screens: { '/devices': DevicesScreen, '/devices/$guid/$tab': () => <p>page of a device</p> },
  at: '/devices',
})
let comparison: ComparedDevice[]

beforeEach(() => {
  for (const lookup of [listCustomers, listDeviceModels, listDeviceStatuses]) server.answer(lookup, [])
  const rows = NAMES.map((name, index) => deviceOf({ id: index + 1, guid: guid(index + 1), name }))
  server.answer(listViews, { views: [], defaultId: null, isDefaultLost: false })
  server.answer(listDevices, { rows, total: 3, next: null })
  comparison = NAMES.map((name, index) => device(index + 1, name))
  server.answer(compareDeviceSettings, ({ values }) =>
    comparison.filter(({ deviceId }) => (values.deviceIds as number[]).includes(deviceId)),
  )
  server.answer(setDeviceStatus, deviceOf())
})

const guid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
const device = (id: number, name: string, changes: Partial<ComparedDevice> = {}): ComparedDevice => ({
  ...{ deviceId: id as DeviceId, name, isOnline: true, statusId: 2, modelId: 1, displayNumbers: [1], sections: [] },
  ...{ position: null, knowsDayPlans: true, tags: [], automaticDisplays: [], present: [display(1), SENSOR, OFF_TIMES] },
  ...changes,
})
type Present = ComparedDevice['present'][number]
const display = (number: number, changes: Record<string, unknown> = {}): Present => ({
  section: 'display',
  number,
  values: { backlightLevel: 70, brightness: 43, gammaValue: 2.4, redColorBalance: 61, ...changes },
})
const SENSOR: Present = {
  section: 'ambientSensor',
  number: 1,
  values: {
    ...{ backlightAutomaticStatus: true, minBacklight: 20, maxBacklight: 90 },
    ...{ minAmbientLight: 100, maxAmbientLight: 20_000 },
  },
}
const OFF_TIMES: Present = { section: 'turnOff', number: 1, values: { wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' } }

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
async function startSelecting() {
  const view = await open()
  await screen.findByText('Praha')
  await press('Select')
  return view
}
async function set(what: string) {
  await press('Set')
  await userEvent.click(await screen.findByRole('menuitem', { name: what }))
}
async function setStatus(name: string) {
  await set('Status')
  await screen.findByText('Nothing is chosen: everything stays as it is.')
  expect(screen.queryByRole('radio', { checked: true })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name }))
}
/** It waits for the text in the row of a device, because each device is answered at its own time. */
const inList = (name: string, text: string | RegExp) =>
  waitFor(() => {
    const row = within(screen.getByRole('list', { name: 'Devices' }))
      .getByText(name)
      .closest('li') as HTMLElement
    within(row).getByText(text)
  })
const count = () => screen.getByRole('region', { name: 'Selection' }).textContent

test('devices are chosen by click and by page, and Cancel clears the choice', async () => {
  const { address } = await startSelecting()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Brno' }))
  expect(count()).toContain('1 selected')
  await userEvent.click(screen.getByText('Plzen'))
  expect(count()).toContain('2 selected')
  expect(address()).toBe('/devices')
  await press('Select page')
  expect(count()).toContain('3 selected')
  await press('Cancel')
  expect(screen.queryByRole('checkbox')).toBeNull()
  await press('Select')
  expect(count()).toContain('0 selected')
})

test('all of the filter are chosen in one go', async () => {
  await startSelecting()
  await press('Select all 3')
  await waitFor(() => expect(count()).toContain('3 selected'))
  expect(server.requestsTo(listDevices).at(-1)?.values).toMatchObject({ pageSize: '500', rowNum: '1' })
})

test('nothing chosen is said', async () => {
  await startSelecting()
  await set('Status')
  await screen.findByText('No devices selected')
  expect(server.requestsTo(compareDeviceSettings)).toEqual([])
})

test('who differs is listed before, only those are set, and each has a result after', async () => {
  comparison = [device(1, 'Praha'), device(2, 'Brno', { statusId: 3 }), device(3, 'Plzen', { statusId: 5 })]
  server.answer(setDeviceStatus, ({ values }) =>
    values.id === 3 ? new Refusal('internal_error') : deviceOf({ id: 2, statusId: 2 }),
  )
  await startSelecting()
  await press('Select page')
  await setStatus('Paired')
  await inList('Praha', 'Already set')
  await inList('Brno', 'Maintenance')
  expect(screen.getByText(/of 3 differ/).textContent).toBe('2 of 3 differ')
  await press('Apply to 2')
  await inList('Brno', 'Applied')
  await inList('Plzen', 'Something went wrong on the server.')
  await screen.findByText('1 applied, 1 failed')
  const sent = server.requestsTo(setDeviceStatus).map(({ values }) => [values.id, values.statusId])
  expect(sent.toSorted()).toEqual([
    [2, 2],
    [3, 2],
  ])

  server.answer(setDeviceStatus, deviceOf())
  await press('Try the other 1 again')
  await screen.findByText('2 applied')
})

test('tags are added to those that have them not, each by a call of its own, and none is taken away', async () => {
  comparison = [device(1, 'Praha', { tags: ['Messe'] }), device(2, 'Brno', { tags: ['Rewire'] })]
  server.answer(listDeviceTags, [{ tag: 'Rewire', devices: 4 }])
  server.answer(changeDeviceTags, deviceOf())
  await startSelecting()
  await press('Select page')
  await set('Add tags')
  await userEvent.click(await screen.findByRole('combobox', { name: 'Tags to add' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Rewire' }))
  await inList('Brno', 'Already set')
  await press('Apply to 1')
  await inList('Praha', 'Applied')
  expect(server.requestsTo(changeDeviceTags).map(({ values }) => values)).toEqual([{ id: 1, add: ['Rewire'] }])
})

test('those that already have it are set as well when that is asked for', async () => {
  await startSelecting()
  await press('Select page')
  await setStatus('Paired')
  await screen.findByText('Also send it to the 3 that already have it')
  expect(screen.getByRole('button', { name: 'Apply to 0' })).toBeDisabled()
  await userEvent.click(screen.getByRole('checkbox', { name: /^Also send it/ }))
  await press('Apply to 3')
  await screen.findByText('3 applied')
})

test('nothing is chosen at first, and one value that is moved is all that is sent', async () => {
  comparison = [device(1, 'Praha'), device(2, 'Brno', { present: [display(1, { backlightLevel: 71 })] })]
  server.answer(applyDisplaySettings, [])
  await startSelecting()
  await press('Select page')
  await set('Display settings')
  await screen.findByText('Nothing is chosen: everything stays as it is.')
  await inList('Praha', /^backlight 70 % · brightness 43 · gamma 2\.4 · .*green colour balance not known/)
  const boxes = screen.getAllByRole('checkbox', { name: /^Leave as it is/ })
  expect(boxes.length).toBe(6)
  for (const box of boxes) expect(box).toBeChecked()
  expect(screen.getByRole('radio', { name: 'Leave as it is' })).toBeChecked()
  expect(screen.getByRole('button', { name: 'Apply to 0' })).toBeDisabled()

  const field = screen.getByRole('textbox', { name: 'Backlight level' })
  expect([field.getAttribute('value'), field.getAttribute('placeholder')]).toEqual(['', '70–71'])
  await userEvent.type(field, '71')
  expect(screen.getByRole('checkbox', { name: 'Leave as it is: Backlight level' })).not.toBeChecked()
  await screen.findByText('Changes backlight on 1, nothing else.')
  await inList('Praha', 'backlight 70 % → 71 %')
  await inList('Brno', 'Already set')
  await userEvent.clear(field)
  await userEvent.type(field, '30')
  await screen.findByText('Changes backlight on 2, nothing else.')
  await press('Apply to 2')
  await screen.findByText('2 applied')
  expect(server.requestsTo(applyDisplaySettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, displayNumber: 1, dBacklightLevel: 30, basedOn: null },
    { deviceId: 2, displayNumber: 1, dBacklightLevel: 30, basedOn: null },
  ])
})

test('a value that was chosen can be left as it is again', async () => {
  await startSelecting()
  await press('Select page')
  await set('Display settings')
  const box = await screen.findByRole('checkbox', { name: 'Leave as it is: Gamma' })
  await userEvent.click(box)
  await screen.findByText('Changes nothing.')
  await userEvent.click(screen.getByRole('radio', { name: 'Off' }))
  await screen.findByText('Changes touch screen on 3, nothing else.')
  await userEvent.click(box)
  await userEvent.click(screen.getByRole('radio', { name: 'Leave as it is' }))
  await screen.findByText('Nothing is chosen: everything stays as it is.')
})

test('one step sets every display of a device, and says which one failed', async () => {
  comparison = [device(1, 'Praha', { displayNumbers: [1, 2, 3], present: [1, 2, 3].map((number) => display(number)) })]
  server.answer(applyDisplaySettings, ({ values }) => (values.displayNumber === 2 ? ['Panel too hot'] : []))
  await startSelecting()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Praha' }))
  await set('Display settings')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Backlight level' }), '30')
  await press('Apply to 1')
  await screen.findByText('1 failed')
  await inList('Praha', 'Display 2: Panel too hot')
  expect(server.requestsTo(applyDisplaySettings).map(({ values }) => values.displayNumber)).toEqual([1, 2, 3])
})

test('a backlight that the ambient light sets again is said before, and not called a plain success after', async () => {
  comparison = [device(1, 'Praha', { automaticDisplays: [1] }), device(2, 'Brno')]
  server.answer(applyDisplaySettings, [])
  await startSelecting()
  await press('Select page')
  await set('Display settings')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Backlight level' }), '30')
  await screen.findByText(/^On one of them automatic backlight is on: the ambient light sets the backlight again/)
  await press('Apply to 2')
  await screen.findByText('2 applied')
  await inList('Praha', /the ambient light sets the backlight again\.$/)
})

test('display settings go by the single call; a refusal is shown in the words of the device, an offline one is kept', async () => {
  comparison = [device(1, 'Praha'), device(2, 'Brno', { isOnline: false }), device(3, 'Plzen', { present: [] })]
  server.answer(applyDisplaySettings, ({ values }) =>
    values.deviceId === 2 ? new Queued() : ['Backlight is out of order'],
  )
  await startSelecting()
  await press('Select page')
  await set('Display settings')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Backlight level' }), '30')
  await inList('Plzen', 'It has no such display.')
  await press('Apply to 2')
  await inList('Praha', 'Backlight is out of order')
  await inList('Brno', 'Will be applied when the device reconnects')
})

test('ambient settings and off times are sent as far as they were chosen', async () => {
  server.answer(applyAmbientSensorSettings, [])
  server.answer(applyTurnDisplayOffSettings, [])
  await startSelecting()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Praha' }))
  await set('Ambient light sensor')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Maximum backlight' }), '80')
  await userEvent.click(screen.getByRole('radio', { name: 'Off' }))
  await screen.findByText('Changes automatic backlight on 1 and maximum backlight on 1, nothing else.')
  await press('Apply to 1')
  await screen.findByText('1 applied')
  expect(server.requestsTo(applyAmbientSensorSettings)[0]?.values).toEqual({
    ...{ deviceId: 1, number: 1, dBacklightAutomaticStatus: false, dMaxBacklight: 80, basedOn: null },
  })
  await userEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await set('Turn display(s) off')
  await userEvent.type(await screen.findByLabelText('Weekends: From'), '22:00')
  await press('Apply to 1')
  await screen.findByText('To is required')
  expect(server.requestsTo(applyTurnDisplayOffSettings)).toEqual([])
  await userEvent.type(screen.getByLabelText('Weekends: To'), '5')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Leave as it is: Holidays' }))
  await screen.findByText('Never off.')
  await screen.findByText('Changes off times of weekends on 1 and off times of holidays on 1, nothing else.')
  await press('Apply to 1')
  await screen.findByText('1 applied')
  expect(server.requestsTo(applyTurnDisplayOffSettings)[0]?.values).toEqual({
    ...{ deviceId: 1, wkndTimeOffFrom: '22:00', wkndTimeOffTo: '05:00', leaveOthers: true, basedOn: null },
    ...{ holTimeOffFrom: null, holTimeOffTo: null },
  })
})

test('a day plan is set on all that can carry it out; who cannot is left out with the sentence why', async () => {
  server.answer(applyDayPlanSettings, [])
  const dayPlan = { section: 'dayPlan' as const, number: 1, values: {} }
  comparison = [
    device(1, 'Praha', { present: [display(1), dayPlan] }),
    device(2, 'Brno', { present: [display(1), dayPlan], knowsDayPlans: false }),
    device(3, 'Plzen', {
      present: [display(1), { ...dayPlan, values: { workdays: DIMMED, weekends: DIMMED, holidays: DIMMED } }],
    }),
  ]
  await startSelecting()
  for (const name of ['Praha', 'Brno', 'Plzen']) {
    await userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }))
  }
  await set('Brightness by time')
  await userEvent.click(await screen.findByRole('button', { name: 'Add an entry: Every day' }))
  await inList('Brno', /does not know day plans/)
  await inList('Praha', /workdays not known → 70 % from 22:00/)
  await press('Apply to 1')
  await screen.findByText('1 applied')
  expect(server.requestsTo(applyDayPlanSettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, workdays: DIMMED, weekends: DIMMED, holidays: DIMMED, basedOn: null },
  ])
})
const DIMMED = [{ from: '22:00', backlightPercent: 70 }]

async function startLongRun(answered: Refusal | ReturnType<typeof deviceOf> = deviceOf()) {
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  comparison = ids.map((id) => device(id, `Device ${id}`, { statusId: 3 }))
  const guidOf = (id: number) => `00000000-0000-4000-8000-0000000000${String(id).padStart(2, '0')}`
  server.answer(listDevices, { rows: ids.map((id) => deviceOf({ id, guid: guidOf(id) })), total: 20, next: null })
  const gate = Promise.withResolvers<void>()
  server.answer(setDeviceStatus, async () => {
    await gate.promise
    return answered
  })
  const view = await open()
  await screen.findAllByText('Praha 0001')
  await press('Select')
  await press('Select page')
  await setStatus('Paired')
  await press('Apply to 20')
  await waitFor(() => expect(server.requestsTo(setDeviceStatus).length).toBe(6))
  return { ...view, answer: gate.resolve }
}

test('at most six run at once; Stop lets them finish and sends nothing more', async () => {
  const { answer } = await startLongRun()
  await screen.findByText('20 to go')
  await press('Stop')
  answer()
  await screen.findByText('6 applied, 14 not sent')
  expect(server.requestsTo(setDeviceStatus).length).toBe(6)
  await screen.findByRole('button', { name: 'Try the other 14 again' })
})

test('whoever does not prove who they are is asked once, and nothing more is sent', async () => {
  server.answer(getStepUpWays, { isFresh: false, ways: ['password'] })
  const { answer } = await startLongRun(new Refusal('step_up_required'))
  answer()
  const question = await screen.findByRole('dialog', { name: 'Confirm your identity' })
  await userEvent.click(await within(question).findByRole('button', { name: 'Cancel' }))
  await screen.findByText('6 failed, 14 not sent')
})

test('all calls of one action say the same name, which the audit log tells them by, and no other action does', async () => {
  const { answer } = await startLongRun()
  await press('Stop')
  answer()
  await press('Try the other 14 again')
  await screen.findByText('20 applied')
  const names = server.requestsTo(setDeviceStatus).map(({ bulkName }) => bulkName)
  const [first, second] = [names[0], names[6]]
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect(second).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect(names).toEqual([...Array(6).fill(first), ...Array(14).fill(second)])
  expect(first).not.toBe(second)
  expect(server.requestsTo(listDevices).every(({ bulkName }) => bulkName === undefined)).toBe(true)
})

test('leaving while it runs asks', async () => {
  const { answer, follow, address } = await startLongRun()
  follow(`/devices/${guid(1)}/status`)
  await screen.findByText('Devices are still being set. Stop? Changes already sent stay.')
  await press('No')
  expect(address()).toBe('/devices')
  answer()
  await screen.findByText('20 applied')
})

test('who leaves all the same is told to which devices nothing was sent, and nothing more is sent', async () => {
  const { answer, follow, address } = await startLongRun()
  follow(`/devices/${guid(1)}/status`)
  await screen.findByText('Devices are still being set. Stop? Changes already sent stay.')
  await press('Yes')
  await screen.findByText('page of a device')
  expect(address()).toBe(`/devices/${guid(1)}/status`)
  await screen.findByText('Stopped. Nothing was sent to Device 7, Device 8, Device 9, Device 10, Device 11 and 9 more.')
  answer()
  // Further calls would be sent as soon as those six are answered.
  const more = waitFor(() => expect(server.requestsTo(setDeviceStatus).length).toBeGreaterThan(6), { timeout: 500 })
  await expect(more).rejects.toThrow()
})

test('what a limit puts off is sent again until it is taken', async () => {
  comparison = [device(1, 'Praha', { statusId: 3 }), device(2, 'Brno', { statusId: 3 })]
  let refused = 0
  server.answer(setDeviceStatus, () => (++refused <= 3 ? new Refusal('too_many_requests') : deviceOf()))
  await startSelecting()
  await press('Select page')
  await setStatus('Paired')
  takeClock()
  fireEvent.click(await screen.findByRole('button', { name: 'Apply to 2' }))
  await passTimeUntil(() => screen.getByText('2 applied'))
  expect(server.requestsTo(setDeviceStatus).length).toBe(5)
})

test('the selection and the dialog are accessible', async () => {
  const { container } = await startSelecting()
  expect(await axeFindings(container)).toEqual([])
  await press('Select page')
  await set('Display settings')
  await screen.findByRole('list', { name: 'Devices' })
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})

const setByEva = (desiredAt: string, desired: Record<string, unknown> | null = null) => {
  const nothing = { reported: null, reportedAt: null, reason: null, refusal: null }
  const by = { section: 'display' as const, number: 1, desiredAt, desiredBy: 'Eva Novak', desired }
  return { sections: [{ ...nothing, ...by }] }
}

test('a device that somebody has set meanwhile fails with the name and both values, and is tried again on that', async () => {
  comparison = [device(1, 'Praha', setByEva('2026-11-20T10:00:00.000Z'))]
  server.answer(applyDisplaySettings, () => {
    comparison = [device(1, 'Praha', setByEva('2026-11-20T10:05:00.000Z', { backlightLevel: 60, gammaValue: 2 }))]
    return new Refusal('settings_changed', 'Eva Novak has set this meanwhile.')
  })
  await startSelecting()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Praha' }))
  await set('Display settings')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Backlight level' }), '30')
  await press('Apply to 1')
  await inList('Praha', 'Eva Novak has set this meanwhile.')
  await inList('Praha', 'backlight: theirs 60 %, yours 30 %')
  server.answer(applyDisplaySettings, [])
  await press('Try the other 1 again')
  await screen.findByText('1 applied')
  expect(server.requestsTo(applyDisplaySettings).map(({ values }) => values.basedOn)).toEqual([
    '2026-11-20T10:00:00.000Z',
    '2026-11-20T10:05:00.000Z',
  ])
})

test('what somebody sets while the dialog is open is told before Apply with the name and both values', async () => {
  comparison = [device(1, 'Praha', setByEva('2026-11-20T10:00:00.000Z', { backlightLevel: 45 })), device(2, 'Brno')]
  server.answer(applyDisplaySettings, [])
  await startSelecting()
  await press('Select page')
  await set('Display settings')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Backlight level' }), '30')
  expect(screen.queryByText(/while this was open/)).toBeNull()
  const anew = setByEva('2026-11-20T10:05:00.000Z', { backlightLevel: 60 })
  comparison = [device(1, 'Praha', { ...anew, present: [display(1, { backlightLevel: 60 })] }), device(2, 'Brno')]
  await act(() => refresh(compareDeviceSettings))
  await screen.findByText('Eva Novak set one of them while this was open. Apply sets yours over that.')
  await inList('Praha', 'Eva Novak set it meanwhile: Backlight level 45 % → 60 %')
  await inList('Praha', 'backlight 60 % → 30 %')
  await press('Apply to 2')
  await screen.findByText('2 applied')
  expect(server.requestsTo(applyDisplaySettings).map(({ values }) => values.basedOn)).toContain(
    '2026-11-20T10:05:00.000Z',
  )
})

test('a silent device is kept, not failed, and the count moves with what it says later', async () => {
  const pending = { section: 'display' as const, number: 1, desired: { backlightLevel: 30 }, reported: null }
  const at = { desiredAt: '2026-11-20T10:05:00.000Z', desiredBy: 'Eva Novak', reportedAt: null, refusal: null }
  comparison = [device(1, 'Praha'), device(2, 'Brno'), device(3, 'Plzen')]
  server.answer(applyDisplaySettings, ({ values }) => {
    if (values.deviceId === 1) return []
    const waiting = { sections: [{ ...pending, ...at, reason: 'waiting' as const }] }
    comparison = comparison.map((one) => (one.deviceId === values.deviceId ? { ...one, ...waiting } : one))
    return new Unanswered('The device has not answered within 10 seconds. The change is kept and waits for the device.')
  })
  await startSelecting()
  await press('Select page')
  await set('Display settings')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Backlight level' }), '30')
  takeClock()
  fireEvent.click(await screen.findByRole('button', { name: 'Apply to 3' }))
  await passTimeUntil(() => screen.getByText('1 applied, 2 kept, no answer yet'))
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull()
  const [one, brno, plzen] = comparison as [ComparedDevice, ComparedDevice, ComparedDevice]
  const refusal = { at: at.desiredAt, asked: {}, errors: ['No such display.'] }
  comparison = [
    one,
    { ...brno, sections: [{ ...pending, ...at, reason: null }] },
    { ...plzen, sections: [{ ...pending, ...at, reason: 'refused', refusal }] },
  ]
  await passTimeUntil(() => screen.getByText('2 applied, 1 failed'))
  await inList('Plzen', 'No such display.')
})
