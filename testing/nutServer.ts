import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './freePort.ts'
import { passTime } from './passTime.ts'

const run = promisify(execFile)
const UPSD = '/lib/nut/upsd'
const DRIVER = '/lib/nut/dummy-ups'
/** `upsrw` needs it, because it takes no password with blanks. */
const SETTER = '[hardware]\npassword = plain\nactions = SET'
const STARTS_WITHIN_MS = 15_000

/** Says why no `upsd` can be tested; undefined where Debian's nut-server is installed. Skipped tests print it. */
export const nutIsMissing = [UPSD, DRIVER, '/bin/upsc', '/bin/upsrw'].every(existsSync)
  ? undefined
  : "NOT RUN with a real upsd: Debian's package nut-server is not installed."

export interface NutServer {
  readonly options: { readonly host: string; readonly port: number; readonly ups: string }
  readonly user: { readonly username: string; readonly password: string }
  /** Reads all variables with NUT's own client `upsc`. */
  variables(): Promise<ReadonlyMap<string, string>>
  /** Changes a variable of the UPS, as its hardware would. */
  set(variable: string, value: string): Promise<void>
  /** Ends the driver of the UPS; upsd stays. */
  loseUps(): Promise<void>
  stop(): Promise<void>
}

/** Starts Debian's `upsd` with its `dummy-ups` by path, in a folder of its own; the UPS is called cabinet. */
export async function startNutServer(given: Readonly<Record<string, string>>): Promise<NutServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nut-'))
  const options = { host: '127.0.0.1', port: await freePort(), ups: 'cabinet' }
  const user = { username: 'wayside', password: 'a "secret" word' }
  const write = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  const quoted = `"${user.password.replaceAll('"', '\\"')}"`
  write('cabinet.dev', ...Object.entries(given).map(([name, value]) => `${name}: ${value}`))
  write('ups.conf', '[cabinet]', 'driver = dummy-ups', 'port = cabinet.dev', 'mode = dummy-once')
  write('upsd.conf', `LISTEN ${options.host} ${options.port}`)
  write('upsd.users', `[${user.username}]`, `password = ${quoted}`, 'instcmds = ALL', SETTER)
  const env = { NUT_CONFPATH: folder, NUT_STATEPATH: folder, NUT_ALTPIDPATH: folder }
  const address = `cabinet@${options.host}:${options.port}`
  const variables = async () => {
    const { stdout } = await run('/bin/upsc', [address], { env })
    return new Map(stdout.split('\n').map((line) => line.split(': ', 2) as [string, string]))
  }
  const start = async (program: string, args: readonly string[], isUp: () => Promise<boolean>) => {
    const child = spawn(program, args, { env, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until(async () => child.exitCode !== null || (await isUp()))
    if (child.exitCode !== null) throw new Error(`${program} does not start.`)
    return async () => {
      child.kill('SIGTERM')
      await ended
    }
  }
  const endDriver = await start(DRIVER, ['-a', 'cabinet', '-F', '-u', 'root'], async () =>
    existsSync(join(folder, 'dummy-ups-cabinet')),
  )
  const endServer = await start(UPSD, ['-F', '-u', 'root'], () =>
    variables().then(
      // The driver reports the status WAIT until it has read its file.
      (heard) => Object.entries(given).every(([name, value]) => heard.get(name) === value),
      () => false,
    ),
  )
  return {
    options,
    user,
    variables,
    set: async (variable, value) => {
      await run('/bin/upsrw', ['-s', `${variable}=${value}`, '-u', 'hardware', '-p', 'plain', address], { env })
      await until(async () => (await variables()).get(variable) === value)
    },
    loseUps: endDriver,
    stop: async () => {
      await endServer()
      await endDriver()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + STARTS_WITHIN_MS
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('NUT takes too long.')
    await passTime(30, 'NUT tells nobody when something has happened')
  }
}
