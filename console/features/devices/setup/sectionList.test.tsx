import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DEVICE_GUID } from '#console/testing/deviceOf.ts'
import { panel, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()
const link = (name: RegExp) => screen.findByRole('link', { name })

test('an address opens its section, and the list says which one is shown', async () => {
  const { follow, address } = await setup.open('setup')
  await panel('Display settings')
  follow(`/devices/${DEVICE_GUID}/setup#battery-test`)
  await screen.findByRole('region', { name: 'Battery test' })
  expect(screen.queryByRole('region', { name: 'Display settings' })).toBeNull()
  expect(await link(/^Battery test/)).toHaveAttribute('aria-current', 'true')
  await panel('UPS')
  expect(address()).toMatch(/#ups$/)
})

test('an address of a control opens its section and marks it', async () => {
  const { follow } = await setup.open('setup')
  await panel('Display settings')
  follow(`/devices/${DEVICE_GUID}/setup#powerswitch-2`)
  const toggle = (await panel('Power switches')).getByRole('switch', { name: 'Beaglebone' })
  await waitFor(() => expect(toggle).toHaveFocus())
  expect(toggle).toHaveAttribute('data-marked')
})

test('the list says what is not set, what the device owes, and what is on', async () => {
  setup.settings([sectionOf({ section: 'turnOff', desired: { wdTimeOffFrom: '22:00' }, reason: 'waiting' })])
  await setup.open('setup')
  expect(await link(/^Turn display\(s\) off\s*waiting for the device$/)).toBeVisible()
  expect(await link(/^Brightness by time\s*not set$/)).toBeVisible()
  expect(await link(/^Battery test\s*never$/)).toBeVisible()
  expect(await link(/^UPS\s*97 %$/)).toBeVisible()
  expect(await link(/^Power switches\s*1 of 2 on$/)).toBeVisible()
})

test('changes of a section stay while another one is shown', async () => {
  await setup.open('setup')
  await setup.user.click((await panel('Display settings')).getByRole('switch', { name: 'Display on' }))
  await panel('UPS')
  expect(await link(/^Display settings\s*1 change$/)).toBeVisible()
  expect((await panel('Display settings')).getByRole('switch', { name: 'Display on' })).not.toBeChecked()
})

test('where the list has no room, a select opens the same sections', async () => {
  await setup.open('setup')
  await panel('Display settings')
  const select = screen.getByRole('combobox', { name: 'Section' })
  await setup.user.selectOptions(select, within(select).getByRole('option', { name: /^Data budget/ }))
  await panel('Data budget')
})
