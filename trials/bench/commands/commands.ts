import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import { count } from '../../frame/options.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'

/** A user gives 60 power commands a minute at most, and a device takes one in ten seconds. */
const MOST_POWER_PER_USER = 50
const WARM_UP = 30
/** The aim counts from the call to its answer, which waits for the device. */
const AIM = { p50: 10, p99: 50 } as const

export const commands = describeTrial({
  name: 'commands',
  proves:
    'How long a command takes from its call over the device to its answer, and a bulk action until all have answered.',
  options: {
    probes: count(400, 'commands of each kind, one after the other; one device for each'),
    bulk: count(400, 'devices of a bulk action'),
  },
  async run(run) {
    const { probes, bulk } = run.options
    const database = await run.database()
    const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'trial owner' })
    const { httpUrl, mqttUrl } = await run.product(database)
    const port = Number(new URL(mqttUrl).port)
    const rows = await insertDevices(owner, Math.max(probes + WARM_UP, bulk), { modelId: 1 })
    const devices = rows.map((device) => new PlayedDevice(device))
    await Promise.all(devices.map((played) => played.connect(port, owner)))
    const tokens = await openSessions(owner, Math.ceil(devices.length / MOST_POWER_PER_USER))
    /** Returns the milliseconds from the call to its answer. */
    const took = async (path: string, index: number, more: object = {}, token = tokenOf(tokens, index)) => {
      const body = { deviceId: devices[index]?.device.id, ...more }
      const began = performance.now()
      const { status } = await askServer(httpUrl, path, { token, method: 'POST', body })
      if (status !== 200) throw new Error(`${path} was answered with ${status}.`)
      return performance.now() - began
    }

    const row = openTable(['p50 ms', 'p99 ms', 'p50 of aim', 'p99 of aim'], 32)
    for (const [name, path, more] of [
      ['power command', 'Device/UpsReboot', {}],
      ['display settings', 'Device/ApplyDisplaySettings', { displayNumber: 1, dBrightness: 40 }],
    ] as const) {
      for (let index = 0; index < WARM_UP; index++) await took(path, index, more)
      const tookMs: number[] = []
      for (let index = WARM_UP; index < WARM_UP + probes; index++) tookMs.push(await took(path, index, more))
      const [p50, p99] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)]
      row(name, [p50, p99, (p50 / AIM.p50).toFixed(2), (p99 / AIM.p99).toFixed(2)])
    }
    const settings = { displayNumber: 1, dBrightness: 41 }
    const began = performance.now()
    const indexes = Array.from({ length: bulk }, (_, index) => index)
    const all = await Promise.all(
      indexes.map((index) => took('Device/ApplyDisplaySettings', index, settings, tokens[0])),
    )
    const totalMs = performance.now() - began
    row(`${bulk} settings at once, one user`, [quantile(all, 0.5), quantile(all, 0.99), '-', '-'])
    console.log(`all of them answered after ${totalMs.toFixed(0)} ms, ${(totalMs / bulk).toFixed(1)} ms a device`)
    for (const { client } of devices) client?.end(true)
    await owner.end()
  },
})

const tokenOf = (tokens: readonly string[], index: number) => tokens[Math.floor(index / MOST_POWER_PER_USER)] ?? ''

async function openSessions(owner: pg.Pool, users: number): Promise<string[]> {
  const tokens: string[] = []
  for (let index = 0; index < users; index++) {
    const userId = await addUser(owner, { username: `commands ${index}`, functions: [2] })
    tokens.push(await openSession(owner, userId))
  }
  return tokens
}
