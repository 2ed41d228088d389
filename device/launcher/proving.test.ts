import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildReleases, type Releases } from '#device/testing/releases.ts'
import { type ClientFolder, openClientFolder, untriedFile } from './clientFolder.ts'
import { InstalledVersions } from './InstalledVersions.ts'
import { Supervisor } from './Supervisor.ts'

/** This stands for the half hour of a real launcher, and is more than a busy computer takes for what follows. */
const PROVEN_AFTER_MS = 60_000
const SOON_MS = 1500
const UPDATE_ID = '7d2f8f0e-9c1b-4b0a-8b52-5f4c6e1d2a3b'
const STAYS = 'setInterval(() => {}, 1000)'
/** A healthy client does this in its trial. */
const CONFIRMS = `
const fs = process.getBuiltinModule('node:fs')
const at = process.argv.indexOf('--client') + 1
if (process.argv.includes('--trial')) fs.writeFileSync(process.argv[at] + '/confirmed.json', '{"updateId":"${UPDATE_ID}"}')
`

let releases: Releases
const launched: (() => void)[] = []
beforeAll(async () => {
  // Clients inherit it, so that one that leaks soon runs out of memory.
  process.env.NODE_OPTIONS = '--max-old-space-size=40'
  releases = await buildReleases()
}, 60_000)
afterAll(() => {
  for (const stop of launched) stop()
  delete process.env.NODE_OPTIONS
})

/** A device whose client 1.0.0 has installed this program as 1.0.1. */
async function deviceWith(program: string) {
  const root = mkdtempSync(join(tmpdir(), 'proving-'))
  const first = join(root, 'first.mjs')
  writeFileSync(first, await releases.ofProgram(STAYS, '1.0.0'))
  const folder = openClientFolder(join(root, 'client'))
  await new InstalledVersions(folder, first, () => undefined).current()
  plan(folder, await releases.ofProgram(CONFIRMS + program, '1.0.1'), '1.0.1', UPDATE_ID)
  return { folder, first, client: join(root, 'client') }
}

function plan(folder: ClientFolder, release: Uint8Array, version: string, updateId: string): void {
  writeFileSync(join(folder.files, untriedFile(version)), release)
  folder.write('trial', { version, file: untriedFile(version), updateId, attempts: 0 })
}

type Device = Awaited<ReturnType<typeof deviceWith>>

function launch({ folder, first, client }: Device, times: { silentAfterMs?: number; provenAfterMs?: number } = {}) {
  const said: string[] = []
  const looks: (() => void)[] = []
  const supervisor = new Supervisor({
    versions: new InstalledVersions(folder, first, (line) => log(line)),
    ...{ agentArguments: ['--client', client], trialMs: 60_000, provenAfterMs: PROVEN_AFTER_MS, ...times },
    log: (line) => log(line),
  })
  function log(line: string) {
    said.push(line)
    for (const look of looks) look()
  }
  launched.push(() => supervisor.stop())
  return {
    said,
    saidTimes: (line: RegExp, times: number) =>
      new Promise<void>((resolve) => {
        const look = () => said.filter((one) => line.test(one)).length >= times && resolve()
        looks.push(look)
        look()
      }),
    stop: async () => {
      supervisor.stop()
      await supervisor.ended
    },
  }
}

test.concurrent.each<[string, string, RegExp]>([
  ['at once after its trial', `setTimeout(() => process.exit(3), 400)`, /The last time it ended with code 3\.$/],
  [
    'some time later',
    `setTimeout(() => { throw new Error('The cache is full.') }, 2500)`,
    /The last time it ended with code 1\. It last said: Error: The cache is full\.$/,
  ],
  [
    'because its memory is full',
    `const kept = []
     setTimeout(() => { for (;;) kept.push({ more: 'x' + kept.length }) }, 400)`,
    /The last time it (was ended by SIGABRT|ended with code 13\d)\. It last said: FATAL ERROR: .*heap out of memory/,
  ],
  [
    'by the launcher, because it hangs',
    `process.send('alive'); setTimeout(() => { for (;;); }, 200)`,
    /The last time it showed no sign of life for 1 s and was ended\.$/,
  ],
])(
  'a version that passes its trial and then ends %s is left for the one before, and says why',
  {
    timeout: 120_000,
  },
  async (_, program, words) => {
    const device = await deviceWith(program)
    const { said, saidTimes, stop } = launch(device, { silentAfterMs: 1000 })
    await saidTimes(/^Starting version 1\.0\.0\.$/, 1)
    await stop()
    expect(said.filter((line) => line.startsWith('Starting'))).toEqual([
      'Starting version 1.0.1 for a trial.',
      'Starting version 1.0.1.',
      'Starting version 1.0.1.',
      'Starting version 1.0.0.',
    ])
    const failed = device.folder.read('failed')
    expect(failed).toMatchObject({ version: '1.0.1', updateId: UPDATE_ID })
    expect(failed?.reason).toMatch(/^Version 1\.0\.1 ended 3 times before it had run for 1 min in one piece\./)
    expect(failed?.reason).toMatch(words)
    expect(device.folder.read('current')).toMatchObject({ version: '1.0.0', previous: null })
    expect(device.folder.programs()).toEqual(['1.0.0.mjs'])
  },
)

test('a version that has run for long enough stays, however often it ends afterwards', {
  timeout: 60_000,
}, async () => {
  const once = join(mkdtempSync(join(tmpdir(), 'once-')), 'ran')
  const device = await deviceWith(
    `const ran = ${JSON.stringify(once)}
     setTimeout(() => process.exit(4), fs.existsSync(ran) ? 50 : ${SOON_MS * 2})
     fs.writeFileSync(ran, '')`,
  )
  const { said, saidTimes, stop } = launch(device, { provenAfterMs: SOON_MS })
  await saidTimes(/ended with code 4; it is started again/, 4)
  await stop()
  expect(said).toContain('Version 1.0.1 has proven itself.')
  expect(existsSync(once)).toBe(true)
  expect(device.folder.read('failed')).toBeUndefined()
  expect(device.folder.read('current')).toMatchObject({ version: '1.0.1', previous: '1.0.0.mjs' })
})

test('ends are counted over restarts of the launcher, and its own stop is none', { timeout: 60_000 }, async () => {
  const device = await deviceWith(`setTimeout(() => process.exit(5), 400)`)
  const before = launch(device)
  await before.saidTimes(/it is started again/, 2)
  await before.stop()
  expect(device.folder.read('current')).toMatchObject({ version: '1.0.1', earlyEnds: 2 })
  const after = launch(device)
  await after.saidTimes(/^Starting version 1\.0\.0\.$/, 1)
  await after.stop()
  expect(after.said.filter((line) => line.startsWith('Starting'))).toEqual([
    'Starting version 1.0.1.',
    'Starting version 1.0.0.',
  ])
})

test('what has not proven itself is nothing to go back to: the next version keeps the one before it', async () => {
  const device = await deviceWith(STAYS)
  const { folder } = device
  const first = launch(device)
  await first.saidTimes(/^Version 1\.0\.1 is healthy and stays\.$/, 1)
  await first.stop()
  const next = 'a8f5f167-f44f-4964-8c99-8b9d6d3a1c22'
  plan(folder, await releases.ofProgram(CONFIRMS.replace(UPDATE_ID, next) + STAYS, '1.0.2'), '1.0.2', next)
  const second = launch(device)
  await second.saidTimes(/^Version 1\.0\.2 is healthy and stays\.$/, 1)
  await second.stop()
  expect(folder.read('current')).toMatchObject({ version: '1.0.2', previous: '1.0.0.mjs' })
  expect(folder.programs()).toEqual(['1.0.2.mjs', '1.0.0.mjs'])
})

test('a power cut while a version is given up leaves the one before', async () => {
  const device = await deviceWith(STAYS)
  const { folder, first } = device
  const before = launch(device)
  await before.saidTimes(/^Version 1\.0\.1 is healthy and stays\.$/, 1)
  await before.stop()
  // The power went after the reason was written, and before the program was changed.
  folder.write('failed', { version: '1.0.1', updateId: UPDATE_ID, reason: 'It ended three times.' })
  expect(await new InstalledVersions(folder, first, () => undefined).current()).toMatchObject({ version: '1.0.0' })
  expect(readFileSync(join(device.client, 'current.json'), 'utf8')).toContain('"version":"1.0.0"')
})

test('a version that nothing stands behind is started again and again', { timeout: 60_000 }, async () => {
  const device = await deviceWith(`setTimeout(() => process.exit(6), 300)`)
  const { said, saidTimes, stop } = launch(device)
  await saidTimes(/^Version 1\.0\.1 is healthy and stays\.$/, 1)
  writeFileSync(join(device.folder.files, '1.0.0.mjs'), 'damaged')
  await saidTimes(/ended with code 6; it is started again/, 3)
  await stop()
  expect(said).toContain('Version 1.0.1 keeps ending, but there is no whole version to go back to.')
  expect(device.folder.read('failed')).toBeUndefined()
})
