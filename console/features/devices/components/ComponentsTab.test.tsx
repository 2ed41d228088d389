import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { DEVICE_GUID, deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { testDeviceDriver } from '#contract/http/devices/commands.ts'
import { listDeviceComponentsExt, setDeviceComponents } from '#contract/http/devices/components.ts'
import { type DeviceDrivers, getDeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import { type DeviceSettingsView, getDeviceSettings } from '#contract/http/devices/setup.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { getFeedChain } from '#contract/http/insight/feedChain.ts'
import { categoryOfModel } from '#domain/components/componentFields.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import type { DeviceId } from '#domain/ids.ts'
import { ComponentsTab } from './ComponentsTab.tsx'

const [RELAY, UPS, DISPLAY, BUTTONS] = [4, 5, 7, 21]
const Tab = () => (
  <OpenDevice.Provider value={deviceOf({ modelId: 15 })}>
    <a href="/elsewhere">away</a>
    <ComponentsTab />
  </OpenDevice.Provider>
)
const { server, open } = screenTest({
  screens: { '/here': Tab, '/devices/$guid/device-components': Tab },
  at: '/here',
})
let kept: Readonly<Record<string, unknown>>[]

beforeEach(() => {
  server.answer(getFeedChain, { parts: [], uplink: [] })
  server.answer(getDeviceSettings, settings())
  kept = [fitted(1, DISPLAY, 1, { label: 'Front' }), fitted(2, DISPLAY, 2, { label: 'Back' }), fitted(3, UPS, 1)]
  server.answer(listDeviceComponentsExt, () => kept.map(withNames) as never)
  server.answer(setDeviceComponents, (request) => {
    const sent = Object.entries(request.values).filter(([key]) => /^\d+$/.test(key))
    kept = sent
      .map(([, component]) => component as (typeof kept)[number])
      .filter(({ removed }) => !removed)
      .map((component, index) => fitted(100 + index, Number(component.modelId), Number(component.number), component))
    return kept as never
  })
})

const settings = (changes: Partial<DeviceSettingsView> = {}): DeviceSettingsView => ({
  ...{ deviceId: 1 as DeviceId, version: 1, versionsUsedUpSince: null, timeZone: 'Europe/Prague', position: null },
  ...{
    knowsDayPlans: null,
    knowsBatteryTests: null,
    knowsDataBudgets: null,
    isOnline: true,
    sections: [],
    holidays: [],
  },
  ...changes,
})

function fitted(id: number, modelId: number, number: number, changes: Readonly<Record<string, unknown>> = {}) {
  const category = categoryOfModel(modelId)
  return {
    ...{ label: '', labelReset: '', labelPort1: '', labelPort2: '', optionPort1: '', optionPort2: '' },
    ...{ als: null, touchMatrix: null, touch_matrix: null, jsonSettings: null, removed: false, event_type_id: null },
    ...{ isExpected: false, unusedPorts: [] },
    ...changes,
    ...{ id, deviceId: 1, modelId, number, categoryId: category?.id, category: category?.name },
  }
}
const withNames = (component: Readonly<Record<string, unknown>>) => ({
  ...component,
  modelName: componentModelById(Number(component.modelId))?.name,
  maximumNumber: categoryOfModel(Number(component.modelId))?.maximumNumber,
  lastReport: null,
})

const card = async (name: string) => within(await screen.findByRole('listitem', { name }))
const names = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const sent = () =>
  server
    .requestsTo(setDeviceComponents)
    .map(({ values }) => Object.values(values) as { id: number; modelId: number; number: number; removed: boolean }[])

async function chooseIn(dialog: ReturnType<typeof within>, field: string, option: string) {
  await userEvent.click(dialog.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
async function add(model: string) {
  await press('Add new')
  const dialog = within(await screen.findByRole('dialog'))
  await chooseIn(dialog, 'Model', model)
  return dialog
}
const ok = (dialog: ReturnType<typeof within>) => userEvent.click(dialog.getByRole('button', { name: 'Ok' }))

test('a model is required, and only offered ones can be chosen', async () => {
  await open()
  await press('Add new')
  const dialog = within(await screen.findByRole('dialog'))
  await ok(dialog)
  dialog.getByText('Model is required')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Model' }))
  const offered = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(offered).toContain('Display ALT 1920')
  expect(offered).not.toContain('LiquidSensor')
})

test('the sensor and touch screen of a new display must be chosen, and None is a choice', async () => {
  await open()
  const dialog = await add('Display ALT 1920')
  await ok(dialog)
  dialog.getByText('Label is required')
  dialog.getByText('Ambient sensor is required')
  dialog.getByText('Touch screen is required')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Label' }), 'Third')
  await chooseIn(dialog, 'Ambient sensor', 'None')
  await chooseIn(dialog, 'Touch screen', '1 (not fitted)')
  await ok(dialog)
  await card('Display 3')
  expect(server.requestsTo(setDeviceComponents)).toEqual([])
})

test('nothing is kept until the save is confirmed; then the list is read again', async () => {
  await open()
  const dialog = await add('Network relay')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Label' }), 'Relay')
  await ok(dialog)
  await userEvent.click((await card('Display 2')).getByRole('button', { name: 'Remove Display 2' }))
  await press('Save')
  await screen.findByText(/\(1 added, 1 removed\)/)
  await press('No')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([])
  const readsBefore = server.requestsTo(listDeviceComponentsExt).length
  await press('Save')
  await press('Yes')
  await screen.findByText('The components are saved.')
  expect(sent()[0]?.map(({ id, modelId, removed }) => [id, modelId, removed])).toEqual([
    [1, DISPLAY, false],
    [2, DISPLAY, true],
    [3, UPS, false],
    [-1, RELAY, false],
  ])
  await waitFor(() => expect(server.requestsTo(listDeviceComponentsExt).length).toBe(readsBefore + 1))
  expect(names()).toEqual(['Display 1', 'UPS 1', 'Network relay 1'])
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('beyond the limit of a category nothing can be added', async () => {
  await open()
  const dialog = await add('UPS')
  const alert = within((await screen.findByText('Add component failed')).closest('[role="dialog"]') as HTMLElement)
  alert.getByText('Only one UPS component is allowed per device.')
  await userEvent.click(alert.getByRole('button', { name: 'Ok' }))
  // This category has no fields.
  await waitFor(() => expect(dialog.queryByRole('textbox', { name: 'Label' })).toBeNull())
  expect(dialog.getByRole('combobox', { name: /Model/ })).toHaveValue('')
})

test('a removed new component is gone, a removed saved one can be kept after all', async () => {
  await open()
  const dialog = await add('ECU')
  await ok(dialog)
  await userEvent.click((await card('ECU 1')).getByRole('button', { name: 'Remove ECU 1' }))
  expect(names()).toEqual(['Display 1', 'Display 2', 'UPS 1'])
  await userEvent.click((await card('UPS 1')).getByRole('button', { name: 'Remove UPS 1' }))
  await screen.findByText('Will be removed when you save')
  await press('Keep UPS 1')
  expect(screen.queryByText('Will be removed when you save')).toBeNull()
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test.each([
  ['2', 'Invalid component number', 'Component number 2 is already used in Display!'],
  ['4', 'Invalid component number', 'Component numbers must start with 1 and maximum number for Display is 3.'],
])('number %s for display 1 is refused before anything is sent', async (number, title, text) => {
  await open()
  const field = (await card('Display 1')).getByRole('textbox', { name: 'Number' })
  await userEvent.clear(field)
  await userEvent.type(field, number)
  await press('Save')
  await screen.findByText(title)
  await screen.findByText(text)
  expect(sent()).toEqual([])
})

test('one touch screen cannot belong to two displays', async () => {
  kept = [fitted(1, DISPLAY, 1, { label: 'A', touchMatrix: 1 }), fitted(2, DISPLAY, 2, { label: 'B' })]
  await open()
  await chooseIn(await card('Display 2'), 'Touch screen', '1 (not fitted)')
  await press('Save')
  await screen.findByText('Invalid display touch screen setting')
  await screen.findByText(
    'Touch screen 1 is set in display 1 and 2, one touch screen can be linked only to one display!',
  )
})

test('a button rule is set active, filled in and saved, and removed again', async () => {
  kept = [fitted(1, BUTTONS, 1)]
  await open()
  await press('Set active: button 2')
  const rule = within(await screen.findByRole('listitem', { name: 'Button 2' }))
  expect(rule.getByRole('combobox', { name: 'is' })).toHaveValue('> greater than')
  rule.getByText('Measurement is required')
  await chooseIn(rule, 'If measurement', 'Display 2: Backlight level (%)')
  await userEvent.type(rule.getByRole('textbox', { name: 'Logical name' }), 'Bright')
  await userEvent.clear(rule.getByRole('textbox', { name: 'then' }))
  await userEvent.type(rule.getByRole('textbox', { name: 'then' }), '1')
  await press('Save')
  await press('Yes')
  await screen.findByText('The components are saved.')
  const [component] = sent()[0] as unknown as { jsonSettings: unknown }[]
  expect(component?.jsonSettings).toEqual([
    expect.objectContaining({
      ...{
        number: 2,
        active: true,
        measurement: 4213,
        operator: 'GT',
        thenValue: 1,
        elseValue: 0,
        logicalName: 'Bright',
      },
    }),
  ])
  await press('Remove the rule of button 2')
  await screen.findByRole('button', { name: 'Set active: button 2' })
})

test('Cancel asks, and brings back what the server has', async () => {
  await open()
  await userEvent.click((await card('Display 2')).getByRole('button', { name: 'Remove Display 2' }))
  await press('Cancel')
  await screen.findByText('Discard all changes of the components?')
  await press('Yes')
  await waitFor(() => expect(screen.queryByText('Will be removed when you save')).toBeNull())
})

test('each of the three subjects has an address, and changes of one stay while another is shown', async () => {
  const { address } = await open(`/devices/${DEVICE_GUID}/device-components`)
  await userEvent.click((await card('Display 2')).getByRole('button', { name: 'Remove Display 2' }))
  const parts = within(screen.getByRole('navigation', { name: 'Parts of the components' }))
  const current = () => parts.getAllByRole('link', { current: true }).map(({ textContent }) => textContent)
  expect(current()).toEqual(['Components'])
  await userEvent.click(parts.getByRole('link', { name: 'Power wiring' }))
  await waitFor(() => expect(current()).toEqual(['Power wiring']))
  expect(address()).toMatch(/#power-wiring$/)
  expect(screen.getByText('Will be removed when you save')).not.toBeVisible()
  await userEvent.click(parts.getByRole('link', { name: 'Components' }))
  await waitFor(() => expect(screen.getByText('Will be removed when you save')).toBeVisible())
})

test('leaving with unsaved changes asks', async () => {
  const { follow, address } = await open()
  await userEvent.click((await card('Display 2')).getByRole('button', { name: 'Remove Display 2' }))
  follow('/elsewhere')
  await screen.findByText('There are unsaved changes. Leave without saving?')
  await press('No')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe('/here')
  follow('/elsewhere')
  await press('Yes')
  await screen.findByText('elsewhere')
})

test('what the server declines is told, and the changes stay', async () => {
  server.answer(setDeviceComponents, new Refusal('invalid_components', 'Display 1 label is required'))
  await open()
  await userEvent.click((await card('UPS 1')).getByRole('button', { name: 'Remove UPS 1' }))
  await press('Save')
  await press('Yes')
  await screen.findByText('Display 1 label is required')
  await screen.findByText('Will be removed when you save')
})

test('a device without components says so, and the list is accessible', async () => {
  const full = await open()
  await card('Display 1')
  expect(await axeFindings(full.container)).toEqual([])
  full.unmount()
  kept = []
  await open()
  await screen.findByText('This device has no components')
})

test('a device to which components do not get says so, and what ends it', async () => {
  server.answer(getDeviceSettings, settings({ versionsUsedUpSince: new Date().toISOString() }))
  await open()
  expect((await screen.findByText('This device ignores new settings.')).parentElement).toHaveTextContent(
    /renew its key/,
  )
})

test('what was found is led to the verdict of now: accepted, with a component where it has none, tested and wired', async () => {
  const none = (part: string) => ({ part, chosen: null, setBy: null, used: [], refusal: null })
  const found = {
    at: '2026-11-20T10:00:00.000Z',
    parts: [
      { part: 'display/3', driver: 'lg', options: { host: '10.0.0.5' }, words: 'An LG display answers.' },
      { part: 'display/2', driver: 'ddcutil', options: null, words: 'A display answers.' },
    ],
    seen: [{ kind: 'i2c' as const, name: 'i2c-4' }],
  }
  const client = { known: ['lg'], allowedNetworks: ['10.0.0.0/24'] }
  let parts: DeviceDrivers['parts'] = []
  server.answer(getDeviceDrivers, () => {
    const third = kept.some(({ modelId, number }) => modelId === DISPLAY && number === 3) && parts.length === 0
    if (third) parts = [none('display/3')]
    return { parts: [none('device'), none('ups'), none('display/2'), ...parts], client, found } as never
  })
  server.answer(setDeviceDriver, () => {
    parts = [{ ...none('display/3'), chosen: { driver: 'lg', options: { host: '10.0.0.5' }, secrets: [] } }]
    return { parts, client, found } as never
  })
  const verdict = { kind: 'unknown', finding: 'noReading', link: 'display', sentence: 'Nothing is known yet.' } as const
  const walk = { displayNumber: 1, displayName: 'Front', verdict: { ...verdict, action: null }, links: [] }
  server.answer(getDarkness, { at: found.at, walks: [walk] })
  const { container } = await open(`/devices/${DEVICE_GUID}/device-components#find-parts`)
  const row = await card('Display 3')
  row.getByText('An LG display answers.')
  expect(row.queryByRole('button', { name: /^Test/ })).toBeNull()
  await screen.findByText(/^Not found: UPS\./)
  screen.getByText('Also present, without an answer: i2c-4.')
  ;(await card('Display 2')).getByText(/Run sudo wayside-discover on the device/)
  await screen.findByRole('region', { name: '2. What feeds what' })
  within(await screen.findByRole('region', { name: '3. The verdict now' })).getByText('Now: Nothing is known yet.')
  expect(await axeFindings(container)).toEqual([])

  // The device has no third display, and nobody but the operator knows its model.
  expect(row.getByRole('button', { name: /^Accept/ })).toHaveProperty('disabled', true)
  await chooseIn(row, 'Model of Display 3', 'Display ALT 1920')
  await userEvent.click(row.getByRole('button', { name: /^Accept/ }))
  await row.findByText('Not applied by the device yet.')
  expect(sent()[0]?.[0]).toMatchObject({ modelId: DISPLAY, number: 3, label: 'Display 3', als: null })
  expect(server.requestsTo(setDeviceDriver).map(({ values }) => values)).toMatchObject([
    { part: 'display/3', driver: 'lg', options: { host: '10.0.0.5' } },
  ])
  server.answer(testDeviceDriver, 'An LG display answers: backlight 80 %.')
  await userEvent.click(row.getByRole('button', { name: /^Test/ }))
  await row.findByText(/backlight 80 %/)
})
