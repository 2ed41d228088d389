import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { testDeviceDriver } from '#contract/http/devices/commands.ts'
import { type DeviceDrivers, getDeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import { DriversPanel } from './DriversPanel.tsx'
import type { DrivenPart } from './driverLabels.ts'

const { server, open } = screenTest({ screens: { '/': () => <DriversPanel device={deviceOf()} /> }, at: '/' })
const CLIENT = { known: ['nut'], allowedNetworks: ['10.0.0.0/24'] }
const none = (part: string): DrivenPart => ({ part, chosen: null, setBy: null, used: [], refusal: null })
const NUT: DrivenPart = {
  ...{ part: 'ups', setBy: 'console', used: ['nut'], refusal: null },
  chosen: { driver: 'nut', options: { host: '10.0.0.5', ups: 'cabinet', username: 'u' }, secrets: ['password'] },
}

function answer(parts: DrivenPart[], client: DeviceDrivers['client'] = CLIENT) {
  server.answer(getDeviceDrivers, { parts, client, found: null })
  server.answer(setDeviceDriver, { parts, client, found: null })
}
beforeEach(() => {
  answer([none('device'), NUT, none('power-switch')])
})
const row = async (name: string) => within(await screen.findByRole('listitem', { name }))
const press = async (within: { findByRole: typeof screen.findByRole }, name: RegExp | string) =>
  userEvent.click(await within.findByRole('button', { name }))
const fill = async (label: string | RegExp, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const sent = () => server.requestsTo(setDeviceDriver).map(({ values }) => values)

test('each part stands with its driver, what is set of it and how it is with the device', async () => {
  answer([
    { ...none('device'), setBy: 'file', used: ['exec'], chosen: null },
    NUT,
    { ...NUT, part: 'power-switch', used: [], setBy: 'console', refusal: 'field "host" lies in no network' },
    none('camera/2'),
  ])
  await open()
  expect((await row('Computer')).getByText("Set in the totem's own file.")).toBeDefined()
  const ups = await row('UPS')
  expect(ups.getByText('UPS by Network UPS Tools (upsd)')).toBeDefined()
  expect(
    ups.getByText('Address of upsd: 10.0.0.5 · Name of the UPS there: cabinet · User: u · Password set'),
  ).toBeDefined()
  expect((await row('Power switch')).getByText(/^The device does not use it: field "host" lies/)).toBeDefined()
  expect((await row('IP camera 2')).getByText('No driver')).toBeDefined()
  expect((await row('IP camera 2')).queryByRole('button')).toBeNull()
  expect(await axeFindings(document.body)).toEqual([])
})

test('of a device that is made up it is said that it is, and nothing can be chosen', async () => {
  const pretend = { setBy: 'file' as const, used: ['pretend'] }
  answer([{ ...none('ups'), ...pretend }], { known: [], allowedNetworks: [] })
  server.answer(testDeviceDriver, 'This part is pretend. It says: UPS battery 98 %.')
  await open()
  const ups = await row('UPS')
  expect(ups.getByText('Simulated')).toBeDefined()
  expect(screen.getByText(/^This is a simulated device\. Drivers cannot be changed/)).toBeDefined()
  expect(ups.queryByRole('button', { name: /^Choose/ })).toBeNull()
  await press(ups, /^Test/)
  await ups.findByText('This part is pretend. It says: UPS battery 98 %.')
})

test('a driver is chosen with its options; what the device would refuse is said at the field and not sent', async () => {
  await open()
  await press(await row('Power switch'), /^Choose/)
  await userEvent.click(await screen.findByRole('combobox', { name: 'Driver' }))
  await userEvent.click(await screen.findByRole('option', { name: 'UPS by Network UPS Tools (upsd)' }))
  await press(screen, 'Save')
  await screen.findByText('Address of upsd is required')
  await fill(/^Address of upsd/, 'ups.cabinet')
  await screen.findByText(/^Address of upsd must be an IP address/)
  await fill(/^Address of upsd/, '10.0.1.5')
  await screen.findByText(/^Address of upsd lies in no network that the totem's own file allows.*10\.0\.0\.0\/24$/)
  await fill(/^Address of upsd/, '10.0.0.9')
  await fill('Port', '3x')
  await screen.findByText('Port must be a whole number from 1 to 65535')
  await fill('Port', '3494')
  expect(sent()).toEqual([])
  await press(screen, 'Save')
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ part: 'power-switch', driver: 'nut', options: { host: '10.0.0.9', port: 3494 } })
})

test('a password that is set is not shown: it stays, is replaced, taken away, or asked for when the driver goes elsewhere', async () => {
  await open()
  const change = async () => press(await row('UPS'), /^Change/)
  await change()
  expect((await screen.findByLabelText<HTMLInputElement>('Password')).value).toBe('')
  await screen.findByText('Left empty, it stays as it is.')
  await press(screen, 'Save')
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]?.options).toEqual({ host: '10.0.0.5', ups: 'cabinet', username: 'u' })
  await change()
  await userEvent.click(await screen.findByLabelText('Take the password away'))
  await press(screen, 'Save')
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()[1]?.options).toMatchObject({ password: null })
  await change()
  await fill(/^Address of upsd/, '10.0.0.6')
  await screen.findByText('Enter it again: the driver connects to another address.')
  await press(screen, 'Save')
  await screen.findByText('Password must be entered again, because it would go to another address')
  expect(await axeFindings(document.body)).toEqual([])
  await userEvent.click(await screen.findByLabelText('Take the password away'))
  await press(screen, 'Save')
  await waitFor(() => expect(sent()).toHaveLength(3))
  expect(sent()[2]?.options).toMatchObject({ host: '10.0.0.6', password: null })
})

test('the device answers a test in its own words, also why not', async () => {
  server.answer(testDeviceDriver, 'NUT at 10.0.0.5:3493 answers: UPS "cabinet" on line, charge 98 %.')
  await open()
  await press(await row('UPS'), /^Test/)
  await (await row('UPS')).findByText(/on line, charge 98 %/)
  server.answer(testDeviceDriver, new Refusal('device_refused', 'Nothing listens at 10.0.0.5:3493.'))
  await press(await row('UPS'), /^Test/)
  await (await row('UPS')).findByText('Nothing listens at 10.0.0.5:3493.')
})

test('a client that does not know drivers is named before anything is saved', async () => {
  answer([none('ups')], null)
  await open()
  await screen.findByText(/^The client of this device does not report driver support\. Your choice is saved/)
  await press(await row('UPS'), /^Choose/)
  await screen.findByText(/It keeps working as before until the client is updated\.$/)
})
