import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discoveryReport } from '#contract/mqtt/discovery.ts'
import { readConfiguration } from '../store/configuration.ts'
import { addComponents, allowNetwork } from './addComponents.ts'
import { linesOf } from './discover.ts'
import { sentDiscovery } from './tellDiscovery.ts'

const ups = { part: 'ups', driver: 'nut', options: { host: '127.0.0.1', ups: 'cabinet' }, words: 'NUT answers.' }
const panel = {
  ...{ part: 'display', driver: 'lg', options: { path: '/dev/ttyUSB0' } },
  words: 'An LG display answers at /dev/ttyUSB0: backlight 80 %.',
}
const seen = [
  { kind: 'serial', name: '/dev/ttyUSB0' },
  { kind: 'usb', name: 'ACME RS-232/485 Cable' },
] as const

test('of a path the server is sent nothing, and what the console may choose goes with its options', () => {
  const report = discoveryReport.parse(
    sentDiscovery({ at: '2026-11-20T10:00:00.000Z', clientVersion: '1.2.3', parts: [ups, panel], seen }),
  )
  expect(report.parts).toEqual([
    ups,
    { ...panel, options: null, words: 'An LG display answers at (its path): backlight 80 %.' },
  ])
  expect(report.seen.map(({ name }) => name)).toEqual(['ttyUSB0', 'ACME RS-232/485 Cable'])
})

test('a part with a secret is sent without its options, so that it is added on the device alone', () => {
  const options = { host: '10.0.0.9', profile: 'ups', community: 'a secret of the cabinet' }
  const card = { part: 'ups', driver: 'snmp', options, words: 'SNMP at 10.0.0.9:161 answers.' }
  const sent = sentDiscovery({ at: '2026-11-20T10:00:00.000Z', clientVersion: '1.2.3', parts: [card], seen: [] })
  expect(discoveryReport.parse(sent).parts).toEqual([{ ...card, options: null }])
  expect(JSON.stringify(sent)).not.toContain('secret')
})

test('a network is allowed beside those that the file allows, and only by the file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'discover-')), 'device.json')
  const content = {
    ...{ guid: crypto.randomUUID(), key: 'k', name: 'Totem', modelId: 22, releaseKeys: [] },
    ...{ mqttUrl: 'mqtt://127.0.0.1', httpUrl: 'http://127.0.0.1' },
  }
  writeFileSync(file, JSON.stringify(content))
  allowNetwork(file, '192.168.7.0/24')
  allowNetwork(file, '10.0.0.0/30')
  allowNetwork(file, '10.0.0.0/30')
  expect(readConfiguration(file).allowedNetworks).toEqual(['192.168.7.0/24', '10.0.0.0/30'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(content)
})

test('found parts come into the file beside those that it names, which stay as they are', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'discover-')), 'device.json')
  const content = {
    ...{ guid: crypto.randomUUID(), key: 'k', name: 'Totem', modelId: 22, releaseKeys: [] },
    ...{ mqttUrl: 'mqtt://127.0.0.1', httpUrl: 'http://127.0.0.1' },
    components: { ups: { driver: 'nut', host: '10.0.0.5' } },
  }
  writeFileSync(file, JSON.stringify(content))
  expect(addComponents(file, [ups, panel])).toEqual(['display'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...content,
    components: { ...content.components, display: { driver: 'lg', path: '/dev/ttyUSB0' } },
  })
  expect([...readConfiguration(file).components.keys()]).toEqual(['ups', 'display'])
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(addComponents(file, [ups, panel])).toEqual([])
})

test('what did not answer is told apart from what did', () => {
  expect(linesOf({ parts: [panel], seen })).toEqual([
    'Found:',
    '  display (lg): An LG display answers at /dev/ttyUSB0: backlight 80 %.',
    'Also here; nothing is known of what is connected to it:',
    '  usb: ACME RS-232/485 Cable',
  ])
  const knob = { kind: 'usb', name: 'Yoctopuce Yocto-Knob YBUTTON1-12345 (needs VirtualHub)' } as const
  const buttons = { part: 'yocto', driver: 'yoctopuce', options: { serial: 'YBUTTON1-12345' }, words: 'Answers.' }
  expect(linesOf({ parts: [buttons], seen: [knob] })).toEqual(['Found:', '  yocto (yoctopuce): Answers.'])
  expect(linesOf({ parts: [], seen: [] })).toEqual(['No part has answered.'])
})
