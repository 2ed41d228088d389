import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { componentOf, HEALTHY, panel, sectionOf, setupTest, weekAhead } from './testing/setupJourney.tsx'

const setup = setupTest()

const ALWAYS = [{ from: '00:00', backlightPercent: 40 }]
const PLAN = { workdays: ALWAYS, weekends: ALWAYS, holidays: ALWAYS }
const NIGHTS = {
  ...{ wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00', wkndTimeOffFrom: '22:00', wkndTimeOffTo: '06:00' },
}
const fact = (name: string) =>
  within(screen.getByRole('region', { name: 'Right now' })).getByText(name).nextElementSibling

test('one picture shows what off times, plan and ambient light come to, in the zone of the device', async () => {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(new Date())
  setup.settings(
    [sectionOf({ section: 'turnOff', desired: NIGHTS }), sectionOf({ section: 'dayPlan', desired: PLAN })],
    { timeZone: 'Pacific/Auckland', holidays: [{ date, name: 'Feast' }] },
  )
  await setup.open('setup')
  const picture = await weekAhead()
  expect(picture).toHaveAccessibleName(/^The next seven days, in Pacific\/Auckland\. .* Feast: /)
  expect(picture).toHaveAccessibleName(/: 00:00 off times · 06:00 40 % · 22:00 off times\./)
  screen.getByText(/^Off times take priority, then the plan, then ambient light, then the manual level\.$/)
})

test('a change shows in the picture before it is applied, and the picture says so', async () => {
  await setup.open('setup')
  expect(await weekAhead()).toHaveAccessibleName(/: ambient light\./)
  const off = await panel('Turn display(s) off')
  fireEvent.change(off.getByLabelText('Workdays: From'), { target: { value: '12:00' } })
  expect(screen.queryByText('With your unsaved changes.')).toBeVisible()
  expect(await weekAhead()).not.toHaveAccessibleName(/off times/)
  fireEvent.change(off.getByLabelText('Workdays: To'), { target: { value: '13:00' } })
  expect(await weekAhead()).toHaveAccessibleName(/: 00:00 ambient light · 12:00 off times · 13:00 ambient light\./)
})

test('what holds now says by which rule, beside source and power', async () => {
  setup.reports({ ...HEALTHY, d_source: 'HDMI-1', d_out_of_order_status: 'HDMI-1' })
  const { unmount } = await setup.open('setup')
  await weekAhead()
  expect(fact('Backlight')).toHaveTextContent('80 % by ambient light (1,000 lux)')
  expect(fact('Source')).toHaveTextContent('HDMI-1, Content running')
  expect(fact('Power')).toHaveTextContent('On power grid, UPS 97 %')
  unmount()
  setup.settings([sectionOf({ section: 'dayPlan', desired: PLAN })])
  await setup.open('setup')
  await weekAhead()
  expect(fact('Backlight')).toHaveTextContent(/^80 % by the plan/)
})

test('the level of the shown display counts where nothing else decides, and off by hand stays dark', async () => {
  setup.device = deviceOf({ modelId: 15 })
  setup.components([componentOf(17, 1), componentOf(17, 2)])
  setup.reports({ d_backlight_level: 80, d2_backlight_level: 0 })
  await setup.open('generic-setup')
  expect(await weekAhead()).toHaveAccessibleName(/: 80 %\./)
  await setup.user.click((await panel('Display settings')).getByRole('radio', { name: 'Display 2' }))
  expect(await weekAhead()).toHaveAccessibleName(/: dark\./)
  expect(fact('Backlight')).toHaveTextContent('0 % set by hand')
})

test('a device without displays has no picture of them', async () => {
  setup.device = deviceOf({ modelId: 22 })
  setup.components([componentOf(5, 1)])
  await setup.open('generic-setup')
  await screen.findByRole('region', { name: 'Right now' })
  expect(screen.queryByRole('region', { name: 'What the display will do' })).toBeNull()
})
