import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import type { Call } from '#contract/call/call.ts'
import {
  type CommandState,
  listDeviceCommands,
  POWER_CALLS,
  powerSwitch1Reset,
  powerSwitch1TurnOff,
  powerSwitch1TurnOn,
  powerSwitch2Reset,
  powerSwitch2TurnOff,
  powerSwitch2TurnOn,
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
import { getFeedChain } from '#contract/http/insight/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'
import { componentOf, HEALTHY, panel, secondsAgo, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()
beforeEach(() => {
  for (const call of POWER_CALLS) setup.server.answer(call, 'Done, says the device')
})

const KIOSK = [
  componentOf(5, 1),
  componentOf(14, 2, { label: 'Cellar switch', labelReset: 'Restart' }),
  componentOf(18, 1, { label: 'Street router', labelReset: 'Restart', labelPort1: 'Camera', labelPort2: 'Modem' }),
  componentOf(18, 2, { label: 'Second router' }),
  componentOf(4, 1, {
    label: 'Lights',
    labelReset: 'Blink',
    labelPort1: 'Left light',
    labelPort2: 'Right light',
    optionPort1: 'FULL',
    optionPort2: 'RESET',
  }),
  componentOf(4, 2, { label: 'Heating' }),
]
const openKiosk = () => {
  setup.device = deviceOf({ modelId: 22 })
  setup.components(KIOSK)
  setup.reports({ rt_relay_status: 0, rt2_relay_status: 1, rt_port1_status: 1, r_port1_status: 0, r2_port2_status: 1 })
  return setup.open('generic-setup')
}
const click = async (where: string, role: 'button' | 'switch', name: string) => {
  await setup.user.click((await panel(where)).getByRole(role, { name }))
}
const answer = async (word: 'Yes' | 'No') => {
  await setup.user.click(await screen.findByRole('button', { name: word }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}
const sent = (call: Call) => setup.server.requestsTo(call).map(({ method, values }) => ({ method, ...values }))

test.each([
  ['UPS', 'Reboot: UPS', upsReboot, /Reboot the UPS of "Praha 0001"\?/],
  ['UPS', 'Shutdown: UPS', upsShutdown, /a visit may be needed/],
  ['UPS', 'Reset group 1: UPS', upsGroup1Reset, /group 1 of the UPS/],
  ['UPS', 'Reset group 2: UPS', upsGroup2Reset, /group 2/],
  ['Network switches', 'Reset: Network switch 1', router1Reset, /network switch 1/],
  ['Network switches', 'Reset: Network switch 2', router2Reset, /network switch 2/],
  ['Power switches', 'Reset: Equipment LCD + PC', powerSwitch1Reset, /Equipment LCD \+ PC/],
  ['Power switches', 'Reset: Beaglebone', powerSwitch2Reset, /Beaglebone/],
] as const)('model 1, %s, %s: asked first, sent by POST, its text told', async (where, name, call, question) => {
  await setup.open('setup')
  await click(where, 'button', name)
  expect(await screen.findByRole('dialog')).toHaveTextContent(question)
  expect(screen.getByRole('dialog')).toHaveTextContent('Praha 0001')
  await answer('No')
  expect(sent(call)).toEqual([])
  await click(where, 'button', name)
  await answer('Yes')
  await screen.findByText('Done, says the device')
  expect(sent(call)).toEqual([{ method: 'POST', deviceId: 1 }])
})

test.each([
  ['Equipment LCD + PC', 1, powerSwitch1TurnOff, { ps_port1_status: 0 }, false],
  ['Equipment LCD + PC', 0, powerSwitch1TurnOn, { ps_port1_status: 1 }, true],
  ['Beaglebone', 1, powerSwitch2TurnOff, { ps_port2_status: 0 }, false],
  ['Beaglebone', 0, powerSwitch2TurnOn, { ps_port2_status: 1 }, true],
] as const)(
  'power switch %s from %s turns only after the report of the device',
  async (name, before, call, reported, isOn) => {
    setup.reports({ ...HEALTHY, ps_port1_status: before, ps_port2_status: before })
    await setup.open('setup')
    const toggle = (await panel('Power switches')).getByRole('switch', { name })
    await setup.user.click(toggle)
    await answer('Yes')
    await screen.findByText('Done, says the device')
    expect(sent(call)).toEqual([{ method: 'POST', deviceId: 1 }])
    expect(toggle).toHaveAttribute('aria-checked', String(!isOn))
    expect(toggle).toHaveAttribute('aria-busy', 'true')
    await setup.reportsLive(reported)
    await waitFor(() => expect(toggle).toHaveAttribute('aria-checked', String(isOn)))
    expect(toggle).not.toHaveAttribute('aria-busy')
  },
)

test.each([
  [
    'Beaglebone',
    /^Power switch 2 feeds the Beaglebone, which alone can switch it back on: after Off you cannot reach this device\.\s+Turn off "Beaglebone" \(power switch 2\) of "Praha 0001"\?$/,
  ],
  ['Equipment LCD + PC', /^Power switch 1 feeds the PC and "Display": down until you turn it on again/],
] as const)('before %s is turned off, the question says what follows', async (name, consequence) => {
  setup.reports({ ...HEALTHY, ps_port2_status: 1 })
  await setup.open('setup')
  await click('Power switches', 'switch', name)
  const dialog = await screen.findByRole('dialog')
  expect(dialog.querySelector('.dialog-text')?.textContent).toMatch(consequence)
  await answer('No')
})

test('where the device is wired differently, the question follows from that', async () => {
  setup.reports({ ...HEALTHY, ps_port1_status: 1 })
  setup.feeds({ computer: 'powerSwitch/1' })
  await setup.open('setup')
  await click('Power switches', 'switch', 'Equipment LCD + PC')
  expect(await screen.findByRole('dialog')).toHaveTextContent(
    'Power switch 1 feeds the Beaglebone, which alone can switch it back on: after Off you cannot reach this device. Down with it: the PC and "Display".',
  )
  await answer('No')
})

test('as long as the wiring is not read, nothing is claimed', async () => {
  setup.server.answer(getFeedChain, new Refusal('internal_error'))
  await setup.open('setup')
  await click('Power switches', 'switch', 'Equipment LCD + PC')
  expect(await screen.findByRole('dialog')).toHaveTextContent(
    'What this feeds is not known here. It loses power and stays off',
  )
  await answer('No')
})

test('of a kiosk the consequences follow from its components', async () => {
  await openKiosk()
  await click('Routers with relay', 'switch', 'Street router')
  expect(await screen.findByRole('dialog')).toHaveTextContent(
    'Street router is the only way to this device: after Off you cannot reach this device.',
  )
  await answer('No')
})

test('a declined toggle stays where it was, and nothing is sent', async () => {
  await setup.open('setup')
  const toggle = (await panel('Power switches')).getByRole('switch', { name: 'Equipment LCD + PC' })
  await setup.user.click(toggle)
  await answer('No')
  expect(toggle).toBeChecked()
  expect(toggle).not.toHaveAttribute('aria-busy')
  expect(sent(powerSwitch1TurnOff)).toEqual([])
})

test.each([
  ['device_refused', 'Relay stuck'],
  ['device_offline', 'The device is offline. Nothing was sent.'],
  ['too_many_commands', 'Too many commands. Please wait a moment.'],
] as const)('a toggle that fails with %s stays where it was, and the words are told', async (code, words) => {
  setup.server.answer(powerSwitch1TurnOff, new Refusal(code, ...(code === 'device_refused' ? ['Relay stuck'] : [])))
  await setup.open('setup')
  const toggle = (await panel('Power switches')).getByRole('switch', { name: 'Equipment LCD + PC' })
  await setup.user.click(toggle)
  await answer('Yes')
  expect((await screen.findByText(words)).closest('[role=alert]')).not.toBeNull()
  expect(toggle).toBeChecked()
  await waitFor(() => expect(toggle).not.toHaveAttribute('aria-busy'))
})

test.each([
  ['device_silent', /^The device has not answered within 10 seconds/],
  ['command_outcome_unknown', 'The command was sent. Its outcome is unknown: see Commands.'],
] as const)('after %s nothing is assigned once more until the outcome is known', async (code, words) => {
  takeClock()
  const command = {
    id: '00000000-0000-4000-8000-0000000000c1',
    deviceId: 1 as DeviceId,
    name: 'ups.reboot',
    args: {},
    username: 'somebody',
    state: 'sent' as CommandState,
    acceptedAt: secondsAgo(1),
    sentAt: secondsAgo(1),
    endedAt: null,
    expiresAt: secondsAgo(-59),
    text: '',
    errors: [],
  }
  const rows = () => (sent(upsReboot).length === 0 ? [] : [{ ...command }])
  setup.server.answer(listDeviceCommands, () => ({ rows: rows(), next: null }))
  setup.server.answer(upsReboot, new Refusal(code))
  await setup.open('setup')
  await click('UPS', 'button', 'Reboot: UPS')
  await answer('Yes')
  await screen.findByText(words)
  const button = (await panel('UPS')).getByRole('button', { name: 'Reboot: UPS' })
  await waitFor(() => expect(button).toBeDisabled())
  expect((await panel('UPS')).getByRole('button', { name: 'Shutdown: UPS' })).toBeEnabled()
  await passTimeUntil(() => expect(setup.server.requestsTo(listDeviceCommands).length).toBeGreaterThan(2))
  expect(button).toBeDisabled()
  command.state = 'done'
  await passTimeUntil(() => expect(button).toBeEnabled())
  expect(sent(upsReboot)).toHaveLength(1)
})

test('while a device thinks, its toggle waits and cannot be turned again', async () => {
  let finish = (_: string) => {}
  setup.server.answer(powerSwitch1TurnOff, () => new Promise<string>((resolve) => (finish = resolve)))
  await setup.open('setup')
  const toggle = (await panel('Power switches')).getByRole('switch', { name: 'Equipment LCD + PC' })
  await setup.user.click(toggle)
  await answer('Yes')
  await waitFor(() => expect(toggle).toHaveAttribute('aria-busy', 'true'))
  await setup.user.click(toggle)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(toggle).toBeChecked()
  finish('Late, but done')
  await screen.findByText('Late, but done')
})

test('a switch whose state nobody knows offers both', async () => {
  setup.hasNeverReported()
  await setup.open('setup')
  const group = within((await panel('Power switches')).getByRole('group', { name: 'Beaglebone' }))
  group.getByText('State unknown')
  await setup.user.click(group.getByRole('button', { name: 'Turn off: Beaglebone' }))
  await answer('Yes')
  await waitFor(() => expect(sent(powerSwitch2TurnOff)).toHaveLength(1))
})

test('sections appear for the components that the device has', async () => {
  await openKiosk()
  await panel('UPS')
  const list = within(screen.getByRole('navigation', { name: 'Sections of the setup' }))
  expect(list.getAllByRole('link').map(({ children }) => children[1]?.textContent)).toEqual([
    ...['Battery test', 'Data budget', 'UPS', 'Network switches', 'Routers with relay', 'Relays'],
  ])
  expect(list.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Settings', 'Power'])
})

test('a device without components says so', async () => {
  setup.device = deviceOf({ modelId: 8 })
  setup.components([])
  await setup.open('generic-setup')
  await screen.findByText('Nothing to set up')
})

test('network switches by their components keep number and labels', async () => {
  await openKiosk()
  await click('Network switches', 'button', 'Restart: Cellar switch')
  await answer('Yes')
  await waitFor(() => expect(sent(router2Reset)).toEqual([{ method: 'POST', deviceId: 1 }]))
})

test('a router is on at 0, and is switched, reset and has its ports reset by its number', async () => {
  await openKiosk()
  const routers = await panel('Routers with relay')
  const second = routers.getByRole('switch', { name: 'Second router' })
  expect(routers.getByRole('switch', { name: 'Street router' })).toBeChecked()
  expect(second).not.toBeChecked()
  expect(routers.getByText('Camera').nextElementSibling).toHaveTextContent('On')
  expect(routers.getByText('Modem').nextElementSibling).toHaveTextContent('–')
  await setup.user.click(second)
  await answer('Yes')
  await waitFor(() =>
    expect(sent(setRouterWithRelayOnOff)).toEqual([{ method: 'POST', deviceId: 1, number: 2, on: true }]),
  )
  await setup.reportsLive({ rt2_relay_status: 0 })
  await waitFor(() => expect(second).toBeChecked())
  await click('Routers with relay', 'button', 'Restart: Street router')
  await answer('Yes')
  await waitFor(() => expect(sent(resetRouterWithRelay)).toEqual([{ method: 'POST', deviceId: 1, number: 1 }]))
  await click('Routers with relay', 'button', 'Reset ports: Street router')
  await answer('Yes')
  await waitFor(() => expect(sent(resetRouterWithRelayPort)).toEqual([{ method: 'POST', deviceId: 1, number: 1 }]))
})

test('a FULL port is switched and reset, a RESET port only reset', async () => {
  await openKiosk()
  const lights = within((await panel('Relays')).getByRole('group', { name: 'Lights' }))
  expect(lights.queryByRole('switch', { name: 'Right light' })).toBeNull()
  const left = lights.getByRole('switch', { name: 'Left light' })
  expect(left).not.toBeChecked()
  await setup.user.click(left)
  await answer('Yes')
  await waitFor(() =>
    expect(sent(setNetworkRelayOnOff)).toEqual([{ method: 'POST', deviceId: 1, number: 1, port: 1, on: true }]),
  )
  await setup.user.click(lights.getByRole('button', { name: 'Blink: Right light' }))
  await answer('Yes')
  await waitFor(() => expect(sent(resetNetworkRelay)).toEqual([{ method: 'POST', deviceId: 1, number: 1, port: 2 }]))
})

test('a port that nobody restricted may do both', async () => {
  await openKiosk()
  const heating = within((await panel('Relays')).getByRole('group', { name: 'Heating' }))
  expect(heating.getByRole('switch', { name: 'Port 2' })).toBeChecked()
  heating.getByRole('button', { name: 'Reset: Port 2' })
})

test('the wrong variant leads to the right one', async () => {
  const first = await setup.open('generic-setup')
  await panel('Power switches')
  expect(first.address()).toMatch(/\/setup(#|$)/)
  first.unmount()
  setup.device = deviceOf({ modelId: 22 })
  setup.components(KIOSK)
  const second = await setup.open('setup')
  await panel('Relays')
  expect(second.address()).toMatch(/\/generic-setup(#|$)/)
})

test('an offline device says what that means for settings and for power actions', async () => {
  setup.device = deviceOf({ connStatusId: 0 })
  await setup.open('setup')
  expect(await screen.findByRole('status')).toHaveTextContent('power actions are never queued')
})

test('a deactivated device says that it takes no commands', async () => {
  setup.device = deviceOf({ statusId: 4 })
  await setup.open('setup')
  await screen.findByText('This device is deactivated and takes no commands.')
})

test('the generic setup is accessible', async () => {
  const { container } = await openKiosk()
  await panel('Relays')
  expect(await axeFindings(container)).toEqual([])
})
