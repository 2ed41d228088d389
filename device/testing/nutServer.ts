import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withUpsd } from '#device/hardware/nut/upsdSession.ts'
import { passTime } from './passTime.ts'

const [UPSD, DUMMY] = ['/lib/nut/upsd', '/lib/nut/dummy-ups']
/** Of `nut-server`, which a machine may not have: tests that need it say so by being skipped with this title. */
export const hasNut = existsSync(UPSD) && existsSync(DUMMY)

export interface NutServer {
  readonly options: { readonly host: string; readonly port: number; readonly ups: string }
  readonly user: { readonly username: string; readonly password: string }
  /** Changes a variable of the UPS, as its hardware would. */
  set(variable: string, value: string): Promise<void>
  /** The driver of the UPS ends, and upsd stays. */
  loseUps(): Promise<void>
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Debian's `upsd` before its `dummy-ups`, started by path in a folder of its own. */
export async function startNutServer(variables: Readonly<Record<string, string>>): Promise<NutServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nut-'))
  const options = { host: '127.0.0.1', port: await freePort(), ups: 'cabinet' }
  const user = { username: 'wayside', password: 'a "secret" word' }
  const write = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  write('cabinet.dev', ...Object.entries(variables).map(([name, value]) => `${name}: ${value}`))
  write('ups.conf', '[cabinet]', 'driver = dummy-ups', 'port = cabinet.dev', 'mode = dummy-once')
  write('upsd.conf', `LISTEN 127.0.0.1 ${options.port}`)
  write(
    'upsd.users',
    '[wayside]',
    `password = "${user.password.replace(/"/g, '\\"')}"`,
    'actions = SET',
    'instcmds = ALL',
  )
  const env = { NUT_CONFPATH: folder, NUT_STATEPATH: folder, NUT_ALTPIDPATH: folder }
  const start = async (program: string, args: readonly string[], isUp: () => boolean | Promise<boolean>) => {
    const child = spawn(program, args, { env, stdio: 'ignore' })
    const ended = once(child, 'exit')
    const limit = performance.now() + 15_000
    while (!(await isUp())) {
      if (child.exitCode !== null || performance.now() > limit) throw new Error(`${program} does not start.`)
      await passTime(30, 'a program of NUT tells nobody when it listens')
    }
    return async () => {
      child.kill('SIGTERM')
      await ended
    }
  }
  const signal = () => AbortSignal.timeout(3000)
  const answers = () =>
    // Commands come last: before, upsd says what it has heard of the UPS so far.
    withUpsd(options, signal(), (session) => session.list('CMD cabinet')).then(
      (commands) => commands.length > 0,
      () => false,
    )
  const endUps = await start(DUMMY, ['-a', 'cabinet', '-F', '-u', 'root'], () =>
    existsSync(join(folder, 'dummy-ups-cabinet')),
  )
  const endServer = await start(UPSD, ['-F', '-u', 'root'], answers)
  return {
    options,
    user,
    set: (variable, value) =>
      withUpsd({ ...options, ...user }, signal(), async (session) => {
        await session.say('SET', 'VAR', 'cabinet', variable, value)
        while ((await session.say('GET', 'VAR', 'cabinet', variable))[3] !== value) {
          await passTime(30, 'upsd hands a value on to the driver, which says it at its next turn')
        }
      }),
    loseUps: endUps,
    stop: async () => {
      await endServer()
      await endUps().catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
