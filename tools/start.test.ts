import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { isAlive } from '#server/db/embedded/processes.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** It takes 300 ms to drain, like a server with work in hand, and prints its process id and how it ended. */
const SERVER = `
import { writeFileSync } from 'node:fs'
// The run before the first start, which fills the cache of compiled modules.
if (process.argv.includes('--only-compile')) process.exit(0)
const stop = (signal: NodeJS.Signals) => {
  setTimeout(() => {
    writeFileSync('ended', signal)
    process.exit(Number(process.env.SERVER_CODE ?? 0))
  }, 300)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
setInterval(() => {}, 60_000)
writeFileSync('started', JSON.stringify({ pid: process.pid, node: process.version, arguments: process.argv.slice(2) }))
if (process.env.SERVER_CODE !== undefined) process.kill(process.pid, 'SIGTERM')
`

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp()
})

/** Makes a checkout with our tools and the packages, but with a server that only waits. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-start-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(ROOT, 'tools'), join(folder, 'tools'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  // It must never be stale: npm ci would follow the link below and empty the real folder.
  cpSync(join(ROOT, 'node_modules', '.package-lock.json'), join(folder, 'package-lock.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'server', 'programs'), { recursive: true })
  writeFileSync(join(folder, 'server', 'programs', 'start.ts'), SERVER)
  return folder
}

async function startIn(folder: string, env: Record<string, string> = {}) {
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  npm.stdout.on('data', (text) => {
    output += text
  })
  npm.stderr.on('data', (text) => {
    output += text
  })
  const ended = new Promise<number | string | null>((resolve) =>
    npm.on('exit', (code, signal) => resolve(code ?? signal)),
  )
  cleanUps.push(() => spawnSync('kill', ['-KILL', '--', `-${npm.pid}`]))
  const told = () => (existsSync(join(folder, 'started')) ? readFileSync(join(folder, 'started'), 'utf8') : '')
  await expect.poll(told, { timeout: 15_000 }).toMatch(/\}$/)
  const server = JSON.parse(told()) as {
    pid: number
    node: string
    arguments: string[]
  }
  return { npm, ended, server, output: () => output }
}

const hasEnded = (folder: string) => existsSync(join(folder, 'ended'))

test('npm start runs the demo on Node.js 24, whatever Node.js npm has', async () => {
  const { server } = await startIn(setUp())
  expect(server.node).toMatch(/^v24\./)
  expect(server.arguments).toEqual(['--demo'])
})

test('a signal to npm drains the server once and ends cleanly', async () => {
  const folder = setUp()
  const { npm, ended, server } = await startIn(folder)
  npm.kill('SIGTERM')
  await ended
  await expect.poll(() => isAlive(server.pid), { timeout: 10_000 }).toBe(false)
  expect(hasEnded(folder)).toBe(true)
})

test('Ctrl-C, which reaches the whole process group, drains the server and is no failure', async () => {
  const folder = setUp()
  const { npm, ended, server, output } = await startIn(folder)
  spawnSync('kill', ['-INT', '--', `-${npm.pid}`])
  // npm answers the signal by ending with it.
  expect([0, 130, 'SIGINT']).toContain(await ended)
  await expect.poll(() => isAlive(server.pid), { timeout: 10_000 }).toBe(false)
  expect(hasEnded(folder)).toBe(true)
  expect(output()).not.toContain('npm ERR')
  expect(output()).not.toContain('npm error')
})

test('when npm is killed outright, the server still drains', async () => {
  const folder = setUp()
  const { npm, server } = await startIn(folder)
  npm.kill('SIGKILL')
  await expect.poll(() => hasEnded(folder), { timeout: 4_000 }).toBe(true)
  await expect.poll(() => isAlive(server.pid), { timeout: 1_000 }).toBe(false)
})

test('when every process of the start is killed outright, the server still drains', async () => {
  const folder = setUp()
  const { npm, server } = await startIn(folder)
  spawnSync('kill', ['-KILL', '--', `-${npm.pid}`])
  await expect.poll(() => hasEnded(folder), { timeout: 4_000 }).toBe(true)
  await expect.poll(() => isAlive(server.pid), { timeout: 1_000 }).toBe(false)
})

test('a server that is stuck while it stops is killed, and the start ends', async () => {
  const { npm, server, ended } = await startIn(setUp())
  process.kill(server.pid, 'SIGSTOP')
  npm.kill('SIGTERM')
  await ended
  await expect.poll(() => isAlive(server.pid), { timeout: 10_000 }).toBe(false)
})

test('a server that fails makes npm start fail', async () => {
  const { ended } = await startIn(setUp(), { SERVER_CODE: '3' })
  expect(await ended).toBe(3)
})

test('packages that are not those of the lockfile are installed first', async () => {
  const folder = setUp()
  unlinkSync(join(folder, 'node_modules'))
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{"packages":{}}')
  // It stands for a download of minutes: it only puts the real packages in place and records its arguments.
  const npm = join(folder, 'npm.js')
  writeFileSync(
    npm,
    `import { rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
    rmSync('node_modules', { recursive: true })
    symlinkSync('${join(ROOT, 'node_modules')}', 'node_modules')
    writeFileSync('asked', process.argv.slice(2).join(' '))`,
  )
  const { status, stdout } = spawnSync(process.execPath, ['tools/start.mjs'], {
    cwd: folder,
    env: { ...process.env, npm_execpath: npm, SERVER_CODE: '0' },
    encoding: 'utf8',
  })
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('ci --include=dev --include=optional --loglevel=error')
  expect(stdout).toContain('Installing packages')
  expect(existsSync(join(folder, 'started'))).toBe(true)
  expect(status).toBe(0)
})

test('the console is built when its sources changed, and only then', () => {
  const folder = setUp()
  mkdirSync(join(folder, 'console'))
  writeFileSync(join(folder, 'vite.config.ts'), `export default { root: 'console' }`)
  writeFileSync(join(folder, 'console', 'index.html'), '<title>first</title>')
  const start = () => {
    const { stdout } = spawnSync(process.execPath, ['tools/start.mjs'], {
      cwd: folder,
      env: { ...process.env, SERVER_CODE: '0' },
      encoding: 'utf8',
    })
    return stdout.includes('Building the console: done')
  }
  expect(start()).toBe(true)
  expect(start()).toBe(false)
  writeFileSync(join(folder, 'console', 'index.html'), '<title>second</title>')
  expect(start()).toBe(true)
  expect(readFileSync(join(folder, 'dist', 'console', 'index.html'), 'utf8')).toContain('second')
})

test('npm run serve without a built console says what to do', () => {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'serve'], { cwd: setUp(), encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toBe('The console is not built yet: run npm run build first.\n')
})
