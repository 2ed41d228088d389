import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nutIsMissing, startNutServer } from '#testing/nutServer.ts'
import { socatIsMissing, startSerialLine } from '#testing/totem/pseudoTerminals.ts'
import { startLgDisplay } from '#testing/totem/simulatedLgDisplay.ts'
import { startMdcPanel } from '#testing/totem/simulatedMdcPanel.ts'
import { DRIVERS_OF_CLIENT } from '../composed/drivers.ts'
import { busesIn } from '../ddcutil/ddcutilDriver.ts'
import type { Surroundings } from '../driver.ts'
import { discoverParts } from './discoverParts.ts'

/** No instrument listens there. */
const NOWHERE = 1
const [MDC, LG, NUT] = [1515, 9761, 3493]

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
