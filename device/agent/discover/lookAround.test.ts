import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostsOf, ownNetworks, seenPorts, serialPorts } from './lookAround.ts'

test('a serial adapter counts once, by the name that stays the same, and hubs of the computer are no parts', () => {
  const root = mkdtempSync(join(tmpdir(), 'look-'))
  const folders = { dev: join(root, 'dev'), sys: join(root, 'sys') }
  mkdirSync(join(folders.dev, 'serial/by-id'), { recursive: true })
  for (const name of ['ttyUSB0', 'ttyACM1', 'ttyS0', 'i2c-4']) writeFileSync(join(folders.dev, name), '')
  symlinkSync('../../ttyUSB0', join(folders.dev, 'serial/by-id/usb-FTDI_A10'))
  for (const [id, maker, product] of [
    ['1-1', 'FTDI', 'USB-RS232 Cable'],
    ['usb1', 'Linux 6.1 xhci-hcd', 'xHCI Host Controller'],
  ] as const) {
    mkdirSync(join(folders.sys, 'bus/usb/devices', id), { recursive: true })
    writeFileSync(join(folders.sys, 'bus/usb/devices', id, 'manufacturer'), `${maker}\n`)
    writeFileSync(join(folders.sys, 'bus/usb/devices', id, 'product'), `${product}\n`)
  }
  const knob = { idVendor: '24e0', manufacturer: 'Yoctopuce', product: 'Yocto-Knob', serial: 'YBUTTON1-12345' }
  mkdirSync(join(folders.sys, 'bus/usb/devices/1-2'))
  for (const [file, text] of Object.entries(knob)) writeFileSync(join(folders.sys, 'bus/usb/devices/1-2', file), text)
  expect(serialPorts(folders)).toEqual([join(folders.dev, 'serial/by-id/usb-FTDI_A10'), join(folders.dev, 'ttyACM1')])
  expect(seenPorts(folders).map(({ kind, name }) => `${kind} ${name.replace(root, '')}`)).toEqual([
    'serial /dev/serial/by-id/usb-FTDI_A10',
    'serial /dev/ttyACM1',
    'i2c /dev/i2c-4',
    'usb FTDI USB-RS232 Cable',
    'usb Yoctopuce Yocto-Knob YBUTTON1-12345 (needs VirtualHub)',
  ])
})

test('only small networks can be asked, and their own addresses are left out', () => {
  const one = (cidr: string, internal = false) =>
    ({ address: '', netmask: '', mac: '', family: 'IPv4', internal, cidr }) as const
  expect(
    ownNetworks({ lo: [one('127.0.0.1/8', true)], eth0: [one('192.168.7.20/24')], wg0: [one('10.0.0.5/16')] }),
  ).toEqual(['192.168.7.0/24'])
  expect(hostsOf('192.168.7.9/29')).toEqual([9, 10, 11, 12, 13, 14].map((last) => `192.168.7.${last}`))
  expect(hostsOf('192.168.7.0/24')).toHaveLength(254)
  expect(hostsOf('10.0.0.0/8')).toBeUndefined()
})
