import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from './node24.mjs'

const folder = mkdtempSync(join(tmpdir(), 'wayside-old-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { scripts, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
}

/** Starts a script of package.json as another version of Node.js, or another kind of machine, would. */
function begin(script: string, changes: { readonly node: string; readonly platform?: string; readonly arch?: string }) {
  const { node, platform = process.platform, arch = process.arch } = changes
  const pretend = join(folder, 'pretend.cjs')
  const versions = `{ ...process.versions, node: '${node}' }`
  writeFileSync(
    pretend,
    `Object.defineProperties(process, { versions: { value: ${versions} }, platform: { value: '${platform}' }, arch: { value: '${arch}' } })`,
  )
  const [program = '', ...words] = (scripts[script] ?? '').split(' ')
  expect(program).toBe('node')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', pretend, ...words, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, output: stdout + stderr }
}

const refusal = (needed: string, present: string) =>
  `Wayside needs Node.js ${needed}, but this is ${present}: install a newer one from https://nodejs.org and start again.\n`

test.each(Object.keys(scripts))('npm run %s says in one sentence that the Node.js is too old', (script) => {
  expect(begin(script, { node: '12.22.9' })).toEqual({ status: 1, output: refusal('20.19 or newer', '12.22.9') })
})

test('where the project brings its own Node.js 24, an older one is enough to begin, and elsewhere it is not', () => {
  expect(begin('config', { node: '20.18.3' })).toEqual({ status: 1, output: refusal('20.19 or newer', '20.18.3') })
  expect(begin('release', { node: '20.19.0' }).output).toMatch(/^Usage: npm run release/)
  const elsewhere = { platform: 'darwin', arch: 'arm64' }
  expect(begin('release', { node: '22.23.3', ...elsewhere })).toEqual({
    status: 1,
    output: refusal('24.0 or newer on darwin-arm64', '22.23.3'),
  })
  expect(engines.node).toBe('>=24')
})
