import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { systemdDriver } from './systemdDriver.ts'

/** Prints units as `systemctl show --property=Id,ActiveState` of systemd 252 does. */
function open(states: Readonly<Record<string, string>>) {
  const program = join(mkdtempSync(join(tmpdir(), 'systemctl-')), 'systemctl')
  const blocks = Object.entries(states).map(([unit, state]) => `Id=${unit}\nActiveState=${state}`)
  writeFileSync(program, `#!/bin/sh\ncat <<'END'\n${blocks.join('\n\n')}\nEND\n`, { mode: 0o755 })
  const log: string[] = []
  const given = { program, units: Object.keys(states) }
  const opened = openDriver(systemdDriver, given, { topic: 'device', log: (line) => log.push(line) })
  return { log, opened, values: async () => (await opened.read(soon()))?.values }
}

test('a device is out of order while a service that it needs does not run, and says once which', async () => {
  const well = open({ 'player.service': 'active', 'kiosk.service': 'reloading' })
  expect(await well.values()).toEqual({ status_id: 1 })
  expect(await well.opened.test(soon())).toBe('All 2 services run.')
  const ill = open({ 'player.service': 'failed', 'kiosk.service': 'active' })
  expect(await ill.values()).toEqual({ status_id: 0 })
  await ill.values()
  expect(ill.log).toEqual(['Services of the computer do not run: player.service is failed.'])
})

test('units are names of units, and no words for a program', () => {
  const wrong = (units: unknown) => () => openDriver(systemdDriver, { units }, { topic: 'device' })
  expect(wrong(['--now'])).toThrow('units must be a list of 1 to 16 units, such as player.service')
  expect(wrong([])).toThrow('units must be a list')
})

const SYSTEMCTL = '/usr/bin/systemctl'
if (!existsSync(SYSTEMCTL)) console.warn("NOT RUN with systemctl: Debian's package systemd is not installed.")
test.skipIf(!existsSync(SYSTEMCTL))(
  'Debian’s own systemctl knows no such unit, or has nobody to ask: the flag is never in order',
  async () => {
    const opened = openDriver(systemdDriver, { units: ['wayside-nowhere.service'] }, { topic: 'device' })
    const told = await opened.read(soon()).then(
      (reading) => reading?.values.status_id,
      (error: Error) => error.message,
    )
    expect([0, 'The service manager of the computer ended with code 1.']).toContain(told)
  },
)
