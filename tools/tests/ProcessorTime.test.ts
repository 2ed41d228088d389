import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessorTime } from './ProcessorTime.ts'

const USED_SECONDS = 0.8
/** A process works a little before it can report its time, and after it. */
const UNSAID_SECONDS = 0.5

const USE = `
  while (process.cpuUsage().user < ${USED_SECONDS * 1e6});
  const { user, system } = process.cpuUsage()
  console.log(process.pid, (user + system) / 1e6)`
const USE_AND_STAY = `${USE}; setInterval(() => {}, 1e6)`
/** It ends before the process that it starts is at work. */
const LEAVE_BEHIND = `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, ['-e', ${JSON.stringify(USE_AND_STAY)}], { detached: true, stdio: 'inherit' }).unref()`
const STAY_WITH_A_CHILD = `
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(USE_AND_STAY)}], { stdio: 'inherit' })
  ${USE_AND_STAY}`

let time: ProcessorTime
beforeEach(() => {
  time = new ProcessorTime()
})
afterEach(() => time.stop())

const start = (program: string) =>
  spawn(process.execPath, ['-e', program], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })

/** Reads what so many processes report when they have used their time. */
async function hear({ stdout }: ChildProcess, count: number) {
  if (stdout === null) throw new Error('The process has no output.')
  const said: { readonly pid: number; readonly seconds: number }[] = []
  for await (const line of createInterface({ input: stdout })) {
    const [pid = 0, seconds = 0] = line.split(' ').map(Number)
    if (said.push({ pid, seconds }) === count) break
  }
  return said
}

/** Starts to measure what others use, beside this process. */
function sinceNow() {
  const own = process.cpuUsage()
  const before = time.seconds() ?? Number.NaN
  return () => {
    const { user, system } = process.cpuUsage(own)
    return (time.seconds() ?? Number.NaN) - before - (user + system) / 1e6
  }
}

function expectUsed(seconds: number, said: readonly { readonly seconds: number }[]): void {
  const sum = said.reduce((all, one) => all + one.seconds, 0)
  expect(seconds).toBeGreaterThan(sum - 0.1)
  expect(seconds).toBeLessThan(sum + UNSAID_SECONDS)
}

const endAll = (pid: number | undefined) => process.kill(-(pid ?? Number.NaN), 'SIGKILL')

test.runIf(process.platform === 'linux')('a program that has ended counts with what it used, once', async () => {
  const used = sinceNow()
  const child = start(USE)
  const [said] = await Promise.all([hear(child, 1), once(child, 'exit')])
  expectUsed(used(), said)
  expectUsed(used(), said)
})

test.runIf(process.platform === 'linux')(
  'a program whose starter ended first counts while it runs and after it was killed',
  async () => {
    const used = sinceNow()
    const starter = start(LEAVE_BEHIND)
    const [said] = await Promise.all([hear(starter, 1), once(starter, 'exit')])
    expectUsed(used(), said)
    endAll(said[0]?.pid)
    await isGone(said[0]?.pid)
    expectUsed(used(), said)
  },
)

test.runIf(process.platform === 'linux')(
  'programs that were killed together count with what each of them used',
  async () => {
    const used = sinceNow()
    const child = start(STAY_WITH_A_CHILD)
    const said = await hear(child, 2)
    expectUsed(used(), said)
    endAll(child.pid)
    await Promise.all([once(child, 'exit'), ...said.map(({ pid }) => isGone(pid))])
    expectUsed(used(), said)
  },
)

async function isGone(pid: number | undefined): Promise<void> {
  await expect.poll(() => isThere(pid)).toBe(false)
}

function isThere(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? Number.NaN, 0)
  } catch {
    return false
  }
}
