import type pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { listenLive } from '#server/testing/liveStream.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import type { FleetDevice } from '../load/FleetDevice.ts'
import type { ServerProgram } from '../servers/ServerProgram.ts'

const HEARD_WITHIN_MS = 30 * SECOND_MS
const EXPECTED = 'a visit at each process'

/**
 * Checks what crosses processes: a console at each hears a device that is connected to one, and a session that ends at
 * one has ended everywhere.
 *
 * @returns what did not cross, in words
 */
export async function whatDoesNotCross(
  owner: pg.Pool,
  servers: readonly ServerProgram[],
  device: FleetDevice,
): Promise<readonly string[]> {
  const token = await openSession(owner, await addUser(owner, { username: EXPECTED, functions: [2] }))
  const watched = { deviceIds: [device.device.id], stateDeviceIds: [device.device.id] }
  const streams = await Promise.all(servers.map(({ httpUrl }) => listenLive(httpUrl, token, watched)))
  const wrong: string[] = []
  // Other reports are whole numbers.
  const value = Math.floor(performance.now() % 90) + 0.5
  await device.reportNow(value)
  for (const [index, stream] of streams.entries()) {
    const hasHeard = () =>
      stream.heard.some(({ event, data }) => event === 'state' && JSON.stringify(data).includes(String(value)))
    const heard = await eventually(async () => hasHeard(), Boolean, HEARD_WITHIN_MS)
    if (!heard) wrong.push(`A console at ${servers[index]?.name} did not hear what a device reported.`)
  }
  const [first, ...others] = servers
  if (first === undefined) return wrong
  await askServer(first.httpUrl, 'App/Logout', { token, method: 'POST' })
  for (const { name, httpUrl } of others) {
    const { status } = await askServer(httpUrl, 'Device/GetDeviceList', { token })
    if (status !== 401) wrong.push(`A session that had ended at ${first.name} was answered with ${status} at ${name}.`)
  }
  for (const [index, stream] of streams.entries()) {
    const hasEnded = await Promise.race([stream.ended.then(() => true), waited()])
    if (!hasEnded) wrong.push(`The stream of a session that had ended went on at ${servers[index]?.name}.`)
    stream.close()
  }
  return wrong
}

const waited = () => new Promise<false>((resolve) => setTimeout(resolve, HEARD_WITHIN_MS, false).unref())
