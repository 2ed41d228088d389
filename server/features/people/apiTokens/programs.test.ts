import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addApiToken, addCustomer, addDevice, addUser } from '#server/testing/callers.ts'
import { makeClient } from '#tools/client/makeClient.ts'

const api = await apiTest()
const CLI = fileURLToPath(new URL('../../../../tools/cli/main.ts', import.meta.url))
let address = ''
let token = ''
let deviceId = 0
let folder = ''
beforeAll(async () => {
  address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const customerId = await addCustomer(api.pool, 'Programs')
  deviceId = (await addDevice(api.pool, { name: 'Lamp \u001b[31mred', customerId })).id
  const userId = await addUser(api.pool, { username: 'programs@tokens.example', functions: [1] })
  token = (await addApiToken(api.pool, userId, { scopes: ['devices.read', 'devices.change'] })).token
  folder = mkdtempSync(join(tmpdir(), 'wayside-client-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}
const cli = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<Ended>((resolve) => {
    const given = { WAYSIDE_URL: address, WAYSIDE_TOKEN: token, ...env }
    const child = execFile(process.execPath, [CLI, ...words], { env: given }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

test('the command line lists as JSON for programs, as a table for people, and says by its exit how it went', async () => {
  const [json, table, dark, set, wrong, unknown, denied, away] = await Promise.all([
    cli(['devices', 'list', '--json']),
    cli(['devices', 'list', '--row-num', '1']),
    cli(['devices', 'list', '--dark', '--json']),
    cli(['devices', 'set-status', '--id', String(deviceId), '--status-id', '3']),
    cli(['devices', 'list', '--row-num', 'many']),
    cli(['devices', 'get-by-id', '--id', '2000000000']),
    cli(['devices', 'list'], { WAYSIDE_TOKEN: 'A'.repeat(43) }),
    cli(['devices', 'list'], { WAYSIDE_URL: 'http://127.0.0.1:9' }),
  ])
  expect(JSON.parse(json.out)).toMatchObject([{ id: deviceId, name: 'Lamp \u001b[31mred' }])
  expect(table.out).toMatch(/^id +.*name/)
  expect(table.out).toContain('Lamp  [31mred')
  expect([JSON.parse(dark.out), dark.code, set.code]).toEqual([[], 0, 0])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--row-num')])
  expect([unknown.code, denied.code, away.code]).toEqual([1, 3, 4])
  expect(unknown.err).toContain('(not_found)')
  expect((await cli(['devices', 'list'], { WAYSIDE_URL: 'http://wayside.example' })).err).toContain('https')
})

test('the client is packed, installed and typed, and calls as the contract says', async () => {
  const [source, app] = [join(folder, 'package'), join(folder, 'app')]
  makeClient(source, '1.2.3')
  execFileSync('npm', ['pack', source, '--pack-destination', folder, '--silent'], { cwd: folder })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  const installed = join(app, 'node_modules', 'wayside-client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed), '-C', installed, '--strip-components=1'])
  writeFileSync(join(app, 'package.json'), '{"type":"module"}')
  const program = (deviceName: string) => `import { createClient, WaysideError } from 'wayside-client'
const wayside = createClient({ address: ${JSON.stringify(address)}, token: ${JSON.stringify(token)} })
const device = await wayside.call('Device/GetDeviceById', { query: { id: ${deviceId} } })
const name: string = device.${deviceName}
const status = await wayside.call('Device/SetDeviceStatus', { query: { id: ${deviceId}, statusId: 2 } })
const refused = await wayside.call('Device/UpsReboot', { query: { deviceId: ${deviceId} } }).catch((error: unknown) => error)
const code = refused instanceof WaysideError ? refused.code : undefined
console.log(JSON.stringify({ name, code, isDone: status !== undefined }))
`
  writeFileSync(join(app, 'right.ts'), program('name'))
  writeFileSync(join(app, 'wrong.ts'), program('nane'))
  const ran = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ['right.ts'], { cwd: app }, (error, out) => (error ? reject(error) : resolve(out)))
  })
  expect(JSON.parse(ran)).toEqual({ name: 'Lamp \u001b[31mred', code: 'forbidden', isDone: true })
  const tsc = fileURLToPath(new URL('../../../../node_modules/.bin/tsc', import.meta.url))
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--types',
    '',
    'right.ts',
    'wrong.ts',
  ]
  const judged = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, ...options], { cwd: app }, (_, out) => resolve(out))
  })
  const faults = judged.split('\n').filter((line) => line.includes('error'))
  expect(faults.filter((line) => !line.includes('console'))).toEqual([expect.stringMatching(/^wrong\.ts.*nane/)])
})
