import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { emptyDatabase, runFolder } from '../testing/database/freshDatabase.ts'

const PROGRAM = fileURLToPath(new URL('./start.ts', import.meta.url))
const PLAIN_MODULES = new URL('../../tools/modulesWithoutTypes.mjs', import.meta.url)
const PASSWORD = 'gravel tuba at lantern pier'

let shared: string | undefined
/** All demos of this file share one database, because making one is slow. */
function demoFolder(): string {
  shared ??= runFolder('start')
  return shared
}

const running: ChildProcess[] = []
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})

function launch(
  dataFolder: string,
  environment: Record<string, string> = {},
  options: readonly string[] = ['--demo'],
  flags: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...flags, PROGRAM, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      WAYSIDE_HTTP_PORT: '0',
      WAYSIDE_MQTT_PORT: '0',
      WAYSIDE_DATA: dataFolder,
      WAYSIDE_DEMO_DEVICES: '2',
      // Nobody waits for the past.
      WAYSIDE_DEMO_PAST_DAYS: '0',
      WAYSIDE_DEMO_ALERT_DAYS: '0',
      WAYSIDE_ADMIN_PASSWORD: PASSWORD,
      ...environment,
    },
  })
  running.push(child)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => said.push(line))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const lineWith = async (pattern: RegExp) => {
    for (;;) {
      const found = said.map((line) => pattern.exec(line)?.[1]).find(Boolean)
      if (found) return found
      if (child.exitCode !== null) throw new Error(`It ended before it said ${pattern}:\n${said.join('\n')}`)
      await passTime(20, 'its output is looked at again')
    }
  }
  return {
    child,
    said,
    ended,
    httpUrl: () => lineWith(/Console\s+(\S+)/),
    mqttUrl: () => lineWith(/MQTT\s+(\S+)/),
    password: () => lineWith(/Password\s+(\S+)\s+\(shown this once\)/),
  }
}

async function deviceNames(httpUrl: string): Promise<string[]> {
  const post = (path: string, body: object) =>
    globalThis.fetch(`${httpUrl}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const signedIn = await post('App/Login', { username: 'admin@demo.example', password: PASSWORD })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const answer = await globalThis.fetch(`${httpUrl}/api/Device/GetDeviceList`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name)
}

async function isFree(url: string): Promise<boolean> {
  const probe = createServer()
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(Number(port), hostname, () => probe.close(() => resolve(true)))
  })
}

test('what the server is made of can be compiled before one serves', async () => {
  const kept = join(runFolder('compiled'), 'modules')
  const flags = [`--import=${PLAIN_MODULES}?${encodeURIComponent(kept)}`, '--disable-warning=ExperimentalWarning']
  const { ended, said } = launch(demoFolder(), {}, ['--only-compile'], flags)
  expect(await ended).toBe(0)
  expect(said).toEqual([])
  expect(readdirSync(kept).filter((name) => name.endsWith('.js')).length).toBeGreaterThan(500)
})

test('a SIGTERM stops everything at once, and the next start finds the data', async () => {
  const folder = demoFolder()
  const first = launch(folder)
  const httpUrl = await first.httpUrl()
  const mqttUrl = await first.mqttUrl()
  expect((await globalThis.fetch(`${httpUrl}/healthz`)).status).toBe(200)
  const names = await deviceNames(httpUrl)
  expect(names).toHaveLength(3)
  first.child.kill('SIGTERM')
  // The program gives up when that takes too long, and exits with 1.
  expect(await first.ended).toBe(0)
  expect(await isFree(httpUrl)).toBe(true)
  expect(await isFree(mqttUrl)).toBe(true)

  const killed = launch(folder)
  await killed.httpUrl()
  killed.child.kill('SIGKILL')
  await killed.ended
  const third = launch(folder, { WAYSIDE_ADMIN_PASSWORD: 'another one that counts for nothing' })
  expect(await deviceNames(await third.httpUrl())).toEqual(names)
}, 180_000)

test('a stop ends though its database stands still, and the next start finds the data', async () => {
  const folder = demoFolder()
  const first = launch(folder)
  const names = await deviceNames(await first.httpUrl())
  const [cluster] = globSync('**/postmaster.pid', { cwd: folder })
  const postmaster = Number.parseInt(readFileSync(join(folder, String(cluster)), 'utf8'), 10)
  process.kill(postmaster, 'SIGSTOP')
  first.child.kill('SIGTERM')
  await first.ended
  process.kill(postmaster, 'SIGCONT')
  expect(await deviceNames(await launch(folder).httpUrl())).toEqual(names)
}, 180_000)

test('a port that is taken stops the start with one sentence, and nothing is left behind', async () => {
  const folder = demoFolder()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const refused = launch(folder, { WAYSIDE_HTTP_PORT: String(port) })
  expect(await refused.ended).toBe(1)
  expect(refused.said.at(-1)).toBe(
    `Another program listens on port ${port} of 127.0.0.1: stop it, or set WAYSIDE_HTTP_PORT.`,
  )
  await new Promise((resolve) => other.close(resolve))
  const second = launch(folder, { WAYSIDE_HTTP_PORT: String(port) })
  expect(await second.httpUrl()).toBe(`http://127.0.0.1:${port}`)
}, 180_000)

test.each([
  [{ WAYSIDE_HTTP_PORT: 'eighty' }, 'WAYSIDE_HTTP_PORT must be a whole number from 0 to 65535, but is "eighty".'],
  [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'DATABASE_URL: nothing listens at 127.0.0.1:1.'],
  [
    { WAYSIDE_DATA: '/dev/null/data' },
    'WAYSIDE_DATA: the folder /dev/null/data cannot be used: a part of its path is a file.',
  ],
])('%j stops the start with one sentence', async (environment, sentence) => {
  const refused = launch(runFolder('refused'), environment as unknown as Record<string, string>)
  expect(await refused.ended).toBe(1)
  expect(refused.said).toEqual([sentence])
})

/** Reads the environments of all programs below another, however deep. */
function environmentsBelow(pid: number): Map<string, string> {
  const found = new Map<string, string>()
  const below = new Set([String(pid)])
  for (const each of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))) {
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${each}/stat`, 'utf8'))?.[1] ?? ''
      if (!below.has(parent)) continue
      below.add(each)
      found.set(readFileSync(`/proc/${each}/cmdline`, 'utf8'), readFileSync(`/proc/${each}/environ`, 'latin1'))
    } catch {
      // The process ended meanwhile.
    }
  }
  return found
}

test.runIf(existsSync('/proc/self/environ'))(
  'no program that the server starts sees a secret of its settings',
  async () => {
    const server = launch(demoFolder(), {
      WAYSIDE_DEMO_PAST_DAYS: '1',
      WAYSIDE_SMTP_URL: 'smtp://me:canary-of-mail@127.0.0.1:1',
      WAYSIDE_METRICS_TOKEN: 'canary-of-metrics-of-32-characters',
    })
    await server.httpUrl()
    // The program that computes the past may still run beside these.
    const environments = await vi.waitUntil(() => {
      const found = environmentsBelow(server.child.pid ?? 0)
      const commands = [...found.keys()]
      const isThere = (name: string) => commands.some((command) => command.includes(name))
      return isThere('simulator/main.ts') && isThere('postgres') ? found : undefined
    }, 60_000)
    for (const environment of environments.values()) {
      expect(environment).not.toContain(PASSWORD)
      expect(environment).not.toContain('canary')
    }
  },
  180_000,
)

test('the server alone makes one administrator and no demo, unless their first password is guessed first', async () => {
  const database = await emptyDatabase()
  const folder = runFolder('alone')
  const DATABASE_URL = database.ownerUrl
  const refused = launch(folder, { DATABASE_URL, WAYSIDE_ADMIN_PASSWORD: 'iloveyousomuch123' }, [])
  expect(await refused.ended).toBe(1)
  expect(refused.said.at(-1)).toMatch(/^WAYSIDE_ADMIN_PASSWORD cannot be used: This password is too easy to guess/)
  writeFileSync(join(folder, 'release-key.pem'), 'a private key that is none of the server')
  const alone = { DATABASE_URL, WAYSIDE_ADMIN_PASSWORD: '' }
  // Nobody else ever learns the password, although people sign in at other processes.
  const roles = { WAYSIDE_ROLES: 'jobs', WAYSIDE_PUBLIC_URL: 'https://signs.example.org' }
  const jobs = launch(folder, { ...alone, ...roles }, [])
  const password = await jobs.password()
  expect(jobs.said).toContain('  Roles     jobs')
  expect(jobs.said.filter((line) => /^ +(?:Console|MQTT) /.test(line))).toEqual([])
  expect(jobs.said).toContain(`  Mails     ${join(folder, 'outbox')}   (no mail server is set: WAYSIDE_SMTP_URL)`)
  const server = launch(folder, alone, [])
  const httpUrl = await server.httpUrl()
  expect(server.said[0]).toContain('is a private release key where this server could read it')
  expect((await globalThis.fetch(`${httpUrl}/healthz`)).status).toBe(200)
  const signIn = (username: string, given: string) =>
    globalThis.fetch(`${httpUrl}/api/App/Login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: given }),
    })
  expect((await signIn('admin@wayside.local', password)).status).toBe(200)
  expect((await signIn('admin@demo.example', PASSWORD)).status).toBe(401)
}, 180_000)
