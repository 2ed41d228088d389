import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test'
import type { CommandName } from '../contract/mqtt/command.ts'
import { connectOwnDevice } from './support/device.ts'
import { expect, test } from './support/journey.ts'
import { type Manner, playDevice, REFUSAL } from './support/playedDevice.ts'
import type { RunningSystem } from './support/system.ts'

const NO_ANSWER = /^The device has not answered within 10 seconds/
const ANSWERED_WITHIN_MS = 60_000
/** Pages open at the same time; two cores draw them, run the server and play the devices. */
const PAGES = 2

interface Control {
  readonly name: string
  readonly modelId: 1 | 15
  readonly command: CommandName
  readonly args: Record<string, unknown>
  /** Moves the control and confirms what it asks. */
  readonly move: (page: Page) => Promise<void>
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const press = (where: string, button: string) => async (page: Page) => {
  await panel(page, where).getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
}
const flip = (where: string, name: string) => async (page: Page) => {
  await panel(page, where).getByRole('switch', { name }).click()
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

const RESETS: readonly Control[] = [
  power(1, 'UPS', 'Reboot: UPS', 'ups.reboot'),
  power(1, 'UPS', 'Shutdown: UPS', 'ups.shutdown'),
  power(1, 'UPS', 'Reset group 1: UPS', 'ups.groupReset', { group: 1 }),
  power(1, 'UPS', 'Reset group 2: UPS', 'ups.groupReset', { group: 2 }),
  power(1, 'Network switches', 'Reset: Network switch 1', 'router.reset', { number: 1 }),
  power(1, 'Network switches', 'Reset: Network switch 2', 'router.reset', { number: 2 }),
  power(1, 'Power switches', 'Reset: Equipment LCD + PC', 'powerSwitch.reset', { number: 1 }),
  power(1, 'Power switches', 'Reset: Beaglebone', 'powerSwitch.reset', { number: 2 }),
  power(15, 'UPS', 'Reboot: UPS', 'ups.reboot'),
  power(15, 'Routers with relay', 'Reset: Router', 'routerRelay.reset', { number: 1 }),
  power(15, 'Routers with relay', 'Reset ports: Router', 'routerRelay.portReset', { number: 1 }),
  power(15, 'Relays', 'Reset: Port 1', 'relay.reset', { number: 1, port: 1 }),
  power(15, 'Relays', 'Reset: Port 2', 'relay.reset', { number: 1, port: 2 }),
]

/** Every toggle starts as On, as `reportState` says. */
const TOGGLES: readonly Control[] = [
  toggle(1, 'Power switches', 'Equipment LCD + PC', 'powerSwitch.set', { number: 1, on: false }),
  toggle(1, 'Power switches', 'Beaglebone', 'powerSwitch.set', { number: 2, on: false }),
  toggle(15, 'Routers with relay', 'Router', 'routerRelay.set', { number: 1, on: false }),
  toggle(15, 'Relays', 'Port 1', 'relay.set', { number: 1, port: 1, on: false }),
  toggle(15, 'Relays', 'Port 2', 'relay.set', { number: 1, port: 2, on: false }),
]

const typeInto = async (field: Locator, text: string) => {
  await field.fill(text)
  await field.blur()
}
const applyDisplay = (display: 1 | 2) => async (page: Page) => {
  const form = panel(page, 'Display settings')
  if (display === 2) await form.getByText('Display 2', { exact: true }).click()
  await typeInto(form.getByRole('textbox', { name: 'Backlight level' }), '33')
  await form.getByRole('slider', { name: 'Gamma' }).press('Home')
  await form.getByRole('button', { name: 'Apply' }).click()
}
const applySensor = async (page: Page) => {
  const form = panel(page, 'Ambient light sensor')
  await typeInto(form.getByRole('textbox', { name: 'Maximum ambient light' }), '12345')
  await form.getByRole('button', { name: 'Apply' }).click()
}
const applyOffTimes = async (page: Page) => {
  const form = panel(page, 'Turn display(s) off')
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
const SECTIONS: readonly Section[] = [
  section(
    1,
    'Display settings',
    'display.apply',
    { displayNumber: 1, backlightLevel: 33, gammaValue: 1.8 },
    applyDisplay(1),
  ),
  section(
    15,
    'Display settings',
    'display.apply',
    { displayNumber: 2, backlightLevel: 33, gammaValue: 1.8 },
    applyDisplay(2),
  ),
  section(1, 'Ambient light sensor', 'ambientSensor.apply', { number: 1, maxAmbientLight: 12_345 }, applySensor),
  section(15, 'Ambient light sensor', 'ambientSensor.apply', { number: 1, maxAmbientLight: 12_345 }, applySensor),
  section(1, 'Turn display(s) off', 'turnOff.apply', offTimes, applyOffTimes),
  section(15, 'Turn display(s) off', 'turnOff.apply', offTimes, applyOffTimes),
]

interface World {
  readonly system: RunningSystem
  readonly request: APIRequestContext
  readonly context: BrowserContext
}

let deviceCount = 0
/** A device of its own for each control: one takes a power action every 10 s only. */
async function openWith(world: World, { modelId }: Control, manner: Manner) {
  const own = await connectOwnDevice(world.system, world.request, `Setup ${++deviceCount}`, undefined, modelId)
  const played = await playDevice(own, manner)
  await reportState(own)
  const page = await world.context.newPage()
  await page.goto(`/devices/${own.guid}/setup`)
  await expect(panel(page, 'UPS')).toBeVisible({ timeout: ANSWERED_WITHIN_MS })
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

/** Moves each of these on a device of its own, a few at a time. */
async function eachControl<C extends Control>(
  world: World,
  controls: readonly C[],
  manner: Manner,
  judge: (page: Page, control: C) => Promise<void>,
) {
  for (let first = 0; first < controls.length; first += PAGES) {
    await Promise.all(
      controls.slice(first, first + PAGES).map((control) =>
        test.step(control.name, async () => {
          const { own, played, page } = await openWith(world, control, manner)
          await control.move(page)
          await judge(page, control)
          expect(played.heard).toEqual([{ name: control.command, args: control.args }])
          await own.disconnect()
          await page.close()
        }),
      ),
    )
  }
}

const said = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeVisible({ timeout: ANSWERED_WITHIN_MS })
const nameOf = ({ name }: Control) => name.replace(/^.*toggle /, '')
const switchOf = (page: Page, control: Control) => page.getByRole('switch', { name: nameOf(control) })

test.beforeEach(async ({ signInAs }) => {
  // Each of 18 power controls has a device of its own, and half of them wait for an answer that is late or never comes.
  test.setTimeout(420_000)
  await signInAs('admin')
})

test('a device that does as it is told says so, and its toggles turn', async ({ system, request, context }) => {
  const world = { system, request, context }
  await eachControl(world, RESETS, 'well', (page, { command }) => said(page, `Done: ${command}`))
  await eachControl(world, TOGGLES, 'well', async (page, control) => {
    await said(page, `Done: ${control.command}`)
    await expect(switchOf(page, control)).not.toBeChecked()
    await expect(switchOf(page, control)).not.toHaveAttribute('aria-busy')
  })
})

test('a second power action is told how long to wait before it is asked for', async ({ system, request, context }) => {
  const [first] = RESETS
  const { own, played, page } = await openWith({ system, request, context }, first as Control, 'well')
  await first?.move(page)
  await said(page, 'Done: ups.reboot')
  await panel(page, 'Network switches').getByRole('button', { name: 'Reset: Network switch 1' }).click()
  await expect(page.getByRole('dialog', { name: 'Reset Network switch 1' })).toContainText(
    /The last one was "Reboot the UPS" by admin@demo\.example\. Try again in \d+ seconds?\./,
  )
  expect(played.heard).toHaveLength(1)
  await own.disconnect()
})

test('a device that refuses is heard in its own words, and its toggles stay', async ({ system, request, context }) => {
  const world = { system, request, context }
  await eachControl(world, RESETS, 'badly', (page) => said(page, REFUSAL))
  await eachControl(world, TOGGLES, 'badly', async (page, control) => {
    await said(page, REFUSAL)
    await expect(switchOf(page, control)).toBeChecked()
  })
})

test('a device that never answers is said so, and nothing turns', async ({ system, request, context }) => {
  const world = { system, request, context }
  await eachControl(world, RESETS, 'silent', (page) => said(page, NO_ANSWER))
  await eachControl(world, TOGGLES, 'silent', async (page, control) => {
    await said(page, NO_ANSWER)
    await expect(switchOf(page, control)).toBeChecked()
  })
})

test('a device that answers late turns its toggles with its own report', async ({ system, request, context }) => {
  await eachControl({ system, request, context }, TOGGLES, 'late', async (page, control) => {
    await said(page, NO_ANSWER)
    await expect(switchOf(page, control)).not.toBeChecked({ timeout: ANSWERED_WITHIN_MS })
  })
})

test('settings are applied, refused, kept or settled late, and the page says which', async ({
  system,
  request,
  context,
}) => {
  const world = { system, request, context }
  const note = (page: Page, { where }: Section) => panel(page, where).getByRole('status')
  await eachControl(world, SECTIONS, 'well', async (page, control) => {
    await said(page, 'The device has applied the settings.')
    await expect(note(page, control)).toHaveCount(0)
    await expect(panel(page, control.where).getByRole('button', { name: 'Discard changes' })).toHaveCount(0)
  })
  await eachControl(world, SECTIONS, 'badly', async (page, control) => {
    await said(page, REFUSAL)
    await expect(note(page, control)).toContainText('The device refused the last change.')
    await expect(note(page, control)).toContainText(REFUSAL)
  })
  await eachControl(world, SECTIONS, 'silent', async (page, control) => {
    await said(page, NO_ANSWER)
    await expect(note(page, control)).toContainText('Sent, and not answered by the device yet.')
  })
  await eachControl(world, SECTIONS, 'late', async (page, control) => {
    await said(page, NO_ANSWER)
    await expect(note(page, control)).toHaveCount(0, { timeout: ANSWERED_WITHIN_MS })
  })
})

test('settings for a device that is away wait for it; power actions do not', async ({ system, request, context }) => {
  const world = { system, request, context }
  const control = SECTIONS[0] as Section
  const { own, played, page } = await openWith(world, control, 'well')
  await new Promise<void>((resolve) => own.client.end(false, {}, () => resolve()))
  await expect(page.getByText('Offline.', { exact: true })).toBeVisible()
  await control.move(page)
  await said(page, 'Will be applied when the device reconnects')
  const note = panel(page, control.where).getByRole('status')
  await expect(note).toContainText('The device is offline.')
  await expect(note).toContainText('Gamma1.82.4')
  // Known before it is asked for: there is no question, and nothing is sent.
  await panel(page, 'UPS').getByRole('button', { name: 'Reboot: UPS' }).click()
  const refusal = page.getByRole('dialog', { name: 'Reboot UPS' })
  await expect(refusal).toContainText('The device is offline, and power actions are never kept for later.')
  await refusal.getByRole('button', { name: 'Ok' }).click()
  await expect(refusal).toHaveCount(0)

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
  const question = page.getByText('There are changes that are not saved. Leave without saving them?')
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: 'No' }).click()
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
  await expect(panel(page, 'Relays')).toBeVisible()
  const reached = new Set<string>()
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const focused = document.activeElement
      return focused?.closest('.setup') ? (focused.getAttribute('aria-label') ?? focused.textContent ?? '') : ''
    })
    reached.add(name)
  }
  for (const name of ['Display on', 'Backlight level', 'Gamma', 'Automatic backlight', 'Minimum ambient light']) {
    expect([...reached]).toContain(name)
  }
  for (const name of ['Weekends: From', 'Clear Holidays', 'Shutdown: UPS', 'Reset ports: Router', 'Reset: Port 2']) {
    expect([...reached]).toContain(name)
  }
  await own.disconnect()
})
