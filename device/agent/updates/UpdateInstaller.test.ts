import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AssignedRelease, ClientProgress } from '#contract/mqtt/client.ts'
import { cutAfter, type ReleaseServer, startReleaseServer, status } from '#device/testing/releaseServer.ts'
import { buildReleases, offerOf, type Releases } from '#device/testing/releases.ts'
import { GUID, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { fileBytes } from '#domain/releases/header.ts'
import { openClientPlace } from './clientPlace.ts'

const RUNNING = '1.2.3'
const LONG_MS = 30_000

let releases: Releases
let release: Uint8Array
let broker: TestBroker
let server: ReleaseServer
let folder: string
let client: string
let offered: AssignedRelease | null
let version = 0
const agents: TestAgent[] = []
const restarts: string[] = []

beforeAll(async () => {
  releases = await buildReleases()
  release = await releases.agent('1.3.0')
}, 60_000)
beforeEach(async () => {
  offered = null
  restarts.length = 0
  folder = temporaryFolder()
  client = join(folder, 'client')
  broker = await startTestBroker({ settings: documentNow })
  server = await startReleaseServer()
})
afterEach(async () => {
  for (const { stop } of agents.splice(0)) await stop().catch(() => undefined)
  await Promise.all([broker.stop(), server.stop()])
})

const documentNow = () => ({ version: ++version, modelId: 1, timeZone: 'UTC', components: [], client: offered })
const part = ({ sha256 }: AssignedRelease) => join(client, 'download', `${sha256}.part`)

/** Starts an agent as a launcher would, as far as the agent can notice. */
function start(options: Partial<Parameters<typeof startTestAgent>[0]> & { readonly trialId?: string } = {}): TestAgent {
  const restart = () => void restarts.push('restart')
  const clientPlace = openClientPlace({ folder: client, trialId: options.trialId, restart })
  const common = { url: broker.url, httpUrl: `${server.url}/`, folder, releaseKeys: [releases.publicKey], clientPlace }
  const started = startTestAgent({ ...common, ...options })
  agents.push(started)
  return started
}

async function offer(file: Uint8Array, change: Partial<AssignedRelease> = {}): Promise<AssignedRelease> {
  offered = { ...offerOf(file), ...change }
  server.add(offered.sha256, file)
  await broker.send(`v1/devices/${GUID}/settings`, documentNow())
  return offered
}

const progressOf = ({ updateId }: AssignedRelease) =>
  broker.replies
    .filter(({ commandId }) => commandId === `client-${updateId}`)
    .map(({ reply }) => reply as unknown as ClientProgress)
const stepsOf = (update: AssignedRelease) => progressOf(update).map(({ step }) => step)
const heard = (update: AssignedRelease, step: ClientProgress['step']) =>
  until(() => stepsOf(update).includes(step), `${step} after ${stepsOf(update)}`, LONG_MS)
async function reasonOf(update: AssignedRelease): Promise<string | null | undefined> {
  await heard(update, 'failed')
  expect(progressOf(update).at(-1)).toMatchObject({ step: 'failed', version: RUNNING, receivedBytes: null })
  return progressOf(update).at(-1)?.reason
}

test('a release is fetched with the key of the device, checked, planned as a trial, and started', async () => {
  start()
  const update = await offer(release)
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(progressOf(update)).toEqual([
    { updateId: update.updateId, step: 'downloading', version: RUNNING, receivedBytes: 0, reason: null },
    { updateId: update.updateId, step: 'verifying', version: RUNNING, receivedBytes: update.bytes, reason: null },
    { updateId: update.updateId, step: 'restarting', version: RUNNING, receivedBytes: null, reason: null },
  ])
  expect(server.asked).toEqual([
    { authorization: `Basic ${btoa(`${GUID}:key`)}`, fromBytes: 0, sentBytes: release.length },
  ])
  expect(readFileSync(join(client, 'files', '1.3.0.untried.mjs')).equals(release)).toBe(true)
  expect(JSON.parse(readFileSync(join(client, 'trial.json'), 'utf8'))).toEqual({
    version: '1.3.0',
    file: '1.3.0.untried.mjs',
    updateId: update.updateId,
    attempts: 0,
  })
  expect(readdirSync(join(client, 'download'))).toEqual([])
})

test('a download that is cut goes on where it ended, and no byte comes twice', async () => {
  start()
  server.next.push(cutAfter(300_000))
  const update = await offer(release)
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  const [first, second] = server.asked
  expect(first?.fromBytes).toBe(0)
  expect(second?.fromBytes).toBeGreaterThan(0)
  expect((second?.fromBytes ?? 0) + (second?.sentBytes ?? 0)).toBe(release.length)
  expect(server.asked).toHaveLength(2)
  const received = progressOf(update).flatMap(({ receivedBytes }) => (receivedBytes === null ? [] : [receivedBytes]))
  expect(received).toEqual([0, (second?.fromBytes ?? 0) - (release.length - update.bytes), update.bytes])
})

test('after a restart of the device the download goes on, too', async () => {
  const before = start()
  server.next.push(cutAfter(200_000), (response) => void response.writeHead(200))
  const update = await offer(release)
  await until(() => server.asked.length === 2, 'the second try', LONG_MS)
  await before.stop()
  server.next.push((response: ServerResponse, file) => {
    // The server supports no ranges, so the file begins anew.
    response.writeHead(200, { 'content-length': file.length }).end(file)
  })
  start()
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(server.asked[2]?.fromBytes).toBeGreaterThan(0)
  expect(stepsOf(update).at(-1)).toBe('restarting')
})

test('what a power cut has damaged on the disk is fetched anew', async () => {
  const update = offerOf(release)
  mkdirSync(join(client, 'download'), { recursive: true })
  writeFileSync(part(update), Buffer.alloc(200_000))
  start()
  await offer(release)
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(server.asked.map(({ fromBytes }) => fromBytes)).toEqual([200_000, 0])
})

test.each<[string, (file: Uint8Array) => Promise<Uint8Array> | Uint8Array, RegExp]>([
  ['somebody else has signed it', () => releases.foreign('1.3.0'), /^The signature of this release was not made with/],
  ['a byte is wrong', (file) => Uint8Array.from(file, (byte, at) => (at === 5000 ? byte ^ 1 : byte)), /damaged/],
  ['it is no release', (file) => new Uint8Array(file.length), /^This file is no release/],
  [
    'it is another version',
    () => releases.agent('1.3.1'),
    /^The server sent version 1\.3\.1 where 1\.3\.0 was announced/,
  ],
])('a release is refused and nothing of it stays when %s', async (_, made, sentence) => {
  start()
  const file = await made(release)
  const update = { ...offerOf(release), updateId: crypto.randomUUID() }
  server.add(update.sha256, file)
  offered = update
  await broker.send(`v1/devices/${GUID}/settings`, documentNow())
  expect(await reasonOf(update)).toMatch(sentence)
  expect(stepsOf(update)).toEqual(['downloading', 'verifying', 'failed'])
  expect(readdirSync(client).sort()).toEqual(['download', 'files'])
  expect([...readdirSync(join(client, 'files')), ...readdirSync(join(client, 'download'))]).toEqual([])
  expect(restarts).toEqual([])
})

test.each<[string, (response: ServerResponse, file: Uint8Array) => void, string]>([
  ['401', status(401), 'The server refused the download: it does not know the key of this device (401).'],
  ['403', status(403), 'The server refused the download (403).'],
  ['404', status(404), 'The server does not have this release any more (404).'],
  ['a redirect', status(302, { location: '/elsewhere' }), 'The server refused the download (302).'],
  [
    'another length',
    status(200, { 'content-length': '28' }),
    'The server has a file of 28 bytes where TOTAL were announced.',
  ],
  [
    'more than it announced',
    (response, file) => response.writeHead(200).end(Buffer.concat([file, file])),
    'The server sent more than the TOTAL bytes that were announced.',
  ],
])('a server that answers with %s ends the update, in a sentence', async (_, answer, sentence) => {
  start()
  server.next.push(answer)
  const update = await offer(release)
  expect(await reasonOf(update)).toBe(sentence.replace('TOTAL', String(fileBytes(update))))
  expect(server.asked).toHaveLength(1)
})

test('a server in trouble is asked again, and later when it asks for patience', async () => {
  start()
  server.next.push(status(500), status(429, { 'retry-after': '1' }))
  const update = await offer(release)
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(server.asked).toHaveLength(3)
  expect(stepsOf(update)).toEqual(['downloading', 'downloading', 'downloading', 'verifying', 'restarting'])
})

test('after eight tries without a byte the update is over', async () => {
  start()
  server.next.push(...new Array(8).fill(status(500)))
  const update = await offer(release)
  expect(await reasonOf(update)).toBe('The release could not be downloaded in 8 tries: the server answered 500.')
  expect(server.asked).toHaveLength(8)
})

test.skipIf(!existsSync('/dev/full'))('a full disk is said', async () => {
  const update = offerOf(release)
  mkdirSync(join(client, 'download'), { recursive: true })
  symlinkSync('/dev/full', part(update))
  start()
  await offer(release, update)
  expect(await reasonOf(update)).toBe('The device cannot write the new client to its disk: it is full.')
})

test('a folder that cannot be written is said', async () => {
  const update = offerOf(release)
  mkdirSync(part(update), { recursive: true })
  start()
  await offer(release, update)
  expect(await reasonOf(update)).toBe('The device cannot write the new client to its disk: EISDIR.')
})

test('without a launcher, or without a release key, every update is refused with the reason', async () => {
  const clientless = start({ clientPlace: undefined })
  const first = await offer(release)
  expect(await reasonOf(first)).toMatch(/started without its launcher/)
  await clientless.stop()
  start({ releaseKeys: [] })
  const second = await offer(release)
  expect(await reasonOf(second)).toBe(
    "This device's configuration holds no release key; download its configuration again.",
  )
  expect(server.asked).toEqual([])
})

test('the version that runs already is done at once', async () => {
  start()
  const update = await offer(await releases.agent(RUNNING))
  await heard(update, 'done')
  // The offer comes with the first settings too if it was made before they were asked for; each offer is answered.
  expect(new Set(stepsOf(update))).toEqual(new Set(['done']))
  expect(server.asked).toEqual([])
})

test('a withdrawn update ends, its part goes, and it does not come back with the next start', async () => {
  const agent = start()
  server.next.push(cutAfter(100_000), (response) => void response.writeHead(200))
  const update = await offer(release)
  await until(() => server.asked.length === 2, 'the second try', LONG_MS)
  expect(existsSync(part(update))).toBe(true)
  offered = null
  await broker.send(`v1/devices/${GUID}/settings`, documentNow())
  const withdrawn = `The update to client ${update.version} was withdrawn.`
  await until(() => broker.messages.some(({ msg }) => msg === withdrawn), 'said so', LONG_MS)
  expect(existsSync(part(update))).toBe(false)
  await agent.stop()
  const next = start()
  await until(() => next.agent.isUp(), 'connected again')
  const other = await offer(await releases.agent('1.3.1'))
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(stepsOf(update)).toEqual(['downloading', 'downloading'])
  expect(stepsOf(other).at(-1)).toBe('restarting')
})

test('an end that the server has not acknowledged is told again; an offer that is over is not carried out again', async () => {
  start()
  server.next.push(status(404))
  broker.isDeaf = true
  const update = offerOf(release)
  server.add(update.sha256, release)
  offered = update
  await broker.send(`v1/devices/${GUID}/settings`, documentNow())
  await until(() => server.asked.length === 1, 'asked for the file', LONG_MS)
  await until(() => agents[0]?.log.some((line) => line.includes('failed')) ?? false, 'it failed', LONG_MS)
  expect(stepsOf(update)).toEqual([])
  await broker.stop()
  broker.isDeaf = false
  await broker.start()
  await heard(update, 'failed')
  const count = stepsOf(update).length
  await broker.send(`v1/devices/${GUID}/settings`, documentNow())
  await until(() => stepsOf(update).length > count, 'told again', LONG_MS)
  expect(new Set(stepsOf(update))).toEqual(new Set(['failed']))
  expect(server.asked).toHaveLength(1)
})

test('a trial is confirmed by a report of its own that the server has stored, not by being connected', async () => {
  const updateId = crypto.randomUUID()
  const confirmed = () => existsSync(join(client, 'confirmed.json'))
  const { promise: readable, resolve: answer } = Promise.withResolvers<void>()
  const agent = start({
    trialId: updateId,
    aroundHardware: ({ computer, ...others }) => ({
      ...others,
      computer: { read: () => readable.then(() => computer.read()) },
    }),
  })
  await until(() => broker.messages.some(({ msg }) => msg === 'Connected.'), 'connected')
  // Messages are acknowledged in order, so the one before is acknowledged too.
  await agent.agent.publish('messages', JSON.stringify({ at: new Date(), msg: 'Still here.' }))
  // A withdrawal comes too late now.
  await broker.send(`v1/devices/${GUID}/settings`, documentNow())
  expect(confirmed()).toBe(false)
  broker.isDeaf = true
  answer()
  await agent.stop()
  expect(confirmed()).toBe(false)
  broker.isDeaf = false
  await broker.stop()
  await broker.start()
  start({ trialId: updateId })
  await until(confirmed, 'confirmed', LONG_MS)
  expect(JSON.parse(readFileSync(join(client, 'confirmed.json'), 'utf8'))).toEqual({ updateId })
  await until(() => stepsOf({ updateId } as AssignedRelease).includes('done'), 'done', LONG_MS)
  // Nothing else may be planned until the launcher has made it the current one.
  const next = await offer(release)
  await until(() => existsSync(join(client, 'files', '1.3.0.untried.mjs')), 'the next one is there', LONG_MS)
  expect(existsSync(join(client, 'trial.json'))).toBe(false)
  rmSync(join(client, 'confirmed.json'))
  await until(() => restarts.length === 1, 'the next update', LONG_MS)
  expect(stepsOf(next).at(-1)).toBe('restarting')
})

test.each([
  ['unsigned', () => undefined],
  ['with the signature of the release', (older: Uint8Array) => offerOf(older).signature],
  ['with that of another version', () => releases.backSignatureOf(release)],
])('an older release that never ran here is refused, %s, and not a byte is fetched', async (_, signatureOf) => {
  start()
  const older = await releases.ofProgram('// an old mistake', '1.0.0')
  const backSignature = signatureOf(older)
  const update = await offer(older, backSignature === undefined ? {} : { backSignature })
  expect(await reasonOf(update)).toBe(
    `Version 1.0.0 is older than ${RUNNING}, which runs here. This device goes back only to a version that it has run, or to one that is signed as a target for going back.`,
  )
  expect([server.asked, restarts]).toEqual([[], []])
})

test('it goes back to what was signed as a target for going back', async () => {
  start()
  const older = await releases.ofProgram('// a good one', '1.0.0')
  const update = await offer(older, { backSignature: releases.backSignatureOf(older) })
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(stepsOf(update)).toContain('restarting')
})

test('it goes back to what ran here and was healthy, however long ago', async () => {
  const before = start({ clientVersion: '1.0.0' })
  const seen = () => before.store.device(GUID).remembered('clientUpdate')?.includes('"run":["1.0.0"]') === true
  await until(seen, 'the note of a healthy run', LONG_MS)
  await before.stop()
  start()
  await offer(await releases.ofProgram('// the same again', '1.0.0'))
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
})

test('it goes back to a program that its launcher has kept', async () => {
  start()
  const older = await releases.ofProgram('// kept', '1.0.0')
  writeFileSync(join(client, 'files', '1.0.0.mjs'), older)
  await offer(older)
  await until(() => restarts.length === 1, 'the restart', LONG_MS)
  expect(server.asked).toEqual([])
})
