import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Queued, Refusal } from '#console/testing/contractServer.ts'
import { applyDisplaySettings, getDeviceSettings } from '#contract/http/devices/setup.ts'
import { getDeviceState } from '#contract/http/devices/status.ts'
import { componentOf, HEALTHY, panel, secondsAgo, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()

const display = () => panel('Display settings')
const slider = async (name: string) => (await display()).getByRole('slider', { name })
const field = async (name: string) => (await display()).getByRole('textbox', { name })
const toggle = async (name: string) => (await display()).getByRole('switch', { name })
const apply = async () => setup.user.click((await display()).getByRole('button', { name: 'Apply' }))
const type = async (name: string, text: string) => {
  await setup.user.clear(await field(name))
  await setup.user.type(await field(name), text)
}

test('a form starts with what the device reports', async () => {
  await setup.open('setup')
  expect(await toggle('Display on')).toBeChecked()
  expect(await slider('Backlight level')).toHaveAttribute('aria-valuenow', '80')
  expect(await slider('Brightness (black level)')).toHaveAttribute('aria-valuenow', '45')
  expect(await slider('Gamma')).toHaveAttribute('aria-valuenow', '2.4')
  expect(await slider('Red colour balance')).toHaveAttribute('aria-valuenow', '51')
  expect(await slider('Green colour balance')).toHaveAttribute('aria-valuenow', '52')
  expect(await slider('Blue colour balance')).toHaveAttribute('aria-valuenow', '53')
  expect(await toggle('Touch screen')).toBeChecked()
  expect((await display()).getByText('Contrast').nextElementSibling).toHaveTextContent('62')
  expect((await display()).queryByText('default')).toBeNull()
})

test('a device that takes no settings before it has another key says so above them', async () => {
  setup.settings([], { versionsUsedUpSince: secondsAgo(60) })
  await setup.open('setup')
  expect(await screen.findByText('This device ignores new settings.')).toBeVisible()
})

test('what was never reported is filled with the defaults, marked as such, and says No status', async () => {
  setup.hasNeverReported()
  await setup.open('setup')
  expect(await slider('Backlight level')).toHaveAttribute('aria-valuenow', '50')
  expect(await slider('Gamma')).toHaveAttribute('aria-valuenow', '2.2')
  expect((await display()).getAllByText('default')).toHaveLength(6)
  expect((await display()).getByRole('checkbox', { name: 'Touch screen' })).toHaveAttribute('aria-checked', 'mixed')
  expect((await display()).getByText('Contrast').nextElementSibling).toHaveTextContent('–')
  await screen.findByText('No status')
})

test('on sets the backlight to 100 and off to 0, and the backlight turns the display on and off', async () => {
  await setup.open('setup')
  await setup.user.click(await toggle('Display on'))
  expect(await slider('Backlight level')).toHaveAttribute('aria-valuenow', '0')
  expect(await toggle('Display on')).not.toBeChecked()
  await setup.user.click(await toggle('Display on'))
  expect(await slider('Backlight level')).toHaveAttribute('aria-valuenow', '100')
  await type('Backlight level', '0')
  expect(await toggle('Display on')).not.toBeChecked()
  await type('Backlight level', '1')
  expect(await toggle('Display on')).toBeChecked()
})

test('switching off under automatic backlight advises to disable the sensor', async () => {
  await setup.open('setup')
  await setup.user.click(await toggle('Display on'))
  await screen.findByText('Automatic backlight is on. Disable the ambient sensor to keep the display off.')
})

test('switching on without automatic backlight advises to enable the sensor', async () => {
  setup.reports({ d_backlight_level: 0, d_backlight_automatic_status: 0 })
  await setup.open('setup')
  await setup.user.click(await toggle('Display on'))
  await screen.findByText(/^Automatic backlight is off\. Enable the ambient sensor/)
})

test('sliders move by keyboard, gamma in steps of 0.2', async () => {
  await setup.open('setup')
  ;(await slider('Gamma')).focus()
  await setup.user.keyboard('{ArrowLeft}')
  expect(await field('Gamma')).toHaveValue('2.2')
  await setup.user.keyboard('{End}{ArrowRight}')
  expect(await field('Gamma')).toHaveValue('2.6')
  await setup.user.keyboard('{Home}{ArrowLeft}')
  expect(await field('Gamma')).toHaveValue('1.8')
})

test('a typed number is brought to the nearest step within the range', async () => {
  await setup.open('setup')
  await type('Gamma', '2.29')
  await setup.user.tab()
  expect(await field('Gamma')).toHaveValue('2.2')
  await type('Gamma', '9')
  await setup.user.tab()
  expect(await field('Gamma')).toHaveValue('2.6')
  await type('Backlight level', '250')
  await setup.user.tab()
  expect(await field('Backlight level')).toHaveValue('100 %')
  await setup.user.clear(await field('Backlight level'))
  await setup.user.tab()
  expect(await field('Backlight level')).toHaveValue('100 %')
})

test('Apply sends what was changed and nothing else, and the status is read again', async () => {
  setup.server.answer(applyDisplaySettings, [])
  await setup.open('setup')
  await type('Blue colour balance', '70')
  await setup.user.click(await toggle('Touch screen'))
  const reads = setup.server.requestsTo(getDeviceState).length
  await apply()
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyDisplaySettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, displayNumber: 1, dBlueColorBalance: 70, dTouchScreenStatus: 'OFF', basedOn: null },
  ])
  await waitFor(() => expect(setup.server.requestsTo(getDeviceState)).toHaveLength(reads + 1))
})

test('what is changed while the device is thinking stays changed, and what it has taken is no change any more', async () => {
  const thinking = Promise.withResolvers<string[]>()
  setup.server.answer(applyDisplaySettings, () => thinking.promise)
  await setup.open('setup')
  await type('Blue colour balance', '70')
  await apply()
  await waitFor(() => expect(setup.server.requestsTo(applyDisplaySettings)).toHaveLength(1))
  await type('Gamma', '1.8')
  await setup.user.tab()
  setup.reports({ ...HEALTHY, d_blue_color_balance: 70 })
  thinking.resolve([])
  await screen.findByText('The device has applied the settings.')
  expect(await field('Gamma')).toHaveValue('1.8')
  await apply()
  await waitFor(() => expect(setup.server.requestsTo(applyDisplaySettings)).toHaveLength(2))
  expect(setup.server.requestsTo(applyDisplaySettings)[1]?.values).toEqual({
    deviceId: 1,
    displayNumber: 1,
    dGammaValue: 1.8,
    basedOn: null,
  })
})

test('with nothing changed there is nothing to apply or discard, and the count of changes says what is', async () => {
  await setup.open('setup')
  const button = async (name: string) => (await display()).getByRole('button', { name })
  expect(await button('Apply')).toBeDisabled()
  expect(await button('Discard')).toBeDisabled()
  await type('Backlight level', '33')
  await setup.user.tab()
  expect(await button('Apply')).toBeEnabled()
  ;(await display()).getByText('1 unsaved change')
  await type('Gamma', '1.8')
  await setup.user.tab()
  ;(await display()).getByText('2 unsaved changes')
  screen.getByRole('link', { name: /^Display settings\s*2 changes$/ })
  await type('Gamma', '2.4')
  await setup.user.tab()
  ;(await display()).getByText('1 unsaved change')
})

test('a backlight that the ambient light sets again is said before it is applied, and not called a success after', async () => {
  setup.server.answer(applyDisplaySettings, [])
  await setup.open('setup')
  const warning = /^Automatic backlight is on: the ambient light sets the backlight again within seconds/
  expect((await display()).getByText(warning)).toBeVisible()
  await type('Backlight level', '33')
  await apply()
  await screen.findByText(/Automatic backlight is on, so the ambient light sets the backlight again\.$/)
  expect(screen.queryByText('The device has applied the settings.')).toBeNull()
})

test('a backlight under a sensor that was switched off since is a plain success', async () => {
  setup.server.answer(applyDisplaySettings, [])
  const off = { backlightAutomaticStatus: false }
  setup.settings([sectionOf({ section: 'ambientSensor', desired: off, reported: off, reportedAt: secondsAgo(0) })])
  await setup.open('setup')
  await type('Backlight level', '33')
  await apply()
  await screen.findByText('The device has applied the settings.')
})

test('leaving with changes that were not applied asks once; No stays, Yes leaves them behind', async () => {
  const { address, follow } = await setup.open('setup')
  const leave = async (answer: 'Yes' | 'No') => {
    follow('/away')
    await screen.findByText('There are unsaved changes. Leave without saving?')
    await setup.user.click(screen.getByRole('button', { name: answer }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await type('Backlight level', '33')
  await setup.user.type((await panel('Turn display(s) off')).getByLabelText('Workdays: From'), '22:00')
  await leave('No')
  expect(address()).toContain('/setup')
  expect(await field('Backlight level')).toHaveValue('33 %')
  await leave('Yes')
  expect(address()).toBe('/away')
})

test('changes that were applied or discarded are no reason to ask', async () => {
  setup.server.answer(applyDisplaySettings, [])
  const { address, follow } = await setup.open('setup')
  await type('Backlight level', '33')
  await apply()
  await screen.findByText(/^The device has applied the settings\./)
  await setup.user.type((await panel('Turn display(s) off')).getByLabelText('Workdays: From'), '22:00')
  await setup.user.click((await panel('Turn display(s) off')).getByRole('button', { name: 'Discard' }))
  follow('/away')
  await waitFor(() => expect(address()).toBe('/away'))
})

test('an unknown touch screen is not touched', async () => {
  setup.server.answer(applyDisplaySettings, [])
  setup.reports({ d_backlight_level: 80 })
  await setup.open('setup')
  await type('Backlight level', '70')
  await apply()
  await waitFor(() => expect(setup.server.requestsTo(applyDisplaySettings)).toHaveLength(1))
  expect(setup.server.requestsTo(applyDisplaySettings)[0]?.values).not.toHaveProperty('dTouchScreenStatus')
})

test('each error of the device is an error toast, and what was asked for stays in the form', async () => {
  setup.server.answer(applyDisplaySettings, ['Gamma out of range', 'Display busy'])
  await setup.open('setup')
  await type('Backlight level', '33')
  await apply()
  const toasts = await screen.findAllByRole('alert')
  expect(toasts.map(({ textContent }) => textContent)).toEqual(['Gamma out of range', 'Display busy'])
  expect(await field('Backlight level')).toHaveValue('33 %')
})

test('for a device that is not connected the change waits, and both values are shown with the reason', async () => {
  const desired = { displayNumber: 1, backlightLevel: 33, brightness: 45, gammaValue: 2.4 }
  setup.server.answer(applyDisplaySettings, () => {
    const pending = { desired, desiredAt: secondsAgo(0), desiredBy: 'eva@example.com', reason: 'offline' as const }
    setup.settings([sectionOf({ section: 'display', ...pending })])
    return new Queued()
  })
  await setup.open('setup')
  await type('Backlight level', '33')
  await apply()
  await screen.findByText('Will be applied when the device reconnects')
  const note = await (await display()).findByRole('status')
  expect(note).toHaveTextContent('The device is offline. Will be applied when the device reconnects.')
  expect(note).toHaveTextContent('Backlight level33 %80 %')
  expect(note).not.toHaveTextContent('Gamma')
  expect(note).toHaveTextContent('Set by eva@example.com')
  expect((await display()).getByRole('button', { name: 'Discard' })).toBeDisabled()
  expect(await field('Backlight level')).toHaveValue('33 %')
})

test('what the device does not answer in time stays wanted and says so', async () => {
  setup.server.answer(applyDisplaySettings, () => {
    setup.settings([sectionOf({ section: 'display', desired: { backlightLevel: 33 }, reason: 'waiting' })])
    return ['The device has not answered within 10 seconds.']
  })
  await setup.open('setup')
  await type('Backlight level', '33')
  await apply()
  await screen.findByText('The device has not answered within 10 seconds.')
  expect(await (await display()).findByRole('status')).toHaveTextContent('Sent, and not answered by the device yet.')
})

test('a late answer settles what is shown without a reload', async () => {
  setup.settings([sectionOf({ section: 'display', desired: { backlightLevel: 33 }, reason: 'waiting' })])
  await setup.open('setup')
  await (await display()).findByRole('status')
  await setup.reportsLive({ d_backlight_level: 33 })
  setup.settings([sectionOf({ section: 'display', desired: { backlightLevel: 33 }, reported: { backlightLevel: 33 } })])
  setup.server.emit('commands', { deviceId: 1, commands: [], settingsVersion: 99 })
  await waitFor(async () => expect((await display()).queryByRole('status')).toBeNull())
})

test('a refusal stays on the page with the words of the device', async () => {
  const refusal = { at: secondsAgo(5), asked: { gammaValue: 2.6 }, errors: ['Panel too hot'] }
  setup.settings([sectionOf({ section: 'display', reason: 'refused', refusal })])
  await setup.open('setup')
  const note = await (await display()).findByRole('status')
  expect(note).toHaveTextContent('The device refused the last change.')
  expect(note).toHaveTextContent('“Panel too hot”')
  expect(note).toHaveTextContent('Gamma2.62.4')
})

test('a device that reports other values than were set says so; the backlight moves by itself', async () => {
  const set = { backlightLevel: 10, brightness: 45, gammaValue: 2.2 }
  setup.settings([sectionOf({ section: 'display', desired: set, reported: set, reportedAt: secondsAgo(60) })])
  await setup.open('setup')
  const note = await (await display()).findByRole('status')
  expect(note).toHaveTextContent('The device reports other values than were set.')
  expect(note).toHaveTextContent('Gamma2.22.4')
  expect(note).not.toHaveTextContent('Backlight')
})

test('what the device confirmed counts until it reports again', async () => {
  const set = { backlightLevel: 10, brightness: 45, gammaValue: 2.2 }
  setup.settings([sectionOf({ section: 'display', desired: set, reported: set, reportedAt: secondsAgo(0) })])
  await setup.open('setup')
  expect(await field('Gamma')).toHaveValue('2.2')
  expect((await display()).queryByRole('status')).toBeNull()
  await setup.reportsLive({ d_gamma_value: 2.6 }, new Date(Date.now() + 1000).toISOString())
  await waitFor(async () => expect(await field('Gamma')).toHaveValue('2.6'))
})

test('a report moves what nobody has changed, and leaves what somebody has', async () => {
  await setup.open('setup')
  await type('Backlight level', '33')
  await setup.reportsLive({ d_backlight_level: 90, d_brightness: 12 })
  await waitFor(async () => expect(await field('Brightness (black level)')).toHaveValue('12'))
  expect(await field('Backlight level')).toHaveValue('33 %')
  await setup.user.click((await display()).getByRole('button', { name: 'Discard' }))
  expect(await field('Backlight level')).toHaveValue('90 %')
})

test('a call that fails is told, and the form keeps what was changed', async () => {
  setup.server.answer(applyDisplaySettings, new Refusal('device_deactivated'))
  await setup.open('setup')
  await type('Backlight level', '33')
  await apply()
  await screen.findByText('The device is deactivated and takes no commands.')
  expect(await field('Backlight level')).toHaveValue('33 %')
})

test('each of several displays has a form of its own, and its call names it', async () => {
  setup.server.answer(applyDisplaySettings, [])
  setup.device = { ...setup.device, modelId: 15 as never }
  setup.components([componentOf(17, 1, { label: 'Front' }), componentOf(17, 2, { label: 'Back', touchMatrix: 1 })])
  setup.reports({ d_backlight_level: 80, d2_backlight_level: 60, d2_touch_matrix_status: 'off' })
  await setup.open('generic-setup')
  const form = await display()
  form.getByText('Front')
  expect(form.queryByRole('switch', { name: 'Touch screen' })).toBeNull()
  await type('Backlight level', '81')
  await setup.user.click(form.getByRole('radio', { name: 'Display 2' }))
  form.getByText('Back')
  expect(await field('Backlight level')).toHaveValue('60 %')
  expect(form.getByRole('switch', { name: 'Touch screen' })).not.toBeChecked()
  await type('Backlight level', '61')
  await apply()
  await waitFor(() => expect(setup.server.requestsTo(applyDisplaySettings)).toHaveLength(1))
  expect(setup.server.requestsTo(applyDisplaySettings)[0]?.values).toMatchObject({
    displayNumber: 2,
    dBacklightLevel: 61,
  })
  await setup.user.click(form.getByRole('radio', { name: 'Display 1' }))
  expect(await field('Backlight level')).toHaveValue('81 %')
})

test('the same change goes to the other displays that are chosen, by what each was set to before', async () => {
  setup.device = { ...setup.device, modelId: 15 as never }
  setup.components([componentOf(17, 1), componentOf(17, 2), componentOf(17, 3)])
  setup.reports({ d_backlight_level: 80, d2_backlight_level: 60, d3_backlight_level: 60 })
  const desiredAt = secondsAgo(500)
  setup.settings([sectionOf({ section: 'display', number: 3, desired: { backlightLevel: 60 }, desiredAt })])
  setup.server.answer(applyDisplaySettings, ({ values }) => (values.displayNumber === 3 ? ['Panel too hot'] : []))
  await setup.open('generic-setup')
  expect((await display()).queryByRole('group', { name: 'Apply also to' })).toBeNull()
  await type('Backlight level', '81')
  await setup.user.tab()
  await setup.user.click((await display()).getByRole('button', { name: 'Display 3' }))
  await setup.user.click((await display()).getByRole('button', { name: 'Display 2' }))
  await apply()
  await screen.findByText('Display 3: Panel too hot')
  const sent = setup.server.requestsTo(applyDisplaySettings).map(({ values }) => values)
  expect(sent[0]).toMatchObject({ displayNumber: 1, dBacklightLevel: 81, basedOn: null })
  expect(sent.slice(1)).toEqual([
    { deviceId: 1, displayNumber: 2, dBacklightLevel: 81, basedOn: null },
    { deviceId: 1, displayNumber: 3, dBacklightLevel: 81, basedOn: desiredAt },
  ])
  expect(screen.queryByText('The device has applied the settings.')).toBeNull()
})

test('settings that cannot be read are said so, with a way to try again', async () => {
  setup.server.answer(getDeviceSettings, new Refusal('internal_error'))
  await setup.open('setup')
  await screen.findByText('Something went wrong on the server.')
  setup.settings()
  await setup.user.click(screen.getByRole('button', { name: 'Try again' }))
  await display()
})
