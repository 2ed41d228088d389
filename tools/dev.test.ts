import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isAlive } from '#server/db/embedded/processes.ts'
import { ROOT } from './node24.mjs'

/** Answers every call with its process id and its words. */
const server = (words: string) => `
import { createServer } from 'node:http'
createServer((_, response) => response.end(JSON.stringify({ words: '${words}', pid: process.pid })))
  .listen(Number(process.env.WAYSIDE_HTTP_PORT), '127.0.0.1')
`

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp()
})

/** Makes a checkout with our tools and the packages, whose server and console are a line each. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-dev-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(ROOT, 'tools'), join(folder, 'tools'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  // It must never be stale: npm ci would follow the link below and empty the real folder.
  cpSync(join(ROOT, 'node_modules', '.package-lock.json'), join(folder, 'package-lock.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['server/programs', 'console']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'vite.config.ts'), `export default { root: 'console', cacheDir: '../cache' }`)
  writeFileSync(join(folder, 'console', 'index.html'), '<title>first</title>')
  writeFileSync(join(folder, 'server', 'programs', 'start.ts'), server('first'))
  return folder
}

async function startIn(folder: string) {
  const npm = spawn('npm', ['run', 'dev'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  const ended = new Promise<number | string | null>((resolve) =>
    npm.on('exit', (code, signal) => resolve(code ?? signal)),
  )
  cleanUps.push(() => spawnSync('kill', ['-KILL', '--', `-${npm.pid}`]))
  const url = await expect
    .poll(() => /at once: (\S+)/.exec(output)?.[1], { timeout: 60_000 })
    .toBeDefined()
    .then(() => /at once: (\S+)/.exec(output)?.[1] ?? '')
  const call = async () => {
    const answer = await fetch(`${url}api/App/Ping`)
    return (answer.ok ? await answer.json() : {}) as { words?: string; pid?: number }
  }
  await expect.poll(async () => (await call()).words, { timeout: 60_000 }).toBe('first')
  return { npm, ended, url, call }
}

test('one command serves the console as it is edited, beside a server that starts anew when it is edited', async () => {
  const folder = setUp()
  const { npm, ended, url, call } = await startIn(folder)
  expect(await (await fetch(url)).text()).toContain('/@vite/client')
  const { pid: first = 0 } = await call()
  writeFileSync(join(folder, 'server', 'programs', 'start.ts'), server('second'))
  await expect.poll(async () => (await call()).words, { timeout: 60_000 }).toBe('second')
  expect(isAlive(first)).toBe(false)

  const { pid: second = 0 } = await call()
  spawnSync('kill', ['-INT', '--', `-${npm.pid}`])
  expect([0, 130, 'SIGINT']).toContain(await ended)
  await expect.poll(() => isAlive(second), { timeout: 10_000 }).toBe(false)
  await expect(fetch(url)).rejects.toThrow()
})

test('when npm is killed outright, neither server nor console stays behind', async () => {
  const { npm, url, call } = await startIn(setUp())
  const { pid = 0 } = await call()
  spawnSync('kill', ['-KILL', '--', `-${npm.pid}`])
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  await expect.poll(() => fetch(url).then(Boolean, () => false), { timeout: 10_000 }).toBe(false)
})
