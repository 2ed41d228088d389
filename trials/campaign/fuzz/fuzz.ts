import type pg from 'pg'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { connectDevice, insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { count, type RoundOptions, roundsOf, type Values } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeCampaign } from '../../frame/trial.ts'
import { judge, type Request, requestOf } from './calls.ts'
import { WildDevice } from './packets.ts'
import { among, type Random, SMALLEST_IDS } from './values.ts'

const DEVICES = 12
const ACKNOWLEDGED_WITHIN_MS = 10_000
/** A well-behaved caller must be served at this interval. */
const LOOKED_AFTER = 500
const SHOWN_CHARACTERS = 300

export const fuzz = describeCampaign({
  name: 'fuzz',
  proves: 'Whatever is asked and sent, each call is answered by the contract, and devices that do it right are served.',
  options: { ...roundsOf(10_000, 'calls, of all kinds of callers'), packets: count(20_000, 'packets of MQTT', 0) },
  brief: { rounds: 150, packets: 300 },
  async run(run) {
    const database = await run.database()
    const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    const customerId = await addCustomer(owner, 'Harbour')
    const devices = await insertDevices(owner, DEVICES)
    await owner.query('update device set status_id = 2')
    const [witness, wild] = await outOfReach(owner)
    await owner.query('update device set customer_id = $1 where id = any($2)', [
      customerId,
      devices.map(({ id }) => id),
    ])
    const product = await run.product(database, { areDevicesUnlimited: true })
    const mqttPort = Number(new URL(product.mqttUrl).port)
    const device = await connectDevice(mqttPort, witness, { reconnectPeriod: 200 })
    const isServed = async () => {
      const payload = JSON.stringify({ at: new Date().toISOString(), values: { cpu_load: 20 } })
      const published = device.publishAsync(eventsTopic(witness.guid, 'device'), payload, { qos: 1 })
      const late = new Promise((resolve) => setTimeout(() => resolve('late'), ACKNOWLEDGED_WITHIN_MS).unref())
      if ((await Promise.race([published, late])) === 'late')
        run.wrong('a device that does it right was not acknowledged')
    }

    const callers = new Callers(owner, customerId)
    const statuses = new Map<number, number>()
    for (const round of run.rounds()) {
      const random = diceOf(run, 'call', round)
      const caller = await callers.one(random)
      const asked = requestOf(random)
      const { status, wrong } = await judge(product.httpUrl, caller.token, asked)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (wrong !== undefined) run.wrong(`round ${round}, ${caller.kind}: ${shown(asked)}: ${wrong}`)
      // Their session was ended, their right removed, or a limit met by their own calls.
      if ([401, 429].includes(status) || (status === 403 && caller.kind === 'admin')) callers.replace(caller)
      if (round % LOOKED_AFTER === 0) await isServed()
    }
    console.log(
      `calls, by status: ${[...statuses]
        .toSorted()
        .map(([status, times]) => `${status}: ${times}`)
        .join(', ')}`,
    )

    const random = diceOf(run, 'packets', 0)
    const sender = new WildDevice(mqttPort, wild, random)
    for (let packet = 0; packet < run.options.packets; packet++) {
      await sender.send()
      if (packet % LOOKED_AFTER === 0) await isServed()
    }
    sender.end()
    await isServed()
    const health = (await (await fetch(`${product.httpUrl}/healthz`)).json()) as {
      readonly troubles: readonly string[]
    }
    if (health.troubles.length > 0) run.wrong(`health after it: ${health.troubles.join(' ')}`)
    const { faults } = await product.worker.ask<{ faults: number }>({ tell: 'faults' })
    if (faults > 0) run.wrong(`${faults} lines of the log tell of faults`)
    const { bytes } = await product.worker.ask<{ bytes: number }>({ tell: 'peak' })
    console.log(`${run.options.packets} packets; memory at most ${Math.round(bytes / 1e6)} MB`)
    await device.endAsync(true)
    await owner.end()
  },
})

/** Adds two devices of another customer, beyond the ids that random requests use. */
async function outOfReach(owner: pg.Pool): Promise<readonly [TestDevice, TestDevice]> {
  await insertDevices(owner, 2 * SMALLEST_IDS)
  const two = await insertDevices(owner, 2)
  let customerId = await addCustomer(owner, 'Beyond 0')
  for (let n = 1; n < 2 * SMALLEST_IDS; n++) customerId = await addCustomer(owner, `Beyond ${n}`)
  await owner.query('update device set customer_id = $1, status_id = 2 where id = any($2)', [
    customerId,
    two.map(({ id }) => id),
  ])
  return two as [TestDevice, TestDevice]
}

/** Each round has a seed of its own, so that it does not depend on the rounds before. */
function diceOf(run: Run<Values<RoundOptions>>, word: string, round: number): Random {
  let rolls = 0
  return () => run.chance(`${word} ${round}`, rolls++)
}

const shown = ({ method, path, body }: Request) =>
  `${method} ${path} ${body ?? ''}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, SHOWN_CHARACTERS)

interface Caller {
  readonly kind: 'admin' | 'operator' | 'customer' | 'stranger'
  readonly token: string | undefined
}

/** Holds one caller of each kind, and replaces one that can do nothing more. */
class Callers {
  readonly #owner: ReturnType<typeof openPool>
  readonly #customerId: Awaited<ReturnType<typeof addCustomer>>
  readonly #known = new Map<Caller['kind'], Caller>()
  #made = 0

  constructor(owner: ReturnType<typeof openPool>, customerId: Awaited<ReturnType<typeof addCustomer>>) {
    this.#owner = owner
    this.#customerId = customerId
  }

  async one(random: Random): Promise<Caller> {
    const kind = among(random, ['admin', 'admin', 'admin', 'operator', 'customer', 'stranger'] as const)
    const known = this.#known.get(kind) ?? { kind, token: kind === 'stranger' ? undefined : await this.#token(kind) }
    this.#known.set(kind, known)
    return known
  }

  replace({ kind }: Caller): void {
    if (kind !== 'stranger') this.#known.delete(kind)
  }

  async #token(kind: Caller['kind']): Promise<string> {
    const username = `${kind} ${++this.#made}`
    const functions: readonly FunctionId[] = kind === 'admin' ? [1] : [2]
    const customer = kind === 'customer' ? { customerId: this.#customerId } : {}
    return openSession(this.#owner, await addUser(this.#owner, { username, functions, ...customer }))
  }
}
