import { randomUUID } from 'node:crypto'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { createPlaces, createRateLimiter, RateLimited } from '../http/limits/rateLimits.ts'
import { SharedCounts } from '../http/limits/SharedCounts.store.ts'
import { type FreshDatabase, freshDatabase, runFolder } from '../testing/database/freshDatabase.ts'
import { eventually } from '../testing/devices/gatewayFixture.ts'
import { askServer, startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import { openPools, type Pools } from './pools.ts'
import type { RunningServer } from './server.ts'

const FORGOTTEN_AFTER_MS = 1_000
const WINDOW_SECONDS = 600

let database: FreshDatabase
let pools: Pools
/** These are counts of two processes, of which one may end. */
let counts: readonly SharedCounts[]
const warned: unknown[] = []

const startCounts = () =>
  new SharedCounts({
    pool: pools.calls,
    connect: pools.connectListener,
    log: { warn: (...said) => warned.push(said) },
    forgottenAfterMs: FORGOTTEN_AFTER_MS,
  })

beforeAll(async () => {
  database = await freshDatabase()
  pools = openPools(database)
  counts = [startCounts(), startCounts()]
  for (const [at, to] of [counts, counts.toReversed()] as [SharedCounts, SharedCounts][]) {
    const places = at.places('listening')
    const heard = to.places('listening')
    await eventually(
      async () => {
        places.hold('x', 1)
        return heard.elsewhere('x')
      },
      (held) => held === 1,
    )
    places.hold('x', 0)
  }
}, 60_000)
afterAll(async () => {
  await Promise.all(counts.map((one) => one.stop()))
  await pools.end()
  await database.drop()
})

const isRefused = (use: () => unknown): boolean => {
  try {
    use()
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(RateLimited)
    return true
  }
}

test('what somebody may ask in a minute is counted over all processes, and of others nothing is taken', async () => {
  const [here, there] = counts.map((one) =>
    createRateLimiter({ uses: 100, perSeconds: WINDOW_SECONDS }, one.uses('uses')),
  ) as [(subject: string) => void, (subject: string) => void]
  for (let n = 0; n < 100; n++) here('busy')
  await eventually(async () => isRefused(() => there('busy')), Boolean)
  expect(isRefused(() => here('busy'))).toBe(true)
  expect(isRefused(() => there('calm'))).toBe(false)
})

test('what no process says is passed over, and what comes after it is heard', async () => {
  const [here, there] = counts.map((one) => one.uses('after')) as [
    ReturnType<SharedCounts['uses']>,
    ReturnType<SharedCounts['uses']>,
  ]
  const heard: number[] = []
  there((_, uses) => heard.push(uses))
  for (const payload of ['', '{', 'null', '{"from":"x","uses":[["after","x"]],"held":7}']) {
    await pools.calls.query(`select pg_notify('wayside_counts', $1)`, [payload])
  }
  here(() => undefined)('x', 5)
  await eventually(
    async () => heard,
    (uses) => uses.length > 0,
  )
  expect(heard).toEqual([5])
})

test('many who use much at once are all told of, in as many notices as that takes', async () => {
  const [here, there] = counts.map((one) => one.uses('many')) as [
    ReturnType<SharedCounts['uses']>,
    ReturnType<SharedCounts['uses']>,
  ]
  const heard = new Map<string, number>()
  there((subject, uses) => heard.set(subject, (heard.get(subject) ?? 0) + uses))
  const tell = here(() => undefined)
  const subjects = Array.from({ length: 1_000 }, (_, n) => `2001:db8:${n.toString(16)}::/64 "é"`)
  for (const subject of subjects) tell(subject, 3)
  for (const subject of subjects) tell(subject, 4)
  await eventually(
    async () => heard.size,
    (size) => size === subjects.length,
  )
  expect(new Set(heard.values())).toEqual(new Set([7]))
})

test('places are taken from all processes together, and those of a process that is gone come back', async () => {
  const dying = startCounts()
  const [here, there, theirs] = [...counts, dying].map((one) => createPlaces(3, one.places('places'))) as [
    ReturnType<typeof createPlaces>,
    ReturnType<typeof createPlaces>,
    ReturnType<typeof createPlaces>,
  ]
  const leave = here('reader')
  theirs('reader')
  theirs('reader')
  const elsewhere = counts[1]?.places('places')
  const held = (expected: number) =>
    eventually(
      async () => elsewhere?.elsewhere('reader'),
      (count) => count === expected,
    )
  await held(3)
  expect([isRefused(() => there('reader')), isRefused(() => there('other'))]).toEqual([true, false])
  leave()
  await held(2)
  expect([isRefused(() => there('reader')), isRefused(() => there('reader'))]).toEqual([false, true])
  // Held places are announced again and again.
  await passTime(3 * FORGOTTEN_AFTER_MS, 'what is not told again is forgotten meanwhile')
  await held(2)
  await dying.stop()
  await held(0)
  expect(isRefused(() => there('reader'))).toBe(false)
  expect(warned).toEqual([])
})

test('whoever is refused by one server for wrong tokens and keys is refused by the other', async () => {
  const config = { dataFolder: runFolder('limits') }
  const servers: RunningServer[] = [
    await startWholeServer(database, { config }),
    await startWholeServer(database, { config }),
  ]
  const [here, there] = servers.map(({ localAddresses }) => localAddresses) as [
    RunningServer['localAddresses'],
    RunningServer['localAddresses'],
  ]
  try {
    const askWrongly = async (httpUrl: string) =>
      (await askServer(httpUrl, 'Device/GetDeviceList', { token: WRONG })).status
    while ((await inTens(() => askWrongly(here.httpUrl))).every((status) => status === 401));
    expect(await within(200, () => askWrongly(there.httpUrl))).toContain(429)
    const tryWrongly = async (url: string) => {
      const tried = connectAsync(url, { username: randomUUID(), password: 'wrong', reconnectPeriod: 0 }, false)
      return tried.then(
        () => 0,
        ({ code }: { code: number }) => code,
      )
    }
    while ((await inTens(() => tryWrongly(here.mqttUrl))).every((code) => code === REFUSED));
    expect(await within(150, () => tryWrongly(there.mqttUrl))).toContain(UNAVAILABLE)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}, 60_000)

const WRONG = 'x'.repeat(43)
const [UNAVAILABLE, REFUSED] = [3, 4]
const inTens = <Result>(ask: () => Promise<Result>) => Promise.all(Array.from({ length: 10 }, ask))

/** Stops below the limit of one server, until it has heard of the other one's count. */
async function within(most: number, ask: () => Promise<number>): Promise<readonly number[]> {
  const answers: number[] = []
  while (answers.length < most && !answers.includes(429) && !answers.includes(UNAVAILABLE)) {
    answers.push(await ask())
    await passTime(5, 'a notice takes longer than a refusal')
  }
  return answers
}
