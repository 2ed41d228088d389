import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { connectDevice, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import { count } from '../../frame/options.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import type { FloodAnswer, FloodQuestion } from './flooder.ts'

const DEVICES = 100
const CALLS_PER_SECOND = 10
const QUIET_SECONDS = 10
/** Our devices wait a shorter time for their CONNACK. */
const SIGN_IN_WITHIN_MS = 15_000
/** Soon after it the server may return memory to the system. */
const REST_SECONDS = 70
const MEGABYTE = 1024 * 1024

export const floods = describeTrial({
  name: 'floods',
  proves: 'Thousands of live streams, and of connections that say nothing, keep nobody else waiting.',
  options: {
    streams: count(2000, 'live streams that one user opens'),
    silent: count(2500, 'connections a second that say nothing'),
    seconds: count(20, 'seconds of those connections'),
  },
  async run(run) {
    const database = await run.database()
    const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    const devices = await insertDevices(owner, DEVICES)
    const [token, flooding] = await Promise.all(
      ['quiet', 'flooding'].map(async (username) =>
        openSession(owner, await addUser(owner, { username: `${username} ${Date.now()}`, functions: [2] })),
      ),
    )
    if (token === undefined || flooding === undefined) throw new Error('Nobody is signed in.')
    await owner.end()
    const product = await run.product(database)
    const flooder = run.worker(new URL('./flooder.ts', import.meta.url))
    const flood = (question: FloodQuestion) => flooder.ask<FloodAnswer>(question)
    const call = async () => {
      const { status } = await askServer(product.httpUrl, 'Device/GetDeviceList', { token })
      if (status !== 200) run.wrong(`A call of another user was answered with ${status}.`)
    }
    const memory = async () => (await product.worker.ask<{ bytes: number }>({ tell: 'memory' })).bytes / MEGABYTE
    const port = Number(new URL(product.mqttUrl).port)
    let next = 0
    const signIn = async () => {
      const device = devices[next++ % DEVICES]
      if (device === undefined) throw new Error('There is no device.')
      const client = await connectDevice(port, device, { connectTimeout: SIGN_IN_WITHIN_MS })
      client.end(true)
    }

    const row = openTable(['p99 ms', 'memory MB', 'open'], 24)
    await waits(call, 5, CALLS_PER_SECOND)
    row('quiet: a call', [await p99(call, QUIET_SECONDS), await memory(), 0])
    const { open } = await flood({
      kind: 'streams',
      httpUrl: product.httpUrl,
      token: flooding,
      count: run.options.streams,
    })
    row(`${run.options.streams} streams: a call`, [await p99(call, QUIET_SECONDS), await memory(), open])
    await flood({ kind: 'over' })
    await sleep(REST_SECONDS * 1000)
    row('after them: a call', [await p99(call, QUIET_SECONDS), await memory(), 0])

    row('quiet: a sign-in', [await p99(signIn, QUIET_SECONDS), await memory(), 0])
    const silence = flood({
      kind: 'silent',
      mqttUrl: product.mqttUrl,
      perSecond: run.options.silent,
      seconds: run.options.seconds,
    })
    row(`${run.options.silent}/s silent: a sign-in`, [
      await p99(signIn, run.options.seconds),
      await memory(),
      (await silence).open,
    ])
    await flood({ kind: 'over' })
  },
})

const p99 = async (work: () => Promise<unknown>, seconds: number) =>
  quantile(await waits(work, seconds, CALLS_PER_SECOND), 0.99)

/** Work begins at an even rate, whether or not the one before has ended. */
function waits(work: () => Promise<unknown>, seconds: number, perSecond: number): Promise<number[]> {
  const beginMs = performance.now()
  return Promise.all(
    Array.from({ length: seconds * perSecond }, async (_, index) => {
      await sleep(Math.max(0, beginMs + (index * 1000) / perSecond - performance.now()))
      const begunMs = performance.now()
      await work()
      return performance.now() - begunMs
    }),
  )
}
