import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createSession, Version2c } from 'net-snmp'
import { expect, onTestFinished, test } from 'vitest'
import { createDataCount } from '#device/agent/automatic/dataCount.ts'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { passTime } from '#testing/passTime.ts'
import { type Snmpd, snmpdIsMissing, startSnmpd } from '#testing/totem/snmpd.ts'
import { readOwnComponents } from '../composed/chosenDrivers.ts'
import { composeHardware } from '../composed/composedHardware.ts'
import { createHostHardware } from '../host/hostHardware.ts'
import { snmpDriver } from './snmpDriver.ts'

const UPS = '1.3.6.1.2.1.33.1'
const OPER = '1.3.6.1.2.1.2.2.1.8'
const POE = '1.3.6.1.2.1.105.1.1.1.3.1'
/** ifHCInOctets is column 6 and ifHCOutOctets column 10 of the IF-MIB. */
const OCTETS = '1.3.6.1.2.1.31.1.1.1'
const RPDU = '1.3.6.1.4.1.318.1.1.12.3'

const OBJECTS = [
  `${UPS}.4.1.0 integer 3`,
  `${UPS}.2.4.0 integer 97`,
  `${UPS}.2.3.0 integer 42`,
  `${UPS}.2.5.0 integer 273`,
  `${UPS}.7.3.0 integer 3`,
  `${UPS}.7.1.0 object_id ${UPS}.7.7.1`,
  `${OPER}.11 integer 1`,
  `${OPER}.12 integer 2`,
  `${OPER}.13 integer 4`,
  `${POE}.11 integer 1`,
  `${POE}.12 integer 1`,
  `${OCTETS}.6.2 counter64 5000000000`,
  `${OCTETS}.10.2 counter64 1000`,
  '1.3.6.1.4.1.48690.2.2.1.12.1 integer -71',
  `${RPDU}.5.1.1.4.7 integer 2`,
  `${RPDU}.3.1.1.4.7 integer 2`,
]

/** Reads the number through an independent session. */
async function numberAt({ port, community }: Snmpd, oid: string): Promise<unknown> {
  const session = createSession('127.0.0.1', community, { port, version: Version2c })
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  session.get([oid], (error, varbinds) => (error ? reject(error) : resolve(varbinds?.[0]?.value)))
  return promise.finally(() => session.close())
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await passTime(50, 'nobody tells when another session has set a value')
}

async function start(objects = OBJECTS) {
  const agent = await startSnmpd(objects)
  onTestFinished(() => agent.stop())
  const v2 = { host: '127.0.0.1', port: agent.port, community: agent.community }
  const v3 = { host: '127.0.0.1', port: agent.port, version: '3', ...agent.user }
  const open = (topic: EventTypeTopic, options: object) => openDriver(snmpDriver, { ...options }, { topic })
  const valuesOf = async (topic: EventTypeTopic, options: object) => (await open(topic, options).read(soon()))?.values
  return { agent, v2, v3, open, valuesOf }
}

if (snmpdIsMissing) console.warn(snmpdIsMissing)
test.skipIf(snmpdIsMissing)(
  'a UPS card, a switch, a modem and an outlet say what Debian’s snmpd has of them',
  async () => {
    const { v2, v3, open, valuesOf } = await start()
    const ups = {
      ...{
        status: UPS_ON_GRID,
        battery_charge: 97,
        battery_runtime: 2520,
        battery_voltage: 27.3,
        battery_test_result: 'failed',
      },
      ...{ load: undefined, input_voltage: undefined, output_voltage: undefined, temp: undefined },
      ...{ alarm: undefined, replace_battery: undefined },
    }
    expect(await valuesOf('ups', { ...v2, profile: 'ups' })).toEqual(ups)
    expect(await valuesOf('ups', { ...v3, profile: 'ups' })).toEqual(ups)
    // A port that is being tested or unknown is not off, and a port without index is not read.
    const ports = { port1_status: 1, port2_status: 0, port3_status: undefined }
    expect(await valuesOf('router', { ...v2, profile: 'switch', indexes: '11,12,13' })).toEqual(ports)
    expect(await valuesOf('router', { ...v2, profile: 'teltonika', indexes: '1' })).toEqual({ signal_strength: -71 })
    const outlets = open('power-switch', { ...v2, profile: 'apc-rpdu', indexes: '7' })
    expect(await outlets.read(soon())).toEqual({ values: { port1_status: 0 } })
    expect(await outlets.test(soon())).toContain('answers: port1_status 0.')
  },
)

/** The table of a UPS's alarms: upsAlarmsPresent, and upsAlarmDescr by numbers that the card assigns. */
const raising = (...wellKnown: readonly number[]) => [
  `${UPS}.6.1.0 integer ${wellKnown.length}`,
  ...wellKnown.map((alarm, index) => `${UPS}.6.2.1.2.${3 + index * 4} object_id ${UPS}.6.3.${alarm}`),
]

test.skipIf(snmpdIsMissing).each<[string, readonly string[], object]>([
  ['nothing', raising(), { replace_battery: 0, alarm: 'none' }],
  ['that its battery is worn', raising(1), { replace_battery: 1, alarm: 'replace battery' }],
  [
    'that it is overloaded on its battery, which is low as its status says, too',
    [`${UPS}.2.1.0 integer 3`, ...raising(2, 3, 8)],
    { replace_battery: 0, alarm: 'battery low, overload' },
  ],
  ['that its output is off', raising(14), { replace_battery: 0, alarm: 'output off' }],
  [
    'by its maker’s own object that the battery is worn',
    ['1.3.6.1.4.1.318.1.1.1.2.2.4.0 integer 2', ...raising()],
    { replace_battery: 1, alarm: 'none' },
  ],
  [
    'what only its maker can name',
    [`${UPS}.6.1.0 integer 1`, `${UPS}.6.2.1.2.3 object_id 1.3.6.1.4.1.476.1.1`],
    { replace_battery: 0, alarm: 'alarm' },
  ],
  ['something, without a table', raising(1).slice(0, 1), { replace_battery: undefined, alarm: undefined }],
  ['not how many', raising(1).slice(1), { replace_battery: undefined, alarm: undefined }],
])('a UPS card raises %s', async (_, objects, expected) => {
  for (const version of ['2c', '1']) {
    const { v2, valuesOf } = await start([...OBJECTS, ...objects])
    expect(await valuesOf('ups', { ...v2, version, profile: 'ups' })).toMatchObject({ battery_charge: 97, ...expected })
  }
})

test.skipIf(snmpdIsMissing).each([
  [-1, undefined],
  [-2, -2],
  [0, 0],
])('a battery of %i °C by the whole degrees of UPS-MIB is %s', async (told, temp) => {
  const { v2, valuesOf } = await start([...OBJECTS, `${UPS}.2.7.0 integer ${told}`])
  expect(await valuesOf('ups', { ...v2, profile: 'ups' })).toMatchObject({ temp })
})

test.skipIf(snmpdIsMissing)('traffic is told from the second reading on', async () => {
  const { v2, open } = await start()
  const traffic = open('device', { ...v2, profile: 'traffic', indexes: '2' })
  expect((await traffic.read(soon()))?.values).toEqual({ network_received: undefined, network_sent: undefined })
  expect((await traffic.read(soon()))?.values).toEqual({ network_received: 0, network_sent: 0 })
})

test.skipIf(snmpdIsMissing)(
  'what goes over a router counts against the data budget, through its restart; half of it is not told',
  async () => {
    let router = await startSnmpd(OBJECTS)
    onTestFinished(() => router.stop())
    // An override of snmpd with 64 bits always returns 0; one with text returns the text.
    const v2 = { host: '127.0.0.1', port: router.port, community: router.community }
    /** Restarts the router at the same address with these counters. */
    const counts = async (received: number, sent: number) => {
      await router.stop()
      const counters = [`${OCTETS}.6.2 octet_str "${received}"`, `${OCTETS}.10.2 octet_str "${sent}"`]
      router = await startSnmpd([...OBJECTS.filter((line) => !line.startsWith(OCTETS)), ...counters], router.port)
    }
    const parts = [
      { driver: 'snmp', ...v2, profile: 'switch', indexes: '11,12' },
      { driver: 'snmp', ...v2, profile: 'data-use', indexes: '2' },
    ]
    const hardware = composeHardware({
      base: createHostHardware({ clientVersion: '1.0.0', dataFolder: '/' }),
      own: readOwnComponents({ router: parts }),
      ...{ allowedNetworks: [], steadyMs: () => performance.now(), log: () => undefined },
    })
    onTestFinished(() => hardware.close?.())
    const count = createDataCount({
      hardware,
      budget: () => ({ megabytes: 1000, billingDay: 1 }),
      store: { remembered: () => undefined, remember: () => undefined },
      now: () => Date.parse('2026-11-20T10:00Z'),
    })
    const look = async () => {
      const reading = (await hardware.networkSwitches()?.read()) ?? {}
      await count.follow('UTC')
      return count.withUse(reading)
    }
    await counts(5_000_000_000, 1000)
    expect(await look()).toEqual({ port1_status: 1, port2_status: 0, data_used: 0, data_used_percent: 0 })
    await counts(5_090_000_000, 10_001_000)
    expect(await look()).toMatchObject({ data_used: 100, data_used_percent: 10 })
    // The router has restarted.
    await counts(7_000_000, 3_000_000)
    expect(await look()).toMatchObject({ data_used: 110, data_used_percent: 11 })
    expect(hardware.dated?.({ topic: 'router', number: 1 }).map(({ source }) => source)).toEqual(['snmp', 'snmp 2'])
    // The loopback interface of this computer has counters that snmpd reports with 64 bits.
    const loopback = openDriver(snmpDriver, { ...v2, profile: 'data-use', indexes: '1' }, { topic: 'router' })
    const bytes = (await loopback.read(soon()))?.trafficBytes
    const counted = (way: string) => Number(readFileSync(`/sys/class/net/lo/statistics/${way}_bytes`, 'utf8'))
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(counted('rx') + counted('tx'))
    const poor = openDriver(snmpDriver, { ...v2, profile: 'data-use', indexes: '9999' }, { topic: 'router' })
    expect(await poor.read(soon())).toEqual({ values: {} })
    await expect(poor.test(soon())).rejects.toThrow('has none of what "data-use" has')
  },
)

test.skipIf(snmpdIsMissing)('orders are sets of one request; what is refused or has no index is said', async () => {
  const { agent, v2, v3, open, valuesOf } = await start()
  const outlets = { ...v3, profile: 'apc-rpdu', indexes: '7' }
  await open('power-switch', outlets).commands?.['power-switch']?.set?.(1, true)
  expect(await numberAt(agent, `${RPDU}.3.1.1.4.7`)).toBe(1)
  await open('ups', { ...v2, profile: 'ups' }).commands?.ups?.testBattery?.()
  await expect(open('power-switch', outlets).commands?.['power-switch']?.set?.(2, true)).rejects.toThrow('no index')
  await expect(open('ups', { ...v2, profile: 'ups' }).commands?.ups?.reboot?.()).rejects.toThrow(/ refuses that \(/)
  expect(await valuesOf('ups', { ...v2, profile: 'ups' })).toMatchObject({ battery_charge: 97 })
})

test.skipIf(snmpdIsMissing)('a network switch is reset by taking the power of its ports away for a while', async () => {
  const { agent, v2, open } = await start()
  const powers = () => Promise.all([11, 12].map((port) => numberAt(agent, `${POE}.${port}`)))
  const reset = open('router', { ...v2, profile: 'switch', indexes: '11,12' }).commands?.router?.reset?.(1)
  await waitFor(async () => (await powers()).every((power) => power === 2))
  await reset
  expect(await powers()).toEqual([1, 1])
  await expect(
    open('router', { ...v2, profile: 'switch', indexes: '11' }).commands?.router?.reset?.(2),
  ).rejects.toThrow('no index')
})

test.skipIf(snmpdIsMissing)('wrong credentials are said without them', async () => {
  const { v2, v3, open } = await start()
  const none = /^Nothing answers at 127\.0\.0\.1:\d+ in time(, or not to these credentials)?\.$/
  const read = (options: object) => open('ups', { ...options, profile: 'ups' }).read(AbortSignal.timeout(300))
  await expect(read({ ...v2, community: 'guessed' })).rejects.toThrow(none)
  await expect(read({ ...v3, authPassword: 'guessed words' })).rejects.toThrow(
    /does not take these credentials|in time/,
  )
})

test('an agent that is silent is unknown, and a set is sent once however long nothing answers', async () => {
  const heard: Buffer[] = []
  const silent = createSocket('udp4').on('message', (bytes) => heard.push(bytes))
  onTestFinished(() => void silent.close())
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  const where = { host: '127.0.0.1', port: silent.address().port, community: 'x' }
  const outlets = openDriver(snmpDriver, { ...where, profile: 'apc-rpdu' }, { topic: 'power-switch' })
  await expect(outlets.commands?.['power-switch']?.set?.(1, false)).rejects.toThrow(/^Nothing answers at /)
  expect(heard).toHaveLength(1)
})

test('options name the credentials that are missing', () => {
  const wrong = (options: object) => () =>
    openDriver(snmpDriver, { host: '10.0.0.2', profile: 'ups', ...options }, { topic: 'ups' })
  expect(wrong({})).toThrow('community is required for version 2c')
  expect(wrong({ profile: 'apc-rpdu' })).toThrow('profile must be, for a part of this kind, one of ups')
  expect(wrong({ version: '3' })).toThrow('user is required for version 3')
  expect(wrong({ version: '3', user: 'x', authPassword: 'short' })).toThrow(
    'authPassword must have at least 8 characters',
  )
  expect(wrong({ version: '3', user: 'x', privPassword: 'long enough' })).toThrow(
    'authPassword is required beside privPassword',
  )
  expect(wrong({ community: 'x', indexes: '1,0' })).toThrow('indexes must be 1 to 4 whole numbers')
})
