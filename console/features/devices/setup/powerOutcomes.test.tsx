import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import type { Call } from '#contract/call/call.ts'
import {
  powerSwitch1Reset,
  powerSwitch1TurnOff,
  powerSwitch2Reset,
  powerSwitch2TurnOff,
  resetNetworkRelay,
  resetRouterWithRelay,
  resetRouterWithRelayPort,
  router1Reset,
  router2Reset,
  setNetworkRelayOnOff,
  setRouterWithRelayOnOff,
  upsGroup1Reset,
  upsGroup2Reset,
  upsReboot,
  upsShutdown,
} from '#contract/http/devices/commands.ts'
import { componentOf, HEALTHY, panel, setupTest } from './testing/setupJourney.tsx'

/** These tests cover every power control when the device refuses, and when it does not answer in time. */

const SILENCE = /^The device has not answered within 10 seconds/

const setup = setupTest()

const openTotem = () => {
  setup.reports({ ...HEALTHY, ps_port1_status: 1, ps_port2_status: 1 })
  return setup.open('setup')
}
const openKiosk = (id = 1) => {
  setup.device = deviceOf({ id, modelId: 15 })
  setup.components([componentOf(5, 1), componentOf(18, 1, { label: 'Router' }), componentOf(4, 1, { label: 'Relay' })])
  setup.reports({ rt_relay_status: 0, r_port1_status: 1, r_port2_status: 1 })
  return setup.open('generic-setup')
}
const OPEN = {
  totem: openTotem,
  kiosk: openKiosk,
  'other kiosk': () => openKiosk(2),
}

const control = async (where: string, role: 'button' | 'switch', name: string) =>
  (await panel(where)).getByRole(role, { name })
const move = async (where: string, role: 'button' | 'switch', name: string) => {
  await setup.user.click(await control(where, role, name))
  await setup.user.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}
const toldAsFailure = async (words: string | RegExp) =>
  expect((await screen.findByText(words)).closest('[role=alert]')).not.toBeNull()
const sent = (call: Call) => setup.server.requestsTo(call).map(({ values }) => values)

test.each([
  ['totem', 'UPS', 'Reboot: UPS', upsReboot, {}],
  ['totem', 'UPS', 'Shutdown: UPS', upsShutdown, {}],
  ['totem', 'UPS', 'Reset group 1: UPS', upsGroup1Reset, {}],
  ['totem', 'UPS', 'Reset group 2: UPS', upsGroup2Reset, {}],
  ['totem', 'Network switches', 'Reset: Network switch 1', router1Reset, {}],
  ['totem', 'Network switches', 'Reset: Network switch 2', router2Reset, {}],
  ['totem', 'Power switches', 'Reset: Equipment LCD + PC', powerSwitch1Reset, {}],
  ['totem', 'Power switches', 'Reset: Beaglebone', powerSwitch2Reset, {}],
  ['other kiosk', 'UPS', 'Reboot: UPS', upsReboot, {}],
  ['kiosk', 'Routers with relay', 'Reset: Router', resetRouterWithRelay, { number: 1 }],
  ['kiosk', 'Routers with relay', 'Reset ports: Router', resetRouterWithRelayPort, { number: 1 }],
  ['kiosk', 'Relays', 'Reset: Port 1', resetNetworkRelay, { number: 1, port: 1 }],
  ['kiosk', 'Relays', 'Reset: Port 2', resetNetworkRelay, { number: 1, port: 2 }],
] as const)('%s, %s, %s: a refusal is told in the words of the device, silence as silence', async (...given) => {
  const [model, where, name, call, args] = given
  await OPEN[model]()
  setup.server.answer(call, new Refusal('device_refused', 'Stuck, says the device'))
  await move(where, 'button', name)
  await toldAsFailure('Stuck, says the device')
  await waitFor(async () => expect(await control(where, 'button', name)).toBeEnabled())
  setup.server.answer(call, new Refusal('device_silent'))
  await move(where, 'button', name)
  await toldAsFailure(SILENCE)
  expect(sent(call)).toEqual(Array(2).fill({ deviceId: setup.device.id, ...args }))
})

test.each([
  ['totem', 'Power switches', 'Equipment LCD + PC', powerSwitch1TurnOff, {}, { ps_port1_status: 0 }],
  ['totem', 'Power switches', 'Beaglebone', powerSwitch2TurnOff, {}, { ps_port2_status: 0 }],
  ['kiosk', 'Routers with relay', 'Router', setRouterWithRelayOnOff, { number: 1, on: false }, { rt_relay_status: 1 }],
  ['kiosk', 'Relays', 'Port 1', setNetworkRelayOnOff, { number: 1, port: 1, on: false }, { r_port1_status: 0 }],
  ['kiosk', 'Relays', 'Port 2', setNetworkRelayOnOff, { number: 1, port: 2, on: false }, { r_port2_status: 0 }],
] as const)(
  '%s, %s, toggle %s: stays after a refusal and after silence, and turns with the report that comes late',
  async (...given) => {
    const [model, where, name, call, args, reported] = given
    await OPEN[model]()
    const toggle = await control(where, 'switch', name)
    setup.server.answer(call, new Refusal('device_refused', 'Stuck, says the device'))
    await move(where, 'switch', name)
    await toldAsFailure('Stuck, says the device')
    expect(toggle).toBeChecked()
    await waitFor(() => expect(toggle).not.toHaveAttribute('aria-busy'))
    setup.server.answer(call, new Refusal('device_silent'))
    await move(where, 'switch', name)
    await toldAsFailure(SILENCE)
    expect(toggle).toBeChecked()
    expect(sent(call)).toEqual(Array(2).fill({ deviceId: 1, ...args }))
    await setup.reportsLive(reported)
    await waitFor(() => expect(toggle).not.toBeChecked())
  },
)
