import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DarknessWalk, getDarkness } from '#contract/http/darkness.ts'
import type { LinkKind, LinkState } from '#domain/darkness/links.ts'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/pool.ts'
import type { RunningServer } from '#server/main.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { freshDatabase, runFolder } from '#server/testing/freshDatabase.ts'
import { eventually } from '#server/testing/gatewayFixture.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer.ts'
import { bundleAgent } from '#tools/releaseBundle.ts'
import { type BenchTotem, startBenchTotem } from '#tools/testing/totem/benchTotem.ts'
import { snmpdIsMissing } from '#tools/testing/totem/snmpd.ts'

if (snmpdIsMissing) console.warn(snmpdIsMissing)
describe.skipIf(snmpdIsMissing)('the released client on a totem of real protocols, wired as one chain of power', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let owner: ReturnType<typeof openPool>
  let server: RunningServer
  let totem: BenchTotem
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
  const state = async () =>
    (await ask('Device/GetDeviceEvTypeState', { query: { deviceId } })).body as Record<string, unknown>
  const walkNow = async (): Promise<DarknessWalk | undefined> =>
    getDarkness.answer.parse((await ask('Device/GetDarkness', { query: { deviceId } })).body).walks[0]
  /** Two report periods; what changes is told with the next look. */
  const until = async (is: (walk: DarknessWalk) => boolean) => {
    const walk = await eventually(walkNow, (one) => one !== undefined && is(one), 120_000)
    return walk as DarknessWalk
  }
  const link = ({ links }: DarknessWalk, kind: LinkKind) => links.find((one) => one.kind === kind)
  const hasState = (walk: DarknessWalk, kind: LinkKind, wanted: LinkState) => link(walk, kind)?.state === wanted

  beforeAll(async () => {
    totem = await startBenchTotem()
    database = await freshDatabase()
    owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
    server = await startWholeServer(database)
    token = await openSession(owner, await addUser(owner, { username: 'admin@staff.example', functions: [1] }))
    const created = { customerId: await addCustomer(owner, 'Ours'), modelId: 1, name: 'Totem' }
    deviceId = ((await ask('Device/CreateDevice', { body: created })).body as { id: DeviceId }).id
    const given = (await ask('Device/DownloadConfiguration', { query: { id: deviceId } })).body as object
    const folder = runFolder('bench-totem')
    writeFileSync(join(folder, 'client.mjs'), await bundleAgent('9.8.7'))
    writeFileSync(join(folder, 'device.json'), JSON.stringify({ ...given, components: totem.components }))
    agent = spawn(process.execPath, [join(folder, 'client.mjs'), '--config', join(folder, 'device.json')])
    for (const stream of [agent.stdout, agent.stderr]) stream?.on('data', (text) => (said += text))
  }, 120_000)
  afterAll(async () => {
    agent?.kill('SIGTERM')
    if (agent?.exitCode === null) await once(agent, 'exit')
    await totem?.stop()
    await server?.stop()
    await owner?.end()
    await database?.drop()
  })

  test('every part is read by its protocol, and the light is measured at the panel', async () => {
    const isAllKnown = ({ links }: DarknessWalk) => links.every((one) => one.state === 'ok')
    const walk = await until((one) => isAllKnown(one) && one.verdict.sentence.includes('measured'))
    expect(walk.verdict.sentence, said).toBe('Display is not dark: its light is measured at the panel.')
    expect(await state()).toMatchObject({
      ...{ d_backlight_level: 80, d_panel_light: 80, d_internal_temp: 41, d_source: 'HDMI 1' },
      ...{ u_battery_charge: 97, ps_port1_status: 1, ro_port4_status: 1, e_energy: 1234.5, e_active_power: 412.5 },
    })
  })

  test('a lamp that is dead while its display reports light, the mains and a port of the switch are named', async () => {
    await Promise.all([totem.pull('lamp'), totem.pull('mains'), totem.pull('networkPort')])
    const walk = await until(
      (one) =>
        hasState(one, 'backlight', 'broken') &&
        hasState(one, 'mains', 'warning') &&
        hasState(one, 'networkSwitch', 'warning'),
    )
    expect(walk.verdict).toMatchObject({ kind: 'broken', finding: 'backlightDead' })
    expect(walk.verdict.sentence).toContain(
      'Display is dark: the panel gives no light, measured at the panel, although it reports a backlight of 80 %.',
    )
    expect(link(walk, 'mains')?.finding).toBe('onBattery')
    expect(link(walk, 'networkSwitch')?.finding).toBe('networkDown')
    await Promise.all([totem.plugIn('lamp'), totem.plugIn('mains'), totem.plugIn('networkPort')])
  })

  test('an outlet that is off silences what hangs on it, and is named; once on, there is light again', async () => {
    await totem.pull('outlet')
    const walk = await until(({ verdict }) => verdict.finding === 'outletOff' && verdict.kind === 'broken')
    expect(walk.verdict.sentence).toBe('Display is dark: Power switch 1 is off, and the display hangs on it.')
    const answer = await ask('Device/PowerSwitch1TurnOn', { body: { deviceId } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(totem.bus.writes).toEqual(['050000ff00'])
    await until(({ verdict }) => verdict.kind === 'lit')
  })

  test('a display without its plug is known to be dark', async () => {
    await totem.pull('panel')
    const walk = await until(({ verdict }) => verdict.kind === 'broken')
    expect(walk.verdict.sentence).toContain('measured at the panel')
  })
})
