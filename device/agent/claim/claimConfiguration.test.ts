import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
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
const FACTS = { model: '', hostName: 'totem', clientVersion: '1.2.3', serialNumbers: ['SN <7>'], macAddresses: [] }

/** Lets a device ask a server that always says this, until `isSaid` ends it. */
async function askWhile(state: object, allowedNetworks: readonly string[], isSaid = (_: string) => false) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(state))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const folder = mkdtempSync(join(tmpdir(), 'claim-'))
  const file = join(folder, 'device.json')
  const ending = new AbortController()
  const pages: string[] = []
  const pageFolder = mkdtempSync(join(tmpdir(), 'page-'))
  const page = join(pageFolder, 'claim.html')
  const readPage = () => readFileSync(page, 'utf8')
  await claimConfiguration({
    ...{ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, claimKey: undefined, facts: FACTS },
    ...{ allowedNetworks, file, dataFolder: folder, pageFolder, random: () => 0 },
    log: (line) =>
      isSaid(line) &&
      setImmediate(() => {
        pages.push(readPage())
        ending.abort()
      }),
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(5000)]),
  })
  return { file, page, pages: [...pages, readPage()] }
}

async function claimedFile(allowedNetworks: readonly string[], said: object = {}) {
  const configuration = { ...CONFIGURATION, ...said }
  return (await askWhile({ state: 'claimed', customerName: 'Nordlys', configuration }, allowedNetworks)).file
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

test('the page says which device it is, and shows no code once nobody renews it', async () => {
  const state = { state: 'code', code: 'ABCD-2345', address: 'http://127.0.0.1/claim?code=ABCD2345', secondsLeft: 600 }
  const { page, pages } = await askWhile(state, [], (line) => line.includes('ABCD-2345'))
  const [shown = '', ended = ''] = pages
  expect(shown).toContain('<p class="code">ABCD-2345</p>')
  expect(shown).toContain('SN &lt;7&gt; · totem')
  expect(shown).not.toContain('<script')
  // The browser of the display is another user than the client.
  expect(statSync(page).mode & 0o777).toBe(0o644)
  expect(ended).toContain('Not running')
  expect(ended).not.toContain('ABCD')
})
