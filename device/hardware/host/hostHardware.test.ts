import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { HardwareError } from '../hardware.ts'
import { createHostHardware, memoryUsedPercent, networkBytes } from './hostHardware.ts'

test('this very machine reports believable numbers, and nothing that it cannot measure', async () => {
  const hardware = createHostHardware({ clientVersion: '1.2.3', dataFolder: process.cwd() })
  const first = await hardware.computer.read()
  expect(first?.cpu_load).toBeUndefined()
  await passTime(300, 'load is measured over a time')
  const reading = await hardware.computer.read()
  expect(reading).toMatchObject({ client_version: '1.2.3', status_id: 1 })
  for (const percent of [reading?.cpu_load, reading?.memory_used, reading?.disk_used]) {
    expect(percent).toBeGreaterThanOrEqual(0)
    expect(percent).toBeLessThanOrEqual(100)
  }
  expect(Number.isInteger(reading?.uptime)).toBe(true)
  expect(reading?.network_received).toBeGreaterThanOrEqual(0)
  if (reading?.cpu_temp !== undefined) expect(reading.cpu_temp).toBeLessThan(150)
  expect(hardware.display(1)).toBeUndefined()
  expect(hardware.ups()).toBeUndefined()
})

function hostWith(busctl: string) {
  return createHostHardware({ clientVersion: '1.2.3', dataFolder: process.cwd(), busctl })
}
function script(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'busctl-')), 'busctl')
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return file
}

test('this machine is restarted by an order that leaves time for the answer', async () => {
  const file = script('echo "$@" > "$0.order"')
  const atMs = Date.now()
  await hostWith(file).computer.reboot?.()
  const order = readFileSync(`${file}.order`, 'utf8').trim().split(' ')
  expect(order.slice(0, 2).concat(order.slice(-4, -1))).toEqual([
    '--system',
    'call',
    'ScheduleShutdown',
    'st',
    'reboot',
  ])
  const delayMs = Number(order.at(-1)) / 1000 - atMs
  expect(delayMs).toBeGreaterThanOrEqual(5000)
  expect(delayMs).toBeLessThan(60_000)
})

test('a machine that the client may not restart, or not in this way, says so in a sentence', async () => {
  const denied = hostWith(script('echo "Call failed: Interactive authentication required." >&2; exit 1'))
  await expect(denied.computer.reboot?.()).rejects.toThrow(
    new HardwareError('The client may not restart this computer: Call failed: Interactive authentication required.'),
  )
  await expect(hostWith('/nowhere/busctl').computer.reboot?.()).rejects.toThrow(
    new HardwareError('The client may not restart this computer: it has no systemd-logind that answers.'),
  )
})

test('memory that caches could give back does not count as used', () => {
  expect(memoryUsedPercent('MemTotal:  1000 kB\nMemFree:  100 kB\nMemAvailable:  600 kB\n')).toBe(40)
})

test('traffic of the loopback does not count', () => {
  const text = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0',
    '  eth0: 300 1 0 0 0 0 0 0 70 1 0 0 0 0 0 0',
    ' wlan0:   4 1 0 0 0 0 0 0  1 1 0 0 0 0 0 0',
  ].join('\n')
  expect(networkBytes(text)).toEqual({ received: 304, sent: 71 })
  expect(networkBytes(undefined)).toBeUndefined()
})
