import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeviceDrivers, getDeviceDrivers } from '#contract/http/drivers/deviceDrivers.ts'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/pool.ts'
import type { RunningServer } from '#server/main.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { freshDatabase, runFolder } from '#server/testing/freshDatabase.ts'
import { eventually } from '#server/testing/gatewayFixture.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer.ts'
import { bundleAgent } from '#tools/releaseBundle.ts'
import { type NutServer, nutIsMissing, startNutServer } from '#tools/testing/nutServer.ts'

const SECRET = 'canary of a password'

if (nutIsMissing) console.warn(nutIsMissing)
describe.skipIf(nutIsMissing)("the released client on a totem with Debian's upsd", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let owner: ReturnType<typeof openPool>
  let server: RunningServer
  let nut: NutServer
  let agent: ChildProcess
  let said = ''
  let token: string
  let deviceId: DeviceId

  const ask = async (path: string, { query, body }: { query?: Record<string, string | number>; body?: unknown }) =>
    askServer(server.localAddresses.httpUrl, path, {
      token,
      ...(query ? { query } : {}),
      ...(body ? { method: 'POST', body } : {}),
    })
  /** By its name in the flat record of a device, such as `u_status`. */
  const reported = (field: string) => async () =>
    ((await ask('Device/GetDeviceEvTypeState', { query: { deviceId } })).body as Record<string, unknown>)[field]
  const until = async (read: () => Promise<unknown>, value: unknown) =>
    expect(await eventually(read, (heard) => heard === value, 30_000)).toBe(value)
  const drivers = async (): Promise<DeviceDrivers> =>
    getDeviceDrivers.answer.parse((await ask('Device/GetDeviceDrivers', { query: { deviceId } })).body)

  beforeAll(async () => {
    nut = await startNutServer({ 'ups.status': 'OL', 'battery.charge': '98', 'outlet.1.status': 'on' })
    database = await freshDatabase()
    owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
    server = await startWholeServer(database)
    token = await openSession(owner, await addUser(owner, { username: 'admin@staff.example', functions: [1] }))
    const created = { customerId: await addCustomer(owner, 'Ours'), modelId: 1, name: 'Totem' }
    deviceId = ((await ask('Device/CreateDevice', { body: created })).body as { id: DeviceId }).id
    const given = (await ask('Device/DownloadConfiguration', { query: { id: deviceId } })).body as object
    const folder = runFolder('totem')
    const own = { components: { ups: { driver: 'nut', ...nut.options } }, allowedNetworks: ['127.0.0.1'] }
    writeFileSync(join(folder, 'client.mjs'), await bundleAgent('9.8.7'))
    writeFileSync(join(folder, 'device.json'), JSON.stringify({ ...given, ...own }))
    agent = spawn(process.execPath, [join(folder, 'client.mjs'), '--config', join(folder, 'device.json')])
    for (const stream of [agent.stdout, agent.stderr]) stream?.on('data', (text) => (said += text))
  }, 120_000)
  afterAll(async () => {
    agent?.kill('SIGTERM')
    if (agent?.exitCode === null) await once(agent, 'exit')
    await nut?.stop()
    await server?.stop()
    await owner?.end()
    await database?.drop()
  })

  test('what the UPS says arrives at the server, and so does that the mains are gone', async () => {
    await until(reported('u_battery_charge'), 98)
    await until(reported('u_status'), 'on line interactive normal')
    await nut.set('ups.status', 'OB DISCHRG')
    await until(reported('u_status'), 'on battery')
  }, 60_000)

  test('a driver that the console chooses is used, tested in words, and keeps its secret', async () => {
    await until(async () => (await drivers()).client?.known[0], 'nut')
    const options = { ...nut.options, username: 'wayside', password: SECRET }
    const saved = await ask('Device/SetDeviceDriver', {
      body: { deviceId, part: 'power-switch', driver: 'nut', options },
    })
    expect(saved.status).toBe(200)
    await until(reported('ps_port1_status'), 1)
    const part = async () => (await drivers()).parts.find((one) => one.part === 'power-switch')
    await until(async () => (await part())?.setBy, 'console')
    const tested = await ask('Device/TestDeviceDriver', { query: { deviceId, part: 'power-switch' } })
    expect(tested.body).toBe(`NUT at 127.0.0.1:${nut.options.port} answers: UPS "cabinet" switchable outlets: 1.`)
    const { rows: kept } = await owner.query(
      `select before, after, details::text from audit_log union all select args, null, text from device_command
       union all select to_jsonb(m), null, null from device_message m`,
    )
    expect(JSON.stringify([saved.body, await drivers(), kept, said])).not.toContain(SECRET)
  }, 60_000)

  test('where nothing answers, the device says so, and nothing is told as if it were new', async () => {
    const refused = await ask('Device/SetDeviceDriver', {
      body: { deviceId, part: 'power-switch', driver: 'nut', options: { host: '127.0.0.2' } },
    })
    expect(refused.body).toMatchObject({ code: 'invalid_driver', message: expect.stringContaining('allows 127.0.0.1') })
    await nut.stop()
    const lost = () => said.includes(`ups by nut: Nothing listens at 127.0.0.1:${nut.options.port}.`)
    await until(async () => lost(), true)
    const tested = () => ask('Device/TestDeviceDriver', { query: { deviceId, part: 'ups' } })
    const answer = await eventually(tested, ({ status }) => status !== 429, 30_000)
    expect(answer.body).toMatchObject({
      code: 'device_refused',
      message: `Nothing listens at 127.0.0.1:${nut.options.port}.`,
    })
  }, 60_000)
})
