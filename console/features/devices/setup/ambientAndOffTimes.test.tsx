import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Queued } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { applyAmbientSensorSettings, applyTurnDisplayOffSettings } from '#contract/http/devices/setup.ts'
import { componentOf, HEALTHY, panel, secondsAgo, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()

const ambient = () => panel('Ambient light sensor')
const off = () => panel('Turn display(s) off')
const field = async (name: string) => (await ambient()).getByRole('textbox', { name })
const type = async (name: string, text: string) => {
  await setup.user.clear(await field(name))
  await setup.user.type(await field(name), text)
  await setup.user.tab()
}
const time = async (label: string) => (await off()).getByLabelText<HTMLInputElement>(label)
const setTime = async (label: string, value: string) => fireEvent.change(await time(label), { target: { value } })
const apply = async (form: Awaited<ReturnType<typeof panel>>) =>
  setup.user.click(form.getByRole('button', { name: 'Apply' }))

test('the sensor form starts with what the device reports', async () => {
  await setup.open('setup')
  expect((await ambient()).getByRole('switch', { name: 'Automatic backlight' })).toBeChecked()
  expect(await field('Minimum backlight')).toHaveValue('20 %')
  expect(await field('Maximum backlight')).toHaveValue('90 %')
  expect(await field('Minimum ambient light')).toHaveValue('100 lux')
  expect(await field('Maximum ambient light')).toHaveValue('20,000 lux')
})

test('what was never reported is filled with the defaults, marked as such', async () => {
  setup.hasNeverReported()
  await setup.open('setup')
  expect(await field('Minimum backlight')).toHaveValue('50 %')
  expect(await field('Maximum backlight')).toHaveValue('100 %')
  expect(await field('Minimum ambient light')).toHaveValue('0 lux')
  expect(await field('Maximum ambient light')).toHaveValue('10,000 lux')
  expect((await ambient()).getByRole('switch', { name: 'Automatic backlight' })).toBeChecked()
  expect((await ambient()).getAllByText('default')).toHaveLength(3)
})

test('a typed minimum cannot exceed its maximum', async () => {
  await setup.open('setup')
  await type('Minimum backlight', '95')
  expect(await field('Minimum backlight')).toHaveValue('90 %')
  await type('Maximum backlight', '10')
  expect(await field('Maximum backlight')).toHaveValue('90 %')
  await type('Maximum ambient light', '200000')
  expect(await field('Maximum ambient light')).toHaveValue('100,000 lux')
})

test('a stepped minimum stops at its maximum', async () => {
  await setup.open('setup')
  await type('Maximum ambient light', '200')
  ;(await ambient()).getByRole('slider', { name: 'Minimum ambient light' }).focus()
  await setup.user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(await field('Minimum ambient light')).toHaveValue('200 lux')
  expect(await field('Maximum ambient light')).toHaveValue('200 lux')
})

test('arrow keys go from step to step of the lux scale', async () => {
  await setup.open('setup')
  const maximum = (await ambient()).getByRole('slider', { name: 'Maximum ambient light' })
  expect(maximum).toHaveAttribute('aria-valuetext', '20,000 lux')
  maximum.focus()
  await setup.user.keyboard('{ArrowRight}')
  expect(await field('Maximum ambient light')).toHaveValue('30,000 lux')
})

test('a typed value between two steps stays while the other end is moved', async () => {
  await setup.open('setup')
  await type('Minimum ambient light', '123')
  ;(await ambient()).getByRole('slider', { name: 'Maximum ambient light' }).focus()
  await setup.user.keyboard('{ArrowLeft}')
  expect(await field('Minimum ambient light')).toHaveValue('123 lux')
  expect(await field('Maximum ambient light')).toHaveValue('10,000 lux')
})

test('Apply sends the sensor form', async () => {
  setup.server.answer(applyAmbientSensorSettings, [])
  await setup.open('setup')
  await setup.user.click((await ambient()).getByRole('switch', { name: 'Automatic backlight' }))
  await type('Maximum ambient light', '12345')
  await apply(await ambient())
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyAmbientSensorSettings).map(({ values }) => values)).toEqual([
    {
      deviceId: 1,
      number: 1,
      dBacklightAutomaticStatus: false,
      dMinBacklight: 20,
      dMaxBacklight: 90,
      dMinAmbientLight: 100,
      dMaxAmbientLight: 12_345,
      basedOn: null,
    },
  ])
})

test('each sensor has a form of its own, and its call names it', async () => {
  setup.server.answer(applyAmbientSensorSettings, ['No such sensor'])
  setup.device = deviceOf({ modelId: 15 })
  setup.components([componentOf(17, 1), componentOf(8, 1), componentOf(8, 2)])
  await setup.open('generic-setup')
  await setup.user.click((await ambient()).getByRole('radio', { name: 'Sensor 2' }))
  await type('Maximum backlight', '95')
  await apply(await ambient())
  await screen.findByText('No such sensor')
  expect(setup.server.requestsTo(applyAmbientSensorSettings)[0]?.values).toMatchObject({ number: 2, dMinBacklight: 50 })
})

test('the curve says what today is, what it will be, and what the light is now', async () => {
  await setup.open('setup')
  const curve = () => screen.getByRole('img', { name: /^Backlight from/ })
  await ambient()
  expect(curve()).toHaveAccessibleName(/^Backlight from 20 % at 100 lux to 90 % at 20,000 lux\. Now 1,000 lux: 23 %\.$/)
  await type('Minimum backlight', '40')
  expect(curve()).toHaveAccessibleName(
    'Backlight from 40 % at 100 lux to 90 % at 20,000 lux. Today from 20 % at 100 lux to 90 % at 20,000 lux. Now 1,000 lux: 23 % → 42 %.',
  )
  await setup.reportsLive({ ...HEALTHY, d_ambient_light: 20_000 })
  await waitFor(() => expect(curve()).toHaveAccessibleName(/Now 20,000 lux: 90 %\.$/))
})

test('turn-off times start with what the device is to have, and Clear empties one group', async () => {
  setup.settings([sectionOf({ section: 'turnOff', desired: { wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' } })])
  await setup.open('setup')
  expect((await time('Workdays: From')).value).toBe('22:00')
  expect((await time('Workdays: To')).value).toBe('06:00')
  expect((await time('Weekends: From')).value).toBe('')
  await setTime('Weekends: From', '21:00')
  await setup.user.click((await off()).getByRole('button', { name: 'Clear Workdays' }))
  expect((await time('Workdays: From')).value).toBe('')
  expect((await time('Workdays: To')).value).toBe('')
  expect((await time('Weekends: From')).value).toBe('21:00')
})

test('one time of a group alone is not sent', async () => {
  setup.server.answer(applyTurnDisplayOffSettings, [])
  await setup.open('setup')
  await setTime('Holidays: From', '22:00')
  await apply(await off())
  ;(await off()).getByText('To is required')
  expect(setup.server.requestsTo(applyTurnDisplayOffSettings)).toEqual([])
  await setTime('Holidays: To', '05:30')
  await apply(await off())
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyTurnDisplayOffSettings).map(({ values }) => values)).toEqual([
    {
      deviceId: 1,
      wdTimeOffFrom: null,
      wdTimeOffTo: null,
      wkndTimeOffFrom: null,
      wkndTimeOffTo: null,
      holTimeOffFrom: '22:00',
      holTimeOffTo: '05:30',
      basedOn: null,
    },
  ])
})

test('times are typed on a clock of 24 hours, and what is no time is not sent', async () => {
  setup.server.answer(applyTurnDisplayOffSettings, [])
  await setup.open('setup')
  const from = await time('Workdays: From')
  const to = await time('Workdays: To')
  expect(from.type).toBe('text')
  await setup.user.type(from, '2230')
  await setup.user.type(to, '25:00')
  expect(from.value).toBe('22:30')
  await apply(await off())
  await (await off()).findByText('A time from 00:00 to 23:59')
  expect(setup.server.requestsTo(applyTurnDisplayOffSettings)).toEqual([])
  await setup.user.clear(to)
  await setup.user.type(to, '6{Enter}')
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyTurnDisplayOffSettings)[0]?.values).toMatchObject({
    ...{ wdTimeOffFrom: '22:30', wdTimeOffTo: '06:00' },
  })
})

test('equal times are told as dark 24 h', async () => {
  await setup.open('setup')
  await setTime('Workdays: From', '22:00')
  expect((await off()).queryByText(/^Dark 24 h/)).toBeNull()
  await setTime('Workdays: To', '22:00')
  ;(await off()).getByText('Dark 24 h: from 22:00 until 22:00 the next day.')
})

test('off times of a device that is not connected wait, beside those it has', async () => {
  setup.server.answer(applyTurnDisplayOffSettings, () => {
    setup.settings([
      sectionOf({
        section: 'turnOff',
        desired: { wdTimeOffFrom: '23:00', wdTimeOffTo: '05:00' },
        reported: { wdTimeOffFrom: '22:00', wdTimeOffTo: '05:00' },
        reportedAt: secondsAgo(1000),
        reason: 'offline',
      }),
    ])
    return new Queued()
  })
  await setup.open('setup')
  await setTime('Workdays: From', '23:00')
  await setTime('Workdays: To', '05:00')
  await apply(await off())
  await screen.findByText('Will be applied when the device reconnects')
  const note = await (await off()).findByRole('status')
  expect(note).toHaveTextContent('Workdays from23:0022:00')
  expect(note).not.toHaveTextContent('Workdays to')
})

test('the setup of model 1 is accessible', async () => {
  setup.settings([sectionOf({ section: 'display', desired: { gammaValue: 2 }, reason: 'offline' })])
  const { container } = await setup.open('setup')
  await panel('Display settings')
  expect(await axeFindings(container)).toEqual([])
  await off()
  expect(await axeFindings(container)).toEqual([])
})
