import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { connectDevice, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import { count } from '../../frame/options.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import type { AbuseAnswer, AbuseQuestion } from './abuser.ts'

const CONNECTIONS = 4
const PER_SECOND = 6
const USERS = 5
const WARM_UP_SECONDS = 5
const CALLS_PER_SECOND = 40
const REPORTS_PER_SECOND = 40
/** The p99 of another user and of PUBACK under abuse, as a multiple of quiet. */
const AIM = 2

export const abuse = describeTrial({
  name: 'abuse',
  proves: 'What strangers and a device gone wild send keeps no other user and no other device from being answered.',
  options: { seconds: count(30, 'seconds of each part: quiet, hostile bodies, quiet, hostile payloads') },
  async run(run) {
    const database = await run.database()
    const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    const [honest, ...devices] = await insertDevices(owner, 1 + CONNECTIONS)
    if (honest === undefined) throw new Error('There is no device.')
    const tokens: string[] = []
    for (let index = 0; index < USERS; index++) {
      const user = await addUser(owner, { username: `abuse ${Date.now()} ${index}`, functions: [2] })
      tokens.push(await openSession(owner, user))
    }
    await owner.end()
    const product = await run.product(database, { areDevicesUnlimited: true })
    const client = await connectDevice(Number(new URL(product.mqttUrl).port), honest)
    let refusals = 0
    const others = {
      call: async (index: number) => {
        const { status } = await askServer(product.httpUrl, 'Device/GetDeviceList', { token: tokens[index % USERS] })
        if (status !== 200) refusals++
      },
      report: async (index: number) => {
        const payload = JSON.stringify({ at: new Date().toISOString(), values: { load: index % 100 } })
        await client.publishAsync(`v1/devices/${honest.guid}/events/ups`, payload, { qos: 1 })
      },
    }
    const { seconds } = run.options
    await measure(others, WARM_UP_SECONDS)
    const abuser = run.worker(new URL('./abuser.ts', import.meta.url))
    for (const kind of ['bodies', 'payloads'] as const) {
      const { httpUrl, mqttUrl } = product
      const question = { httpUrl, mqttUrl, kind, devices, connections: CONNECTIONS, perSecond: PER_SECOND, seconds }
      // Quiet is measured each time, because other load of the machine changes.
      const quiet = await measure(others, seconds)
      const abusing = abuser.ask<AbuseAnswer>(question satisfies AbuseQuestion)
      print(kind, await measure(others, seconds), quiet)
      const { sent, answers } = await abusing
      console.log(`  ${sent} sent: ${Object.entries(answers).map(([answer, times]) => `${times} ${answer}`)}`)
    }
    if (refusals > 0) run.wrong(`${refusals} calls of the other user were refused`)
    client.end(true)
  },
})

/** The p99 in milliseconds. */
interface Waits {
  readonly call: number
  readonly report: number
}

async function measure(
  others: Readonly<Record<keyof Waits, (index: number) => Promise<unknown>>>,
  seconds: number,
): Promise<Waits> {
  const [call, report] = await Promise.all([
    p99(others.call, CALLS_PER_SECOND, seconds),
    p99(others.report, REPORTS_PER_SECOND, seconds),
  ])
  return { call, report }
}

/** Work begins at an even rate, ended or not the one before, so that a stop of the server delays all of it. */
async function p99(work: (index: number) => Promise<unknown>, perSecond: number, seconds: number): Promise<number> {
  const begin = performance.now()
  const count = perSecond * seconds
  const waits = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const due = begin + (index * 1000) / perSecond
      await sleep(Math.max(0, due - performance.now()))
      const beganAt = performance.now()
      await work(index)
      return performance.now() - beganAt
    }),
  )
  return quantile(waits, 0.99)
}

function print(kind: AbuseQuestion['kind'], waits: Waits, quiet: Waits): void {
  const row = openTable(['quiet p99 ms', 'p99 ms', 'times quiet'], 24)
  for (const [name, what] of [
    ['call', 'a call'],
    ['report', 'PUBACK'],
  ] as const) {
    row(`hostile ${kind}: ${what}`, [quiet[name], waits[name], waits[name] / quiet[name]], `(aim: below ${AIM})`)
  }
}
