import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfiguration } from './configuration.ts'

const GOOD = {
  guid: '0b1ff1e0-1111-4222-8333-444455556666',
  key: 'secret-key',
  mqttUrl: 'mqtt://127.0.0.1:1883',
  httpUrl: 'http://127.0.0.1:8080',
  name: 'Town hall',
  modelId: 22,
}

function fileWith(content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'wayside-')), 'device.json')
  writeFileSync(file, content)
  return file
}

test('the file that the console hands out is read as it is', () => {
  expect(readConfiguration(fileWith(JSON.stringify(GOOD)))).toEqual({
    ...GOOD,
    ...{ releaseKeys: [], allowedNetworks: [], components: new Map() },
  })
})

test.each([
  [{ guid: 'not-a-guid' }, /field "guid"/],
  [{ key: undefined }, /field "key"/],
  [{ key: '' }, /field "key"/],
  [{ modelId: '22' }, /field "modelId"/],
  [{ mqttUrl: 'http://example.org' }, /field "mqttUrl" must start with mqtt:\/\//],
  [{ mqttUrl: 'nonsense' }, /field "mqttUrl"/],
  [{ releaseKeys: ['not a key'] }, /field "releaseKeys.0"/],
  [{ components: { ups: { driver: 'nut' } } }, /field "components.ups.host" is required\.$/],
  [{ allowedNetworks: ['10.0.0.1/8'] }, /field "allowedNetworks" holds "10.0.0.1\/8", in which bits beyond the prefix/],
  [
    { allowedNetworks: ['cabinet'] },
    /field "allowedNetworks" must hold .* such as 192.168.1.0\/24, but holds "cabinet"\.$/,
  ],
])('a wrong field is named in one sentence: %o', (change, sentence) => {
  const read = () => readConfiguration(fileWith(JSON.stringify({ ...GOOD, ...change })))
  expect(read).toThrow(sentence)
  expect(read).not.toThrow(/secret-key/)
  expect(read).not.toThrow(/\n/)
})

test('a file that an editor of Windows has saved is read like any other', () => {
  expect(readConfiguration(fileWith(`\ufeff${JSON.stringify(GOOD, null, 2).replaceAll('\n', '\r\n')}\r\n`)).guid).toBe(
    GOOD.guid,
  )
})

test('a file that is missing, or is not JSON, is said so', () => {
  expect(() => readConfiguration('/nowhere/device.json')).toThrow('Cannot read /nowhere/device.json: ENOENT.')
  expect(() => readConfiguration(fileWith('{"guid":'))).toThrow(/is not JSON/)
  expect(() => readConfiguration(fileWith('[]'))).toThrow(/is not a device configuration/)
})
