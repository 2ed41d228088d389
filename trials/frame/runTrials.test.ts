import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isAlive } from '#server/db/embedded/processes.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'

const PROGRAM = new URL('./testing/trialProgram.ts', import.meta.url)

function start(...given: string[]) {
  const child = fork(PROGRAM, given, { silent: true, execArgv: [] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
  return { child, ended }
}

interface Held {
  readonly folder: string
  readonly ownerUrl: string
  readonly pid: number
  readonly port: number
}

async function holding() {
  const { child, ended } = start('holding')
  const [held] = (await Promise.race([
    once(child, 'message'),
    ended.then(({ output }) => Promise.reject(new Error(output))),
  ])) as [Held]
  return { child, ended, held }
}

const takesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.unref()
  })

async function whatIsLeft({ folder, ownerUrl, pid, port }: Held) {
  const database = new pg.Client({ connectionString: ownerUrl })
  const answers = await database.connect().then(
    () => true,
    () => false,
  )
  if (answers) await database.end()
  return { folder: existsSync(folder), database: answers, child: isAlive(pid), port: await takesConnections(port) }
}

const EVERYTHING = { folder: true, database: true, child: true, port: true }
const NOTHING = { folder: false, database: false, child: false, port: false }

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends everything a trial holds', async (signal) => {
  const { child, ended, held } = await holding()
  expect(await whatIsLeft(held)).toEqual(EVERYTHING)
  child.kill(signal)
  expect(await ended).toMatchObject({ code: 130 })
  expect(await whatIsLeft(held)).toEqual(NOTHING)
})

test('a killed trial leaves nothing behind', async () => {
  const { child, held } = await holding()
  child.kill('SIGKILL')
  const isNothing = (left: object) => !Object.values(left).includes(true)
  expect(await eventually(() => whatIsLeft(held), isNothing)).toEqual(NOTHING)
})

test('what a trial leaves that was killed with all that watches it is removed by the next', async () => {
  const { child, held } = await holding()
  process.kill(Number(execFileSync('pgrep', ['-P', `${child.pid}`, '-f', 'clearAfter.ts'])), 'SIGKILL')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await whatIsLeft(held)).toMatchObject({ folder: true, database: true })
  await start('rolling').ended
  expect(await whatIsLeft(held)).toMatchObject({ folder: false, database: false })
})

const rolls = (output: string) => output.match(/^rolled .*$/gm)

test('the printed command rolls the same dice again', async () => {
  const first = await start('rolling').ended
  const [, seed = ''] = /--seed (\d+)/.exec(first.output) ?? []
  const again = await start('rolling', '--seed', seed).ended
  const other = await start('rolling', '--seed', `${Number(seed) + 1}`).ended
  expect(rolls(first.output)).toHaveLength(5)
  expect(rolls(again.output)).toEqual(rolls(first.output))
  expect(rolls(other.output)).not.toEqual(rolls(first.output))
})

test('a trial ends when its time is over, however many rounds are left', async () => {
  const { code, output } = await start('rolling', '--rounds', '1000000', '--seconds', '1').ended
  expect(code).toBe(0)
  expect(rolls(output)?.length).toBeGreaterThan(0)
})

test('what is found wrong fails the trial, which goes on and says how to repeat it', async () => {
  const { code, output } = await start('rolling', '--seed', '3', '--wrong-at', '1').ended
  expect(code).toBe(1)
  expect(rolls(output)).toHaveLength(5)
  expect(output).toContain('WRONG: round 1')
  expect(output).toContain('Again: npm run campaign -- rolling --seed 3 --rounds 5 --seconds 0 --wrong-at 1')
})

test('a trial that breaks has failed', async () => {
  const { code, output } = await start('throwing').ended
  expect(code).toBe(1)
  expect(output).toContain('It broke.')
  expect(output).toContain('0 passed, 1 failed')
})

test('an option that makes no sense starts nothing', async () => {
  const { code, output } = await start('rolling', '--rounds', '0').ended
  expect({ code, output }).toEqual({ code: 1, output: '--rounds needs at least 1, not 0.\n' })
})
