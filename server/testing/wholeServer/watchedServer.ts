import { pino } from 'pino'
import { afterAll } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '../callers.ts'
import { freshDatabase, runFolder } from '../database/freshDatabase.ts'
import { connectDevice, eventually, insertDevices } from '../devices/gatewayFixture.ts'
import { askServer, startWholeServer } from './wholeServer.ts'

export const METRICS_TOKEN = 'a token for the numbers'

/** These numbers exist only once the first jobs of a leader have run. */
const LED = [
  /^wayside_leader 1$/m,
  /^wayside_devices\{/m,
  /^wayside_rollup_refreshed_timestamp_seconds /m,
  /^wayside_job_runs_total\{job="roll-ups",end="done"\} [1-9]/m,
]

/** Starts a whole server with a monitoring port, a device that has reported twice, and a caller. */
export async function watchedServer() {
  const database = await freshDatabase()
  const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  const devices = await insertDevices(owner, 2)
  const said: { address?: string }[] = []
  const server = await startWholeServer(database, {
    config: { dataFolder: runFolder('watched'), metricsToken: METRICS_TOKEN, metricsPort: 0 },
    log: pino({ level: 'info' }, { write: (line: string) => said.push(JSON.parse(line)) }),
  })
  const [device] = devices
  if (!device) throw new Error('There is no device.')
  const client = await connectDevice(Number(new URL(server.localAddresses.mqttUrl).port), device)
  afterAll(async () => {
    client.end(true)
    await server.stop()
    await owner.end()
    await database.drop()
  })
  const report = (contrast: number) =>
    client.publishAsync(
      eventsTopic(device.guid, 'display'),
      JSON.stringify({ at: new Date().toISOString(), values: { contrast } }),
      { qos: 1 },
    )
  await report(40)
  await report(50)
  const token = await openSession(owner, await addUser(owner, { username: 'manager@staff.example', functions: [2] }))
  await askServer(server.localAddresses.httpUrl, 'Device/GetDeviceList', { token })
  const ownUrl = said.find(({ address }) => address !== undefined)?.address ?? ''
  const read = async (path: string, token: string | undefined = METRICS_TOKEN, base = ownUrl) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(`${base}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  // The leader's numbers begin with its lead, and its first jobs.
  const led = () =>
    eventually(
      () => read('/metrics'),
      ({ text }) => LED.every((line) => line.test(text)),
    )
  return { database, owner, server, device, devices, client, report, read, led, ownUrl, token }
}
