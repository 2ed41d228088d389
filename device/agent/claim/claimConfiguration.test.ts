import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfiguration } from '../store/configuration.ts'
import { claimConfiguration } from './claimConfiguration.ts'

const CONFIGURATION = {
  ...{ guid: crypto.randomUUID(), name: 'Totem', modelId: 22, releaseKeys: [] },
  ...{ mqttUrl: 'mqtt://127.0.0.1', httpUrl: 'http://127.0.0.1' },
}
const FACTS = { model: '', hostName: 'totem', clientVersion: '1.2.3', serialNumbers: [], macAddresses: [] }

/** Lets a device be claimed at once. */
async function claimedFile(allowedNetworks: readonly string[], said: object = {}) {
  const configuration = { ...CONFIGURATION, ...said }
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ state: 'claimed', customerName: 'Nordlys', configuration }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const folder = mkdtempSync(join(tmpdir(), 'claim-'))
  const file = join(folder, 'device.json')
  await claimConfiguration({
    ...{ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, claimKey: undefined, facts: FACTS },
    ...{ allowedNetworks, file, dataFolder: folder, log: () => undefined, random: () => 0 },
    signal: AbortSignal.timeout(5000),
  })
  return file
}

test('a claimed device has the file that is downloaded for others: no network is allowed that nobody wrote', async () => {
  const file = await claimedFile([])
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8'))).toSorted()).toEqual(
    [...Object.keys(CONFIGURATION), 'key'].toSorted(),
  )
  expect(readConfiguration(file).allowedNetworks).toEqual([])
})

test('networks that its own settings name come into the file, and the server adds none', async () => {
  expect(readConfiguration(await claimedFile(['192.168.7.0/24'])).allowedNetworks).toEqual(['192.168.7.0/24'])
  expect(readConfiguration(await claimedFile([], { allowedNetworks: ['10.0.0.0/8'] })).allowedNetworks).toEqual([])
  await expect(claimedFile(['192.168.7.9/24'])).rejects.toThrow(/^WAYSIDE_ALLOWED_NETWORKS holds "192.168.7.9\/24"/)
})
