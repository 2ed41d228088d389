import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { DEVICE_GUID, deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { getTimeZoneAt, listDeviceTags, setDeviceDetails } from '#contract/http/devices/details.ts'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import { listCustomers, listDeviceModels } from '#contract/http/operation/lookups.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { DetailsTab } from './DetailsTab.tsx'

const { server, open } = screenTest({
  screens: {
    '/devices': () => <p>all devices</p>,
    '/devices/$guid': {
      screen: DeviceScreen,
      tabs: { details: DetailsTab, status: () => <p>the status</p> },
    },
  },
  at: `/devices/${DEVICE_GUID}/details`,
})
let kept: Device

beforeEach(() => {
  kept = deviceOf()
  server.answer(getDevice, () => kept)
  server.answer(listCustomers, [
    { id: 3, name: 'City Media' },
    { id: 4, name: 'Metro' },
  ])
  server.answer(listDeviceModels, [...DEVICE_MODELS])
  server.answer(getTimeZoneAt, { timeZone: 'Europe/Lisbon' })
  server.answer(setDeviceDetails, ({ values: { basedOn, ...values } }) => {
    kept = { ...kept, ...values } as Device
    return kept
  })
})

const field = (name: string) => screen.findByRole('textbox', { name: new RegExp(`^${name}`) })
const saveButton = () => screen.getByRole('button', { name: 'Save changes' })
const sent = () => server.requestsTo(setDeviceDetails).map(({ values: { basedOn, ...values } }) => values)

async function retype(name: string, text: string) {
  const input = await field(name)
  await userEvent.clear(input)
  if (text !== '') await userEvent.type(input, text)
}

test('only what was changed is sent, and the form is clean again with what the server kept', async () => {
  await open()
  await retype('Name', 'Praha 0002 ')
  await retype('Internal IP', '10.0.0.1')
  await userEvent.click(saveButton())
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, name: 'Praha 0002', internalIp: '10.0.0.1' }])
  await screen.findByRole('heading', { name: 'Praha 0002' })
  expect(await field('Name')).toHaveProperty('value', 'Praha 0002')
  expect(saveButton()).toBeDisabled()
})

test('what is wrong is said at its field, gets the focus, and nothing is sent', async () => {
  await open()
  await retype('Name', '')
  await retype('External IP', '300.1.1.1')
  await userEvent.click(saveButton())
  await screen.findByText('Name is required')
  screen.getByText('This field External IP is not a valid IP address.')
  expect(await field('Name')).toHaveFocus()
  expect(sent()).toEqual([])
})

test('what only the server finds wrong is said at its field too', async () => {
  server.answer(setDeviceDetails, new Refusal('invalid_request', 'attrSerial is not valid'))
  await open()
  await retype('Serial number', 'SN-2')
  await userEvent.click(saveButton())
  await screen.findByText('Serial number is not valid')
  expect(await field('Serial number')).toHaveFocus()
  expect(await field('Serial number')).toHaveProperty('value', 'SN-2')
})

test('any other failure is told, and what was typed stays', async () => {
  server.answer(setDeviceDetails, new Refusal('internal_error'))
  await open()
  await retype('Address', 'Krátká 2')
  await userEvent.click(saveButton())
  await screen.findByText('Something went wrong on the server.')
  expect(await field('Address')).toHaveProperty('value', 'Krátká 2')
  expect(saveButton()).toBeEnabled()
})

test('a typed position brings its time zone, which can still be changed', async () => {
  await open()
  await retype('Latitude', '38.7')
  await retype('Longitude', '-9.1')
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Lisbon'))
  expect(server.requestsTo(getTimeZoneAt).at(-1)?.values).toEqual({ latitude: '38.7', longitude: '-9.1' })
  await userEvent.click(screen.getByRole('combobox', { name: 'Time zone' }))
  await userEvent.clear(screen.getByRole('combobox', { name: 'Time zone' }))
  await userEvent.type(screen.getByRole('combobox', { name: 'Time zone' }), 'Madeira')
  await userEvent.click(await screen.findByRole('option', { name: 'Atlantic/Madeira' }))
  await userEvent.click(saveButton())
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, latitude: 38.7, longitude: -9.1, timeZone: 'Atlantic/Madeira' }])
})

test('tags are typed or chosen of those in use, each once, and sent as a whole', async () => {
  kept = deviceOf({ tags: ['Messe'] })
  server.answer(listDeviceTags, [
    { tag: 'Rewire', devices: 4 },
    { tag: 'Messe', devices: 2 },
  ])
  await open()
  const tags = await screen.findByRole('combobox', { name: 'Tags' })
  await userEvent.type(tags, 'MESSE,')
  await userEvent.type(tags, 'spring 2027{Enter}')
  await userEvent.clear(tags)
  await userEvent.click(await screen.findByRole('option', { name: 'Rewire' }))
  await userEvent.click(saveButton())
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, tags: ['Messe', 'spring 2027', 'Rewire'] }])
  expect(server.requestsTo(listDeviceTags)[0]?.values).toEqual({ customerId: '3' })
})

test('a position can be taken away', async () => {
  kept = deviceOf({ latitude: 50.08, longitude: 14.42, timeZoneIsAssumed: false })
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Clear the position' }))
  await userEvent.click(saveButton())
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, latitude: null, longitude: null }])
})

test('the device ID cannot be edited and is copied', async () => {
  const user = userEvent.setup()
  await open()
  expect(await field('Device ID')).toHaveAttribute('readonly')
  await user.click(screen.getAllByRole('button', { name: 'Copy device ID' }).at(-1) as HTMLElement)
  await screen.findByText('Text copied to clipboard')
  expect(await navigator.clipboard.readText()).toBe(DEVICE_GUID)
})

test('a clipboard that may not be used is said', async () => {
  const user = userEvent.setup()
  await open()
  await field('Device ID')
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
  await user.click(screen.getAllByRole('button', { name: 'Copy device ID' }).at(-1) as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: 'Failed to copy text to clipboard' }))
  dialog.getByText(/press Ctrl\+C, or ⌘C on a Mac/)
  const text = dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text to copy' })
  expect(text).toHaveValue(DEVICE_GUID)
  await waitFor(() => expect(text).toHaveFocus())
  expect([text.selectionStart, text.selectionEnd]).toEqual([0, DEVICE_GUID.length])
})

test('where the browser has no clipboard at all, the text is selected too', async () => {
  const user = userEvent.setup()
  await open()
  await field('Device ID')
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
  await user.click(screen.getAllByRole('button', { name: 'Copy device ID' }).at(-1) as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: 'Failed to copy text to clipboard' }))
  expect(dialog.getByRole('textbox', { name: 'Text to copy' })).toHaveValue(DEVICE_GUID)
})

test('leaving with unsaved changes asks; No stays, Yes leaves without saving', async () => {
  const { address } = await open()
  await retype('Name', 'Another')
  const leave = async (answer: 'Yes' | 'No') => {
    await userEvent.click(screen.getByRole('link', { name: 'Status' }))
    await screen.findByText('There are unsaved changes. Leave without saving?')
    await userEvent.click(screen.getByRole('button', { name: answer }))
  }
  await leave('No')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toContain('/details')
  expect(await field('Name')).toHaveProperty('value', 'Another')
  await leave('Yes')
  await screen.findByText('the status')
  expect(sent()).toEqual([])
})

test('without changes nothing is asked, and discarded ones are none', async () => {
  await open()
  await retype('Name', 'Another')
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(await field('Name')).toHaveProperty('value', 'Praha 0001')
  await userEvent.click(screen.getByRole('link', { name: 'Status' }))
  await screen.findByText('the status')
})

test('a manager sees model and customer but cannot change them', async () => {
  signInAs({ roleFunctions: [2] })
  await open()
  expect(await field('Model')).toHaveAttribute('readonly')
  await waitFor(async () => expect(await field('Customer')).toHaveProperty('value', 'City Media'))
  expect(await field('Customer')).toHaveAttribute('readonly')
})

test('an admin changes the model and moves the device to another customer', async () => {
  await open()
  const choose = async (name: string, option: string) => {
    await userEvent.click(await screen.findByRole('combobox', { name: new RegExp(`^${name}`) }))
    await userEvent.click(await screen.findByRole('option', { name: option }))
  }
  await choose('Model', 'Totem SP-4096')
  await choose('Customer', 'Metro')
  await userEvent.click(saveButton())
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, modelId: 22, customerId: 4 }])
})

test('an admin of a customer changes the model, and there is no field for the customer', async () => {
  signInAs({ customerId: 3 })
  await open()
  await screen.findByRole('combobox', { name: /^Model/ })
  expect(screen.queryByLabelText(/^Customer/)).toBeNull()
})

test('the form is accessible, also with errors', async () => {
  const { container } = await open()
  await screen.findByDisplayValue('City Media')
  expect(await axeFindings(container)).toEqual([])
  await retype('Name', '')
  await userEvent.click(saveButton())
  await screen.findByText('Name is required')
  expect(await axeFindings(container)).toEqual([])
})
