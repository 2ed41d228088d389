import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test'
import type { CommandName } from '#contract/mqtt/command.ts'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { type Manner, playDevice, REFUSAL } from '../support/playedDevice.ts'
import { ANSWER_SECONDS, type RunningSystem } from '../support/system.ts'

const NO_ANSWER = new RegExp(`The device has not answered within ${ANSWER_SECONDS} seconds`)
const ANSWERED_WITHIN_MS = 60_000

interface Control {
  readonly name: string
  readonly modelId: 1 | 15
  readonly command: CommandName
  readonly args: Record<string, unknown>
  readonly move: (page: Page) => Promise<void>
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const linkTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of the setup' }).getByRole('link').filter({ hasText: name })

/** One section is shown at a time. */
async function openSection(page: Page, name: string): Promise<Locator> {
  await linkTo(page, name).click()
  const shown = panel(page, name)
  await expect(shown).toBeVisible()
  return shown
}

const press = (where: string, button: string) => async (page: Page) => {
  await (await openSection(page, where)).getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
}
const flip = (where: string, name: string) => async (page: Page) => {
  await (await openSection(page, where)).getByRole('switch', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
}
const power = (
  modelId: 1 | 15,
  where: string,
  button: string,
  command: CommandName,
  args: Record<string, unknown> = {},
): Control => ({ name: `${where}, ${button}`, modelId, command, args, move: press(where, button) })
const toggle = (
  modelId: 1 | 15,
  where: string,
  name: string,
  command: CommandName,
  args: Record<string, unknown>,
): Control => ({ name: `${where}, toggle ${name}`, modelId, command, args, move: flip(where, name) })

/** These cover each kind of control with each kind of answer; the console's own tests try every single one. */
const REBOOT = power(1, 'UPS', 'Reboot: UPS', 'ups.reboot')
const SHUTDOWN = power(1, 'UPS', 'Shutdown: UPS', 'ups.shutdown')
const PORTS_RESET = power(15, 'Routers with relay', 'Reset ports: Router', 'routerRelay.portReset', { number: 1 })

/** Every toggle starts as On, as `reportState` says. */
const EQUIPMENT = toggle(1, 'Power switches', 'Equipment LCD + PC', 'powerSwitch.set', { number: 1, on: false })
const BEAGLEBONE = toggle(1, 'Power switches', 'Beaglebone', 'powerSwitch.set', { number: 2, on: false })
const ROUTER = toggle(15, 'Routers with relay', 'Router', 'routerRelay.set', { number: 1, on: false })
const PORT_2 = toggle(15, 'Relays', 'Port 2', 'relay.set', { number: 1, port: 2, on: false })

const typeInto = async (field: Locator, text: string) => {
  await field.fill(text)
  await field.blur()
}
const applyDisplay = (display: 1 | 2) => async (page: Page) => {
  const form = await openSection(page, 'Display settings')
  if (display === 2) await form.getByText('Display 2', { exact: true }).click()
  await typeInto(form.getByRole('textbox', { name: 'Backlight level' }), '33')
  await form.getByRole('slider', { name: 'Gamma' }).press('Home')
  await form.getByRole('button', { name: 'Apply' }).click()
}
const applySensor = async (page: Page) => {
  const form = await openSection(page, 'Ambient light sensor')
  await typeInto(form.getByRole('textbox', { name: 'Maximum ambient light' }), '12345')
  await form.getByRole('button', { name: 'Apply' }).click()
}
const applyOffTimes = async (page: Page) => {
  const form = await openSection(page, 'Turn display(s) off')
  await form.getByLabel('Weekends: From').fill('22:00')
  await form.getByLabel('Weekends: To').fill('06:30')
  await form.getByRole('button', { name: 'Apply' }).click()
}
const offTimes = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: '22:00',
  wkndTimeOffTo: '06:30',
  holTimeOffFrom: null,
  holTimeOffTo: null,
}

interface Section extends Control {
  readonly where: string
}
const section = (
  modelId: 1 | 15,
  where: string,
  command: CommandName,
  args: Record<string, unknown>,
  move: Control['move'],
): Section => ({
  name: `${where} of model ${modelId}`,
  modelId,
  where,
  command,
  args: expect.objectContaining(args),
  move,
})
const sectionsOf = (modelId: 1 | 15, displayNumber: 1 | 2): readonly [Section, Section, Section] => [
  section(
    modelId,
    'Display settings',
    'display.apply',
    { displayNumber, backlightLevel: 33, gammaValue: 1.8 },
    applyDisplay(displayNumber),
  ),
  section(modelId, 'Ambient light sensor', 'ambientSensor.apply', { number: 1, maxAmbientLight: 12_345 }, applySensor),
  section(modelId, 'Turn display(s) off', 'turnOff.apply', offTimes, applyOffTimes),
]
const TOTEM_SECTIONS = sectionsOf(1, 1)
const KIOSK_SECTIONS = sectionsOf(15, 2)

interface World {
  readonly system: RunningSystem
  readonly request: APIRequestContext
  readonly context: BrowserContext
}

let deviceCount = 0
/** Each control gets a device of its own, because a device takes a power action every 10 s only. */
async function openWith(world: World, { modelId }: Control, manner: Manner) {
  const own = await connectOwnDevice(world.system, world.request, `Setup ${++deviceCount}`, undefined, modelId)
  const played = await playDevice(own, manner)
  await reportState(own)
  const page = await world.context.newPage()
  await page.goto(`/devices/${own.guid}/setup`)
  await expect(linkTo(page, 'UPS')).toBeVisible({ timeout: ANSWERED_WITHIN_MS })
  return { own, played, page }
}

async function reportState(own: Awaited<ReturnType<typeof connectOwnDevice>>) {
  await own.report('display', {
    backlight_level: 80,
    gamma_value: 2.4,
    max_ambient_light: 20_000,
    min_ambient_light: 0,
  })
  await own.report('power-switch', { port1_status: 1, port2_status: 1 })
  await own.report('router-relay', { relay_status: 0 })
  await own.report('relay', { port1_status: 1, port2_status: 1 })
}

/** Moves these one after the other on a device of their own. */
async function tryControls<C extends Control>(
  world: World,
  manner: Manner,
  controls: readonly [C, ...C[]],
  judge: (page: Page, control: C) => Promise<void>,
) {
  await test.step(`${manner}: ${controls.map(({ name }) => name).join(', ')}`, async () => {
    const { own, played, page } = await openWith(world, controls[0], manner)
    for (const control of controls) {
      await control.move(page)
      await judge(page, control)
    }
    // The answer to the control before may still be shown.
    await expect.poll(() => played.heard).toEqual(controls.map(({ command, args }) => ({ name: command, args })))
    await own.disconnect()
    await page.close()
  })
}

const said = (page: Page, text: string | RegExp) =>
  expect(page.locator('.toast').filter({ hasText: text }).first()).toBeVisible({ timeout: ANSWERED_WITHIN_MS })
const nameOf = ({ name }: Control) => name.replace(/^.*toggle /, '')
const switchOf = (page: Page, control: Control) => page.getByRole('switch', { name: nameOf(control) })

test.beforeEach(({ signInAs }) => signInAs('admin'))

test('a power action is answered in the words of the device, and its toggle turns with its own report', async ({
  system,
  request,
  context,
  expectRefused,
}) => {
  // The silent devices cause these, and those that refuse.
  expectRefused('504 Device/UpsShutdown', '504 Device/PowerSwitch2TurnOff', '504 Device/SetNetworkRouterWithRelayOnOff')
  expectRefused('409 Device/ResetNetworkRouterWithRelayPort', '409 Device/PowerSwitch1TurnOff')
  const world = { system, request, context }
  const done = (page: Page, { command }: Control) => said(page, `Done: ${command}`)
  const refused = (page: Page) => said(page, REFUSAL)
  const silent = (page: Page) => said(page, NO_ANSWER)
  const stays = (page: Page, control: Control) => expect(switchOf(page, control)).toBeChecked()
  const turns = async (page: Page, control: Control) => {
    await expect(switchOf(page, control)).not.toBeChecked({ timeout: ANSWERED_WITHIN_MS })
    await expect(switchOf(page, control)).not.toHaveAttribute('aria-busy')
  }
  await Promise.all([
    tryControls(world, 'silent', [SHUTDOWN], silent),
    tryControls(world, 'silent', [BEAGLEBONE], async (page, control) => {
      await silent(page)
      await stays(page, control)
    }),
    tryControls(world, 'late', [ROUTER], async (page, control) => {
      await silent(page)
      await turns(page, control)
    }),
  ])
  await Promise.all([
    tryControls(world, 'well', [REBOOT], done),
    tryControls(world, 'well', [PORT_2], async (page, control) => {
      await done(page, control)
      await turns(page, control)
    }),
  ])
  await Promise.all([
    tryControls(world, 'badly', [PORTS_RESET], refused),
    tryControls(world, 'badly', [EQUIPMENT], async (page, control) => {
      await refused(page)
      await stays(page, control)
    }),
  ])
})

test('a second power action is told how long to wait before it is asked for', async ({ system, request, context }) => {
  const { own, played, page } = await openWith({ system, request, context }, REBOOT, 'well')
  await REBOOT.move(page)
  await said(page, 'Done: ups.reboot')
  await (await openSection(page, 'Network switches')).getByRole('button', { name: 'Reset: Network switch 1' }).click()
  await expect(page.getByRole('dialog', { name: 'Reset Network switch 1' })).toContainText(
    /The last one was "Reboot the UPS" by admin@demo\.example\. Try again in \d+ seconds?\./,
  )
  expect(played.heard).toHaveLength(1)
  await own.disconnect()
})

test('settings are applied, refused, kept or settled late, and the page says which', async ({
  system,
  request,
  context,
}) => {
  const world = { system, request, context }
  const note = (page: Page, { where }: Section) => panel(page, where).getByRole('status')
  const waits = (page: Page, control: Section) =>
    expect(note(page, control)).toContainText('Sent, and not answered by the device yet.', {
      timeout: ANSWERED_WITHIN_MS,
    })
  const judges = {
    well: async (page: Page, control: Section) => {
      await said(page, 'The device has applied the settings.')
      await expect(panel(page, control.where).getByRole('button', { name: 'Discard' })).toBeDisabled()
      await expect(note(page, control)).toHaveCount(0)
    },
    badly: async (page: Page, control: Section) => {
      await said(page, REFUSAL)
      await expect(note(page, control)).toContainText('The device refused the last change.')
      await expect(note(page, control)).toContainText(REFUSAL)
    },
    silent: async (page: Page, control: Section) => {
      await said(page, NO_ANSWER)
      await waits(page, control)
    },
    late: async (page: Page, control: Section) => {
      await waits(page, control)
      await said(page, NO_ANSWER)
      await expect(note(page, control)).toHaveCount(0, { timeout: ANSWERED_WITHIN_MS })
    },
  }
  const [totemDisplay, totemSensor, totemOffTimes] = TOTEM_SECTIONS
  const [kioskDisplay, kioskSensor, kioskOffTimes] = KIOSK_SECTIONS
  const rounds = [
    ['well', [TOTEM_SECTIONS, KIOSK_SECTIONS]],
    ['badly', [TOTEM_SECTIONS, KIOSK_SECTIONS]],
    // Each gets a device: they wait side by side, and no report of one moves the controls of another.
    ['silent', [[totemSensor], [kioskDisplay], [kioskOffTimes]]],
    ['late', [[kioskSensor], [totemDisplay], [totemOffTimes]]],
  ] as const
  for (const [manner, devices] of rounds) {
    await Promise.all(devices.map((sections) => tryControls(world, manner, sections, judges[manner])))
  }
})

test('settings for a device that is away wait for it; power actions do not', async ({ system, request, context }) => {
  const world = { system, request, context }
  const [control] = TOTEM_SECTIONS
  const { own, played, page } = await openWith(world, control, 'well')
  await new Promise<void>((resolve) => own.client.end(false, {}, () => resolve()))
  await expect(page.getByText('Offline.', { exact: true })).toBeVisible()
  await control.move(page)
  await said(page, 'Will be applied when the device reconnects')
  const note = panel(page, control.where).getByRole('status')
  await expect(note).toContainText('The device is offline.')
  await expect(note).toContainText('Gamma1.82.4')
  // The refusal is known beforehand, so there is no question and nothing is sent.
  await (await openSection(page, 'UPS')).getByRole('button', { name: 'Reboot: UPS' }).click()
  const refusal = page.getByRole('dialog', { name: 'Reboot UPS' })
  await expect(refusal).toContainText('The device is offline, and power actions are never queued.')
  await refusal.getByRole('button', { name: 'Ok' }).click()
  await expect(refusal).toHaveCount(0)
  await openSection(page, control.where)
  await expect(note).toBeVisible()

  own.client.reconnect()
  await new Promise<void>((resolve) => own.client.once('connect', () => resolve()))
  const root = `v1/devices/${own.guid}/`
  await own.client.subscribeAsync([`${root}commands/+`, `${root}settings`], { qos: 1 })
  await expect(note).toHaveCount(0, { timeout: ANSWERED_WITHIN_MS })
  expect(played.heard).toEqual([])
  await own.disconnect()
})

test('changes that were not applied are asked about before a tab, a link or a reload leaves them behind', async ({
  system,
  request,
  page,
}) => {
  const own = await connectOwnDevice(system, request, 'Setup left behind')
  await page.goto(`/devices/${own.guid}/setup`)
  const backlight = panel(page, 'Display settings').getByRole('textbox', { name: 'Backlight level' })
  await typeInto(backlight, '33')
  const question = page.getByText('There are unsaved changes. Leave without saving?')
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(question).toHaveCount(0)
  await expect(backlight).toHaveValue('33 %')

  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type())
      void dialog.accept()
    })
  })
  await page.reload()
  expect(await asked).toBe('beforeunload')
  await expect(backlight).not.toHaveValue('33 %')
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await expect(page).toHaveURL(/\/status/)
  await own.disconnect()
})

test('the wrong variant leads to the right one, and every control is reached by keyboard', async ({
  system,
  request,
  page,
}) => {
  const own = await connectOwnDevice(system, request, 'Setup by keyboard', undefined, 15)
  await page.goto(`/devices/${own.guid}/setup`)
  await expect(page).toHaveURL(/\/generic-setup$/)
  await expect(linkTo(page, 'Relays')).toBeVisible()
  const reached = new Set<string>()
  for (const link of await page.getByRole('navigation', { name: 'Sections of the setup' }).getByRole('link').all()) {
    await link.press('Enter')
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const focused = document.activeElement
        return focused?.closest('.setup-section')
          ? (focused.getAttribute('aria-label') ?? focused.textContent ?? '')
          : ''
      })
      reached.add(name)
    }
  }
  for (const name of ['Display on', 'Backlight level', 'Gamma', 'Automatic backlight', 'Minimum ambient light']) {
    expect([...reached]).toContain(name)
  }
  for (const name of ['Weekends: From', 'Clear Holidays', 'Shutdown: UPS', 'Reset ports: Router', 'Reset: Port 2']) {
    expect([...reached]).toContain(name)
  }
  await own.disconnect()
})
