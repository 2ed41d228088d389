import { expect, test } from 'vitest'
import type { DriverDescription } from '#domain/drivers/driverDescription.ts'
import { address, integer, local, optional, secret } from '#domain/drivers/driverOption.ts'
import { passTime } from '#testing/passTime.ts'
import { driver, type Instrument } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { createHostHardware } from '../host/hostHardware.ts'
import { type ChosenDrivers, judgeDesiredSections, readOwnComponents } from './chosenDrivers.ts'
import { composeHardware } from './composedHardware.ts'
import { composedParts } from './composedParts.ts'
import { PartDrivers } from './PartDrivers.ts'

const PATIENCE = { readMs: 60, commandMs: 60, testMs: 60, lookMs: 20, firstRestMs: 5000, longestRestMs: 20_000 }
const TEST = {
  name: 'test',
  title: 'For tests',
  parts: ['ups', 'ecu', 'relay', 'display'],
  chosenBy: 'console',
  options: {
    host: address('Address'),
    unit: optional(integer('Unit', { minimum: 1, maximum: 247 })),
    password: optional(secret('Password')),
    line: optional(local('Line', (value) => (typeof value === 'string' ? { value } : { reason: 'must be a text' }))),
  },
} as const satisfies DriverDescription

/** Creates parts from the behaviour of each instrument. */
function partsOf(instruments: Readonly<Record<string, Partial<Instrument>>>) {
  let steadyMs = 0
  const log: string[] = []
  const opened: string[] = []
  const said: string[] = []
  const drivers = new PartDrivers({
    ...{ steadyMs: () => steadyMs, patience: PATIENCE },
    log: (line) => log.push(line),
    say: (words) => said.push(words),
  })
  const chosen: ChosenDrivers = new Map(
    Object.entries(instruments).map(([key, instrument]) => {
      const one = driver(TEST, {
        open: () => {
          opened.push(key)
          return { read: async () => undefined, test: async () => 'here', ...instrument }
        },
      })
      return [key, [{ driver: one, options: {} }]]
    }),
  )
  drivers.choose(chosen)
  const base = createHostHardware({ clientVersion: '1.0.0', dataFolder: '/' })
  const parts = composedParts(base, drivers.partOf, drivers.readableOf)
  return { parts, drivers, log, said, opened, pass: (ms: number) => (steadyMs += ms) }
}
const never = () => new Promise<never>(() => undefined)

test('a driver that hangs, throws or floods keeps no other part from its reading', async () => {
  const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]))
  const { parts, log } = partsOf({
    ups: { read: never },
    ecu: { read: () => Promise.reject(new Error('burnt')) },
    'ecu/2': {
      read: () => {
        throw new Error('at once')
      },
    },
    'ecu/3': {
      read: async () => ({ values: { ...flood, internal_temp: 21.5, door_status: 0.4, fan1_speed: Number.NaN } }),
    },
  })
  const all = [parts.ups(), parts.controller(1), parts.controller(2), parts.controller(3)]
  expect(await Promise.all(all.map((part) => part?.read()))).toEqual([
    undefined,
    undefined,
    undefined,
    { internal_temp: 21.5 },
  ])
  expect(log.sort()).toEqual(['ecu by test: burnt', 'ecu/2 by test: at once'])
})

test('what does not answer is opened anew and asked ever more seldom, and at once again when it does', async () => {
  let asked = 0
  let isDead = true
  const { parts, opened, log, pass } = partsOf({
    ecu: {
      read: () => {
        asked++
        return isDead ? never() : Promise.resolve({ values: { internal_temp: 5 } })
      },
    },
  })
  for (let look = 0; look < 24; look++) {
    await parts.controller(1)?.read()
    await passTime(PATIENCE.readMs, 'the deadline of a reading is a timer')
    pass(5000)
  }
  // The attempts come after 5, 15, 35, 55 … seconds of two minutes.
  expect(asked).toBe(8)
  expect(opened).toHaveLength(asked)
  isDead = false
  pass(20_000)
  expect(await parts.controller(1)?.read()).toEqual({ internal_temp: 5 })
  expect(log).toEqual(['ecu by test: It does not answer in time.', 'ecu by test answers again.'])
  isDead = true
  await parts.controller(1)?.read()
  await passTime(PATIENCE.readMs, 'the deadline of a reading is a timer')
  expect(await parts.controller(1)?.read()).toBeUndefined()
})

test('a reading that the instrument had at hand keeps its age, and one that is too old is none', async () => {
  let takenAgoMs = 30_000
  const { parts, drivers, pass } = partsOf({ ups: { read: async () => ({ values: { load: 5 }, takenAgoMs }) } })
  pass(1_000_000)
  expect(await parts.ups()?.read()).toEqual({ load: 5 })
  expect(drivers.dated({ topic: 'ups', number: 1 })).toMatchObject([{ source: 'test', takenAgoMs: 30_000 }])
  takenAgoMs = 121_000
  expect(await parts.ups()?.read()).toBeUndefined()
})

test('a reading that comes after its look is told by the next one, as old as it is', async () => {
  const { promise, resolve } = Promise.withResolvers<{ values: { load: number } }>()
  let asked = 0
  const { parts, drivers, pass } = partsOf({ ups: { read: () => (asked++ === 0 ? promise : never()) } })
  expect(await parts.ups()?.read()).toBeUndefined()
  resolve({ values: { load: 7 } })
  await passTime(1, 'what follows from the answer')
  pass(5000)
  expect(await parts.ups()?.read()).toEqual({ load: 7 })
  expect(drivers.dated({ topic: 'ups', number: 1 })).toMatchObject([{ takenAgoMs: 5000 }])
})

test('a command is told once: one that hangs is unknown, and what nobody can do says so', async () => {
  const told: string[] = []
  const { parts } = partsOf({
    relay: {
      commands: {
        relay: {
          set: (port, isOn) => {
            told.push(`${port} ${isOn}`)
            return port === 1 ? Promise.resolve() : never()
          },
        },
      },
    },
  })
  await parts.relay(1)?.set(1, true)
  await expect(parts.relay(1)?.set(2, false)).rejects.toThrow('Nobody knows whether relay by test did it')
  await expect(parts.relay(1)?.reset(1)).rejects.toThrow(new HardwareError('No driver of relay can do that.'))
  expect(told).toEqual(['1 true', '2 false'])
})

test('after a command only a reading that began after it counts', async () => {
  const reading = (port1_status: number) => Promise.resolve({ values: { port1_status } })
  const [first, second] = [1, 2].map(() => Promise.withResolvers<{ values: { port1_status: number } }>())
  const readings = [first?.promise, reading(0), second?.promise, never()]
  const { parts } = partsOf({
    relay: { read: () => readings.shift() ?? never(), commands: { relay: { set: async () => undefined } } },
  })
  expect(await parts.relay(1)?.read()).toBeUndefined()
  await parts.relay(1)?.set(1, false)
  first?.resolve({ values: { port1_status: 1 } })
  expect(await parts.relay(1)?.read()).toEqual({ port1_status: 0 })
  // Only what was read before is known, and nothing about the present.
  expect(await parts.relay(1)?.read()).toEqual({ port1_status: 0 })
  await parts.relay(1)?.set(1, true)
  second?.resolve({ values: { port1_status: 0 } })
  expect(await parts.relay(1)?.read()).toBeUndefined()
})

const own = (components: unknown) => () =>
  readOwnComponents(components, [driver(TEST, { open: () => ({ read: never, test: never }) })])

test.each([
  [[], 'field "components" must be an object of parts'],
  [{ toaster: {} }, 'field "components.toaster" is no part of a device: a part is called ups, display or display/2'],
  [{ 'ups/2': {} }, 'field "components.ups/2" is no part of a device: a part is called ups, display or display/2'],
  [{ ups: 'nut' }, 'field "components.ups" must be an object with a driver and its options'],
  [{ ups: {} }, 'field "components.ups.driver" must be a driver of ups, which are: test'],
  [{ camera: { driver: 'test' } }, 'field "components.camera.driver" must be a driver of camera, which are: none yet'],
  [{ ups: { driver: 'test' } }, 'field "components.ups.host" is required'],
  [{ ups: { driver: 'test', host: 'a b' } }, 'field "components.ups.host" must be an IP address or a name of a host'],
  [
    { ups: { driver: 'test', host: 'a', unit: 248 } },
    'field "components.ups.unit" must be a whole number from 1 to 247',
  ],
  [
    { ups: { driver: 'test', host: 'a', hots: 1 } },
    'field "components.ups.hots" is not an option of the driver test, which has host, unit, password, line',
  ],
  [{ ups: [{ driver: 'test', host: 'a' }, { driver: 'test' }] }, 'field "components.ups.1.host" is required'],
  [
    { ups: { driver: 'test', host: 'a' }, 'ups/1': { driver: 'test', host: 'a' } },
    'field "components.ups/1" is the same part as components.ups',
  ],
])('the file of a totem with %j is refused: %s', (components, sentence) => {
  expect(own(components)).toThrow(sentence)
})

test('the console reaches nothing but what the file of the totem allows, and sets nothing that is its own', () => {
  const known = [driver(TEST, { open: () => ({ read: never, test: never }) })]
  const judged = (options: Readonly<Record<string, string | number>>, networks: readonly string[]) => {
    const { chosen, refusals } = judgeDesiredSections([{ part: 'ups', driver: 'test', options }], networks, known)
    return refusals.get('ups') ?? chosen.get('ups')?.[0]?.options.host
  }
  const lan = ['192.168.1.0/24', 'fd00::/8']
  expect(judged({ host: '192.168.1.9' }, lan)).toBe('192.168.1.9')
  expect(judged({ host: 'fd00::1' }, lan)).toBe('fd00::1')
  expect(judged({ host: '::ffff:192.168.1.9' }, lan)).toBe('::ffff:192.168.1.9')
  const outside = 'field "host" lies in no network that the totem\'s own file allows the console; it allows'
  for (const host of ['192.168.2.1', '127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '8.8.8.8', '0.0.0.0']) {
    expect(judged({ host }, lan)).toBe(`${outside} 192.168.1.0/24, fd00::/8`)
    expect(judged({ host }, [])).toBe(`${outside} none`)
  }
  expect(judged({ host: 'localhost' }, lan)).toMatch(/^field "host" must be an IP address/)
  expect(judged({ host: '0x7f.1' }, lan)).toMatch(/^field "host" must be an IP address/)
  expect(judged({ host: '192.168.1.9', line: '/dev/ttyS0' }, lan)).toBe(
    'field "line" is set in the totem\'s own file alone',
  )
  // The client has every driver, but the console may choose none that starts a program or opens a file.
  for (const name of ['exec', 'ddcutil', 'hwmon']) {
    const wishes = ['display'].map((part) => ({ part, driver: name, options: { program: '/bin/sh' } }))
    const { chosen, refusals } = judgeDesiredSections(wishes, ['0.0.0.0/0'])
    expect([[...chosen], refusals.get('display')]).toEqual([
      [],
      'field "driver" is chosen in the totem\'s own file alone',
    ])
  }
})

test("what the totem's own file says of a part goes before the console, which is told no option of it", async () => {
  const file = readOwnComponents({ ups: { driver: 'nut', host: 'ups.cabinet', password: 'canary' } })
  const base = createHostHardware({ clientVersion: '1.0.0', dataFolder: '/' })
  const log: string[] = []
  const hardware = composeHardware({
    ...{ base, own: file, allowedNetworks: ['10.0.0.0/8'], steadyMs: () => 0 },
    log: (line) => log.push(line),
  })
  const wish = (part: string, host: string) => ({ part, driver: 'nut', options: { host } })
  hardware.fit({
    modelId: 1,
    components: [{ componentModelId: 5, number: 1 }],
    drivers: [wish('ups', '10.0.0.5'), wish('power-switch', '8.8.8.8')],
  })
  const told = hardware.drivers?.told()
  expect(told).toMatchObject({ allowedNetworks: ['10.0.0.0/8'] })
  expect(told?.parts).toEqual([
    {
      ...{ part: 'power-switch', setBy: 'console', drivers: [] },
      refusal: expect.stringMatching(/^field "host" lies in no network/),
    },
    { part: 'ups', setBy: 'file', drivers: ['nut'], refusal: null },
  ])
  expect(JSON.stringify([told, log])).not.toMatch(/canary|ups\.cabinet/)
  await expect(hardware.drivers?.test({ topic: 'power-switch', number: 1 })).rejects.toThrow(
    'is not used: field "host"',
  )
  await expect(hardware.drivers?.test({ topic: 'relay', number: 1 })).rejects.toThrow('No driver is chosen for relay.')
  expect(hardware.powerSwitch()).toBeUndefined()
})

test('neither a test nor a refused order tells the console a path of the totem', async () => {
  const { parts, drivers } = partsOf({
    ups: {
      test: async () => 'A UPS answers at /dev/ttyUSB0: charge 98 %.',
      commands: { ups: { reboot: () => Promise.reject(new HardwareError('/opt/totem/ups ended with code 1.')) } },
    },
    ecu: { test: () => Promise.reject(new HardwareError('There is no serial port /dev/ttyS7.')) },
  })
  expect(await drivers.test({ topic: 'ups', number: 1 })).toBe('A UPS answers at (its path): charge 98 %.')
  await expect(drivers.test({ topic: 'ecu', number: 1 })).rejects.toThrow('There is no serial port (its path).')
  await expect(parts.ups()?.reboot()).rejects.toThrow(/^\(its path\) ended with code 1\.$/)
})

test('operators are told of a driver that fails twice and of its end, seldom of one that comes and goes, and of no path', async () => {
  let isHere = false
  const read = async () => {
    if (isHere) return { values: { status: 'on line' } }
    throw new HardwareError('There is no serial port /dev/ttyUSB0.')
  }
  const { parts, said, pass } = partsOf({ ups: { read } })
  const look = async (after: number, here: boolean) => {
    isHere = here
    pass(after)
    await parts.ups()?.read()
  }
  await look(0, false)
  await look(5000, true)
  expect(said).toEqual([])
  await look(5000, false)
  await look(5000, false)
  expect(said).toEqual(['ups by test does not answer: There is no serial port (its path).'])
  await look(20_000, true)
  expect(said.at(-1)).toBe('ups by test answers again.')
  for (let times = 0; times < 5; times++) {
    await look(5000, false)
    await look(5000, false)
    await look(20_000, true)
  }
  expect(said).toHaveLength(2)
  await look(600_000, false)
  await look(5000, false)
  expect(said).toHaveLength(3)
})
