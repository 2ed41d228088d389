import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { showToCamera } from '../support/camera.ts'
import { expect, test } from '../support/journey.ts'
import type { RunningSystem } from '../support/system.ts'

const AGENT = fileURLToPath(new URL('../../device/agent/main.ts', import.meta.url))
const CODE = /Claim this device: ([A-Z2-9]{4}-[A-Z2-9]{4}) at (\S+)\./

/** Starts the device's client as it comes out of its box: with the address of the server alone. */
async function unpackDevice({ dataFolder, httpUrl }: RunningSystem, more: NodeJS.ProcessEnv = {}) {
  const folder = await mkdtemp(join(dataFolder, 'boxed-'))
  const child = spawn(process.execPath, [AGENT, '--server', httpUrl, '--driver', 'pretend'], {
    cwd: folder,
    env: { ...process.env, ...more },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return {
    folder,
    said: () => said,
    says: async (words: RegExp) => {
      await expect.poll(() => said, { timeout: 20_000 }).toMatch(words)
      return words.exec(said) as RegExpExecArray
    },
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'close')
    },
  }
}

test('a boxed device shows a code, somebody scans it, and the device connects with its own key', async ({
  page,
  signInAs,
  system,
  expectRefused,
}) => {
  const device = await unpackDevice(system)
  try {
    const [, code = '', at = ''] = await device.says(CODE)
    expect(device.said()).toContain('█')
    const shown = await readFile(join(device.folder, 'wayside-agent', 'claim.html'), 'utf8')
    expect(shown).toContain(code)
    await signInAs('admin', '/devices')
    await page.getByRole('button', { name: 'More actions for this list' }).click()
    await page.getByRole('menuitem', { name: 'Claim a device' }).click()
    await expect(page).toHaveURL(/\/claim$/)
    const answer = await page.request.get('/claim', { headers: { accept: 'text/html' } })
    expect(answer.headers()['permissions-policy']).toBe('camera=(self)')

    expectRefused('400 Claim/FindDevice')
    const wrong = code.startsWith('AAAA') ? 'BBBB-2222' : 'AAAA-2222'
    await page.getByRole('textbox', { name: 'Code' }).fill(wrong)
    await page.getByRole('button', { name: 'Find device' }).click()
    await expect(page.getByText(/This code is not valid/)).toBeVisible()
    showToCamera(at)
    await page.getByRole('button', { name: 'Scan QR code' }).click()
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue(code)
    await page.getByRole('button', { name: 'Find device' }).click()
    await expect(page.getByText('MAC address')).toBeVisible()
    for (const [field, option] of [
      ['Customer', undefined],
      ['Model', 'Totem SP-4096'],
    ] as const) {
      const box = page.getByRole('combobox', { name: field }).or(page.getByRole('textbox', { name: field }))
      await box.click()
      await (option
        ? page.getByRole('option', { name: option, exact: true })
        : page.getByRole('option').first()
      ).click()
    }
    await page.getByRole('textbox', { name: 'Name' }).fill('Fresh from the box')
    await page.getByRole('textbox', { name: 'Address' }).fill('Quay 4')
    await page.getByRole('textbox', { name: 'Position' }).fill('59.9139, 10.7522')
    await page.getByRole('button', { name: 'Claim device' }).click()
    await expect(page.getByText('connects within seconds')).toBeVisible()
    await device.says(/Claimed as “Fresh from the box” for .*/)
    await page.getByRole('link', { name: 'Open device' }).click()
    await expect(page.getByText('Synced').first()).toBeVisible({ timeout: 20_000 })

    const file = join(device.folder, 'wayside-device.json')
    const { key } = JSON.parse(await readFile(file, 'utf8'))
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect([at, device.said(), shown, await page.content()].join().includes(key)).toBe(false)
  } finally {
    await device.stop()
  }
})

test('a device with a claim key waits, and connects once an administrator accepts it', async ({
  page,
  signInAs,
  system,
}) => {
  await signInAs('admin', '/waiting-devices')
  await expect(page.getByText('No devices are waiting')).toBeVisible()
  await page.getByRole('button', { name: 'Claim keys' }).click()
  await page.getByRole('button', { name: 'Create claim key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Image of November')
  await page.getByRole('button', { name: 'Create key' }).click()
  const claimKey = (await page.getByText(/^wck_/).textContent()) ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText('0 of 10 devices')).toBeVisible()
  await page.keyboard.press('Escape')

  const device = await unpackDevice(system, { WAYSIDE_CLAIM_KEY: claimKey })
  try {
    await device.says(/Waiting to be accepted/)
    await page.reload()
    await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check()
    // This machine may have been claimed by another journey, and is then offered its record too.
    await page.getByRole('button', { name: /^Accept( as new)?$/ }).click()
    const dialog = page.getByRole('dialog')
    for (const field of ['Customer', 'Model']) {
      await dialog
        .getByRole('combobox', { name: field })
        .or(dialog.getByRole('textbox', { name: field }))
        .click()
      await page.getByRole('option').first().click()
    }
    await dialog.getByRole('textbox', { name: 'Name' }).fill('From the image {nn}')
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByText('Accepted: From the image 01.')).toBeVisible()
    await expect(page.getByText('No devices are waiting')).toBeVisible()
    await device.says(/Claimed as “From the image 01”/)
  } finally {
    await device.stop()
  }
})
