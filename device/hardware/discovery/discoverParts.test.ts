import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startSnmpCard } from '#device/testing/snmpCard.ts'
import { nutIsMissing, startNutServer } from '#testing/nutServer.ts'
import { passTime } from '#testing/passTime.ts'
import { socatIsMissing, startSerialLine } from '#testing/totem/pseudoTerminals.ts'
import { startLgDisplay } from '#testing/totem/simulatedLgDisplay.ts'
import { startMdcPanel } from '#testing/totem/simulatedMdcPanel.ts'
import { floatAt, startModbus } from '#testing/totem/simulatedModbus.ts'
import { KNOB, RELAYS, startYoctoHub } from '#testing/totem/simulatedYoctoHub.ts'
import { snmpdIsMissing, startSnmpd } from '#testing/totem/snmpd.ts'
import { DRIVERS_OF_CLIENT } from '../composed/drivers.ts'
import { busesIn } from '../ddcutil/ddcutilDriver.ts'
import type { Surroundings } from '../driver.ts'
import { modbusDriver } from '../modbus/modbusDriver.ts'
import { openLine } from '../wire/line.ts'
import { discoverParts } from './discoverParts.ts'

/** No instrument listens there. */
const NOWHERE = 1
const [MDC, LG, NUT, YOCTO, MODBUS, SNMP] = [1515, 9761, 3493, 4444, 502, 161]

const discover = (ports: Readonly<Record<number, number>>, more: Partial<Surroundings> = {}) =>
  discoverParts(DRIVERS_OF_CLIENT, {
    ...{ hosts: ['127.0.0.1'], serialPorts: [], log: () => undefined, ...more },
    portFor: (usual) => ports[usual] ?? NOWHERE,
  })

test('panels of two makers are found by what they answer, and what listens without answering is left out', async () => {
  const [samsung, lg] = [await startMdcPanel(), await startLgDisplay()]
  const mute = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(async () => {
    mute.close()
    await samsung.pull()
    await lg.pull()
  })
  const { port } = mute.address() as { port: number }
  const found = await discover({ [MDC]: samsung.port, [LG]: lg.port, 5000: port })
  expect(found).toEqual([
    {
      ...{ part: 'display', driver: 'samsung-mdc', options: { host: '127.0.0.1', port: samsung.port } },
      words: expect.stringMatching(/^A Samsung (panel|display) answers at .*backlight/),
    },
    {
      ...{ part: 'display/2', driver: 'lg', options: { host: '127.0.0.1', port: lg.port } },
      words: expect.stringContaining('answers at'),
    },
  ])
})

test('nothing is found where nothing answers', async () => {
  expect(await discover({})).toEqual([])
})

if (socatIsMissing) console.warn(socatIsMissing)
test.skipIf(socatIsMissing)('a panel at a serial port is found by its own protocol alone', async () => {
  const lg = await startLgDisplay()
  const line = await startSerialLine(lg.port)
  onTestFinished(async () => {
    await line.unplug()
    await lg.pull()
  })
  expect(await discover({}, { serialPorts: [line.path] })).toMatchObject([
    { part: 'display', driver: 'lg', options: { path: line.path } },
  ])
})

if (nutIsMissing) console.warn(nutIsMissing)
test.skipIf(nutIsMissing)('each UPS of upsd is found by its name', async () => {
  const nut = await startNutServer({ 'ups.status': 'OL', 'battery.charge': '97' })
  onTestFinished(() => nut.stop())
  expect(await discover({ [NUT]: nut.options.port })).toMatchObject([
    { part: 'ups', driver: 'nut', options: nut.options, words: expect.stringContaining('on line, charge 97 %') },
  ])
})

test('the modules of a Yoctopuce hub are found by what they have, and nothing is switched', async () => {
  const hub = await startYoctoHub()
  onTestFinished(() => hub.pull())
  const at = { host: '127.0.0.1', port: hub.port }
  expect(await discover({ [YOCTO]: hub.port })).toMatchObject([
    {
      part: 'yocto',
      driver: 'yoctopuce',
      options: { ...at, serial: KNOB },
      words: expect.stringContaining('5 buttons'),
    },
    { part: 'relay', driver: 'yoctopuce', options: { ...at, serial: RELAYS }, words: expect.stringContaining('ports') },
  ])
  expect(hub.orders).toEqual([])
})

test('meters are found by Modbus where somebody agreed to it, by reading alone, and one of three phases is told apart', async () => {
  const meter = await startModbus()
  onTestFinished(() => meter.pull())
  for (const [address, value] of [
    ...[[0x0000, 231.4] as const, [0x0046, 49.98] as const],
    ...[[0x000c, 312] as const, [0x0156, 1204.5] as const],
  ])
    floatAt(meter.state.input, address, value)
  const asksModbus = true
  expect(await discover({ [MODBUS]: meter.port })).toEqual([])
  expect(await discover({ [MODBUS]: meter.port }, { asksModbus })).toMatchObject([
    { part: 'ecu', driver: 'modbus', options: { host: '127.0.0.1', port: meter.port, profile: 'eastron-sdm120' } },
  ])
  floatAt(meter.state.input, 0x0034, 936)
  expect(await discover({ [MODBUS]: meter.port }, { asksModbus })).toMatchObject([
    { options: { profile: 'eastron-sdm630' }, words: expect.stringContaining('active_power 936') },
  ])
  // Another instrument with registers at the same addresses is no meter.
  floatAt(meter.state.input, 0x0046, 1200)
  expect(await discover({ [MODBUS]: meter.port }, { asksModbus })).toEqual([])
  expect(meter.writes).toEqual([])
})

test.skipIf(socatIsMissing)('a meter at a serial port is found at its speed', async () => {
  const meter = await startModbus({ framing: 'rtu' })
  for (const [address, value] of [[0x0000, 231.4] as const, [0x0046, 49.98] as const, [0x000c, 312] as const])
    floatAt(meter.state.input, address, value)
  const line = await startSerialLine(meter.port)
  onTestFinished(async () => {
    await line.unplug()
    await meter.pull()
  })
  const port = await openLine({ path: line.path, baud: 9600, parity: 'none', stopBits: 1 }, AbortSignal.timeout(4000))
  port.write('what another protocol has asked')
  await passTime(200, 'a pause ends what the meter takes for a frame')
  port.destroy()
  const around = { hosts: [], serialPorts: [line.path], asksModbus: true, log: () => undefined }
  expect(await discoverParts([modbusDriver], around)).toMatchObject([
    { part: 'ecu', driver: 'modbus', options: { path: line.path, profile: 'eastron-sdm120' } },
  ])
  expect(meter.writes).toEqual([])
})

if (snmpdIsMissing) console.warn(snmpdIsMissing)
test.skipIf(snmpdIsMissing)(
  'an agent of SNMP is found by the community that somebody names, and by what it is',
  async () => {
    const ups = await startSnmpd(['1.3.6.1.2.1.33.1.4.1.0 integer 3', '1.3.6.1.2.1.33.1.2.4.0 integer 97'])
    onTestFinished(() => ups.stop())
    const ports = { [SNMP]: ups.port }
    expect(await discover(ports)).toEqual([])
    expect(await discover(ports, { communities: ['wrong'] })).toEqual([])
    expect(await discover(ports, { communities: ['wrong', 'cabinet'] })).toMatchObject([
      {
        ...{ part: 'ups', driver: 'snmp', words: expect.stringContaining('battery_charge 97') },
        options: { host: '127.0.0.1', port: ups.port, profile: 'ups', community: 'cabinet' },
      },
    ])
  },
)

test('an old card that bears one object of SNMP is found, and asked only for numbers', async () => {
  const card = await startSnmpCard({ '1.3.6.1.2.1.33.1.4.1.0': 3 }, { isVersion1: true, mostAtOnce: 1 })
  const found = await discover({ [SNMP]: card.options.port }, { communities: ['public'] })
  expect(found).toMatchObject([{ part: 'ups', driver: 'snmp', options: { profile: 'ups', version: '1' } }])
})

test('of the displays that ddcutil lists, those that answer have a bus', () => {
  const printed = `Display 1
   I2C bus:          /dev/i2c-4
   Monitor:          SAM:LS24:H4ZN

Invalid display
   I2C bus:          /dev/i2c-5

Display 2
   I2C bus:  /dev/i2c-11
`
  expect(busesIn(printed)).toEqual([4, 11])
})
