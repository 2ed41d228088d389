import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findNode24, ROOT } from './node24.mjs'
import { MODULES_FOLDER, SERVER_ENVIRONMENT, SERVER_FLAGS } from './serverProcess.mjs'

const FOLLOW_PARENT = new URL('followParent.mjs', import.meta.url).href

/** `npm start` promises 4 s from the signal to the last free port. */
const KILL_AFTER_MS = 3_700
const WATCH_PARENT_MS = 500

/** @type {{ child: import('node:child_process').ChildProcess, stopSignal: NodeJS.Signals } | undefined} */
let present
let stopRequested = false

/** Only this process passes signals to the child: a terminal and npm would each send one more. */
function passSignalsOn() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop())
  // npm forwards nothing when it is killed outright.
  if (process.env.npm_lifecycle_event === undefined) return
  const npm = npmAbove()
  setInterval(() => npmAbove() === npm || stop(), WATCH_PARENT_MS).unref()
}
passSignalsOn()

/** Returns the process id of npm: our parent, or its parent, where the shell of npm's scripts stands between. */
function npmAbove() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? []
    return /^(da|ba|)sh$/.test(name) ? Number(parent) : process.ppid
  } catch {
    return process.ppid
  }
}

function stop() {
  if (stopRequested) return
  stopRequested = true
  if (present === undefined) process.exit(130)
  const { child, stopSignal } = present
  child.kill(stopSignal)
  setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref()
}

export const isStopping = () => stopRequested

export const endProgram = () => present?.child.kill(present.stopSignal)

/**
 * Runs a program to its end; one at a time.
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv, follow?: boolean, stopSignal?: NodeJS.Signals }} options
 * @returns {Promise<{ code: number, output: string }>} the code of a child that we stopped is that of the
 *   interruption; `output` is empty unless `quiet`
 */
export function run(program, programArguments, options = {}) {
  const { quiet = false, env = process.env, follow = false, stopSignal = 'SIGTERM' } = options
  return new Promise((resolve, reject) => {
    const output = quiet ? 'pipe' : 'inherit'
    const child = spawn(program, programArguments, {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['inherit', output, output, ...(follow ? ['ipc'] : [])],
    })
    present = { child, stopSignal }
    let heard = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        heard += text
      })
    }
    child.on('error', reject)
    child.on('close', (code) => {
      present = undefined
      resolve({ code: code ?? (stopRequested ? 130 : 1), output: heard })
    })
  })
}

/** Runs one of our TypeScript programs, which ends when this process is killed. */
export async function runProgram(path, programArguments = []) {
  const { code } = await run(findNode24(), ['--import', FOLLOW_PARENT, path, ...programArguments], { follow: true })
  return code
}

/** Runs the server to its end, as `serverProcess.mjs` says. */
export async function runServer(serverArguments = []) {
  const env = { ...SERVER_ENVIRONMENT, ...process.env }
  const nodeArguments = ['--import', FOLLOW_PARENT, ...SERVER_FLAGS, programPath('server/programs/start.ts')]
  const runOnce = (/** @type {readonly string[]} */ more) =>
    run(findNode24(), [...nodeArguments, ...more], { follow: true, env })
  // A separate first run compiles, because the compiler of TypeScript would stay in the memory of the server.
  if (!existsSync(MODULES_FOLDER)) await runOnce(['--only-compile'])
  const { code } = stopRequested ? { code: 130 } : await runOnce(serverArguments)
  return code
}

export const programPath = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))
