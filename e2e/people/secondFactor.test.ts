import type { BrowserContext, Page } from '@playwright/test'
import pg from 'pg'
import { violations } from '../support/axe.ts'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { playDevice } from '../support/playedDevice.ts'
import { login } from '../support/signIn.ts'
import type { RunningSystem } from '../support/system.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const USERNAME = 'passkey@demo.example'
const NAMES = ['one', 'two', 'three']
const WITHOUT_FACTOR = 'password@demo.example'

/** Adds an administrator for this journey alone, with the password of the demo. */
async function addAdmin(system: RunningSystem, owner: pg.Client, username: string) {
  const { accessToken, ...admin } = (await login('admin@demo.example', system)) as Awaited<ReturnType<typeof login>> & {
    readonly roleId: number
  }
  const answer = await fetch(`${system.httpUrl}/api/AppUser/SetAppUser`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ username, firstName: 'Pia', lastName: 'Proof', roleId: admin.roleId }),
  })
  expect(answer.ok).toBe(true)
  await owner.query(
    `update app_user set password_hash = (select password_hash from app_user where username = 'admin@demo.example')
     where username = $1`,
    [username],
  )
}

/** Acts as if a quarter of an hour had passed since they proved their identity. */
const outliveProof = (owner: pg.Client, username: string) =>
  owner.query(
    `update app_session set proved_at = now() - interval '15 minutes'
     where user_id = (select id from app_user where username = $1)`,
    [username],
  )

/** Adds the browser's virtual authenticator, which agrees to everything. */
async function withAuthenticator(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  return page
}

async function signInWithPassword(page: Page, username: string, password: string) {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('somebody adds a passkey, signs in by it, and confirms by it an action on many devices', async ({
  browser,
  request,
  system,
  expectRefused,
}) => {
  const owner = new pg.Client({ connectionString: system.ownerUrl })
  await owner.connect()
  await addAdmin(system, owner, USERNAME)
  for (const name of NAMES) await (await connectOwnDevice(system, request, `Confirmed ${name}`)).disconnect()
  // Passkeys belong to a host name; on the machine itself that is this one.
  const baseURL = system.httpUrl.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ baseURL })
  const page = await withAuthenticator(context)

  await signInWithPassword(page, USERNAME, system.password)
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: 'Second factor' }).click()
  const panel = page.getByRole('dialog', { name: 'Second factor' })
  await panel.getByRole('button', { name: 'Add passkey' }).click()
  await panel.getByLabel('Name of the passkey').fill('Laptop')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(panel.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  expect(await violations(page)).toEqual([])
  await panel.getByRole('button', { name: 'I have kept them' }).click()
  await expect(panel.getByText('Laptop')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()

  // The password alone is not enough any more.
  expectRefused('401 App/Login')
  await signInWithPassword(page, USERNAME, system.password)
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await expect(page.getByRole('button', { name: 'user menu' })).toBeVisible()

  await outliveProof(owner, USERNAME)
  await page.goto('/devices?deviceName=Confirmed')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  for (const name of NAMES) await page.getByRole('checkbox', { name: `Select Confirmed ${name}` }).check()
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Turn display(s) off' }).click()
  const bulk = page.getByRole('dialog', { name: 'Turn display(s) off of 3 devices' })
  await bulk.getByLabel('Holidays: From').fill('23:10')
  await bulk.getByLabel('Holidays: To').fill('04:20')
  expectRefused('403 Device/ApplyTurnDisplayOffSettings')
  await bulk.getByRole('button', { name: 'Apply to 3' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm your identity' })
  await expect(confirm).toBeVisible()
  // The dialog returns with the proof.
  await expect(bulk).toBeHidden()
  expect(await violations(page)).toEqual([])
  await confirm.getByRole('button', { name: 'Use passkey' }).click()
  await expect(bulk.getByRole('status')).toHaveText(/3 will be applied on reconnect/)
  await expect(confirm).toBeHidden()
  await context.close()
  await owner.end()
})

test('power on a third device is asked for in one dialog, which turns into one for the proof', async ({
  page,
  request,
  system,
  expectRefused,
}) => {
  const owner = new pg.Client({ connectionString: system.ownerUrl })
  await owner.connect()
  await addAdmin(system, owner, WITHOUT_FACTOR)
  const devices = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const own = await connectOwnDevice(system, request, `Switched ${number}`)
      return { own, played: await playDevice(own, 'well') }
    }),
  )
  await signInWithPassword(page, WITHOUT_FACTOR, system.password)
  await expect(page.getByRole('button', { name: 'user menu' })).toBeVisible()
  await outliveProof(owner, WITHOUT_FACTOR)
  const dialog = page.getByRole('dialog')
  const done = page.locator('.toast').filter({ hasText: 'Done: powerSwitch.reset' })
  const askForReset = async (guid: string) => {
    await page.goto(`/devices/${guid}/setup#power-switches`)
    await page.getByRole('button', { name: 'Reset: Equipment LCD + PC' }).click()
  }
  for (const { own } of devices.slice(0, 2)) {
    await askForReset(own.guid)
    await dialog.getByRole('button', { name: 'Yes' }).click()
    await expect(done).toBeVisible()
  }
  const third = devices[2] as (typeof devices)[number]
  await askForReset(third.own.guid)
  const looks = await startLooks(page, { widths: [1440, 390] })
  expectRefused('403 Device/PowerSwitch1Reset')
  await dialog.getByRole('button', { name: 'Yes' }).click()
  const password = dialog.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await looks.check('a question that asks for a proof', () => expect(dialog).toHaveCount(1))
  await expect(dialog).toContainText('"Switched 3"')
  await password.fill(system.password)
  await dialog.getByRole('button', { name: 'Yes' }).click()
  await expect(done).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect(third.played.heard).toHaveLength(1)
  for (const { own } of devices) await own.disconnect()
  await owner.end()
})
