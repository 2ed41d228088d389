import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { socatIsMissing } from '#testing/totem/pseudoTerminals.ts'
import { ALIVE } from './clientFolder.ts'
import { readServiceWatch } from './config.ts'
import { Supervisor, type SupervisorOptions } from './Supervisor.ts'
import { showLife } from './signsOfLife.ts'

/** Installs one client, which records each start and then runs this program. */
function versionsWith(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'alive-'))
  const path = join(folder, 'client.mjs')
  writeFileSync(path, program)
  const none = () => undefined
  const versions: SupervisorOptions['versions'] = {
    current: async () => ({ version: '1.0.0', path }),
    nextTrial: async () => undefined,
    isConfirmed: () => false,
    ...{ promote: none, fail: none, hasTrial: () => false },
    ...{ isProven: () => true, prove: none, noteEarlyEnd: async () => false },
  }
  return versions
}

/** Resolves with the launcher's output once a line matches. */
async function saidUntil(program: string, line: RegExp, silentAfterMs = 300): Promise<readonly string[]> {
  const said: string[] = []
  const heard = Promise.withResolvers<void>()
  const supervisor = new Supervisor({
    ...{ versions: versionsWith(program), agentArguments: [], trialMs: 1000, silentAfterMs },
    log: (words) => {
      said.push(words)
      if (line.test(words)) heard.resolve()
    },
  })
  onTestFinished(() => supervisor.stop())
  await heard.promise
  supervisor.stop()
  await supervisor.ended
  return said
}

test('a client that has said that it lives and then hangs is ended and started again', {
  timeout: 10_000,
}, async () => {
  const hangs = `process.send('${ALIVE}'); setTimeout(() => { while (true); }, 50)`
  expect(await saidUntil(hangs, /started again/)).toEqual([
    'Starting version 1.0.0.',
    'The client has shown no sign of life for 0.3 s, and is ended.',
    'Version 1.0.0 showed no sign of life for 0.3 s and was ended; it is started again in 1 s.',
  ])
})

test('a client that goes on saying it stays, and so does one of a version that never says it', async () => {
  // The limit is longer than a busy computer delays a process.
  const lives = `setInterval(() => process.send('${ALIVE}'), 50); setTimeout(() => process.exit(7), 2500)`
  expect(await saidUntil(lives, /started again/, 1500)).toEqual([
    'Starting version 1.0.0.',
    'Version 1.0.0 ended with code 7; it is started again in 1 s.',
  ])
  const silent = `setTimeout(() => process.exit(8), 600)`
  expect((await saidUntil(silent, /started again/))[1]).toContain('ended with code 8')
})

test('what systemd says of a watch is read, and without one nothing is told', () => {
  expect(readServiceWatch({ NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '60000000' })).toEqual({
    socket: '/run/systemd/notify',
    watchdogMs: 60_000,
  })
  expect(readServiceWatch({ WATCHDOG_USEC: 'soon' })).toEqual({ socket: undefined, watchdogMs: undefined })
  expect(showLife(readServiceWatch({}), () => expect.unreachable())()).toBeUndefined()
})

const notifyIsMissing = existsSync('/usr/bin/systemd-notify')
  ? socatIsMissing
  : "NOT RUN with systemd-notify: Debian's package systemd is not installed."
if (notifyIsMissing) console.warn(notifyIsMissing)
test.skipIf(notifyIsMissing)('systemd hears that the launcher is ready, that it lives, and that it stops', async () => {
  const socket = join(mkdtempSync(join(tmpdir(), 'notify-')), 'socket')
  const listener = spawn('socat', ['-u', `UNIX-RECV:${socket}`, '-'], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void listener.kill())
  let heard = ''
  let look = () => {}
  listener.stdout.on('data', (bytes: Buffer) => {
    heard += bytes.toString()
    look()
  })
  const until = (words: string) =>
    new Promise<void>((resolve) => {
      look = () => heard.includes(words) && resolve()
      look()
    })
  while (!existsSync(socket)) await passTime(10, 'socat tells nobody that it listens')
  const complaints: string[] = []
  const end = showLife({ socket, watchdogMs: 100 }, (line) => complaints.push(line))
  await until('READY=1')
  await until('WATCHDOG=1')
  end()
  await until('STOPPING=1')
  expect(complaints).toEqual([])
})

const ANALYZE = '/usr/bin/systemd-analyze'
if (!existsSync(ANALYZE)) console.warn("NOT RUN with systemd-analyze: Debian's package systemd is not installed.")
test.skipIf(!existsSync(ANALYZE))('the unit is one that systemd reads without a complaint', () => {
  const unit = readFileSync(new URL('../../deploy/device/wayside-client.service', import.meta.url), 'utf8')
  const file = join(mkdtempSync(join(tmpdir(), 'unit-')), 'wayside-client.service')
  // The program and the user do not exist on a test computer.
  writeFileSync(file, unit.replace('/usr/lib/wayside-client/node', '/bin/true').replace(/^(User|Group)=.*$/gm, ''))
  const { stderr } = spawnSync(ANALYZE, ['verify', '--man=no', file], { encoding: 'utf8' })
  expect(stderr.split('\n').filter((line) => line.includes('wayside-client'))).toEqual([])
})
