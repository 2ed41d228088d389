import { expect, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { type CardManners, startSnmpCard } from '#device/testing/snmpCard.ts'
import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import { snmpDriver } from './snmpDriver.ts'

const UPS = '1.3.6.1.2.1.33.1'
/** All of UPS-MIB that is read, except the temperature of the battery. */
const CARD = {
  [`${UPS}.4.1.0`]: 3,
  [`${UPS}.2.1.0`]: 3,
  [`${UPS}.2.4.0`]: 100,
  [`${UPS}.2.3.0`]: 90,
  [`${UPS}.4.4.1.5.1`]: 12,
  [`${UPS}.3.3.1.3.1`]: 231,
  [`${UPS}.4.4.1.2.1`]: 230,
  [`${UPS}.2.5.0`]: 273,
  [`${UPS}.7.3.0`]: 6,
}
const READ = {
  status: UPS_ON_GRID,
  battery_charge: 100,
  battery_runtime: 5400,
  load: 12,
  input_voltage: 231,
  output_voltage: 230,
  battery_voltage: 27.3,
  alarm: 'battery low',
  temp: undefined,
  replace_battery: undefined,
  battery_test_result: undefined,
}

const open = (options: object) => openDriver(snmpDriver, { ...options }, { topic: 'ups' })

test.each<[string, CardManners]>([
  ['refuses all of it where it lacks one object', { refusesWhole: true }],
  ['bears four objects at once, and refuses more', { mostAtOnce: 4 }],
  ['bears one object, lacks others, and refuses both', { mostAtOnce: 1, refusesWhole: true }],
  ['does not answer for more than one object', { mostAtOnce: 1, isSilentToMore: true }],
  ['speaks version 1 alone', { isVersion1: true }],
  ['speaks version 1 alone, for few objects', { isVersion1: true, mostAtOnce: 3 }],
  ['says of each object that it is not there', {}],
])('a card that %s is read all the same', async (_, manners) => {
  const { options } = await startSnmpCard(CARD, manners)
  const card = open(options)
  expect(await card.read(soon())).toEqual({ values: READ })
  expect(await card.test(soon())).toContain('battery_charge 100')
})

test('what a card was found to bear is kept: it is not asked in vain at every look', async () => {
  const silent = await startSnmpCard(CARD, { mostAtOnce: 1, isSilentToMore: true })
  const card = open(silent.options)
  for (const _ of [1, 2]) await card.read(soon())
  silent.asked.length = 0
  await card.read(soon())
  expect(silent.asked.every(({ objects }) => objects === 1)).toBe(true)
  const old = await startSnmpCard(CARD, { isVersion1: true })
  const oldCard = open(old.options)
  await oldCard.read(soon())
  old.asked.length = 0
  expect(await oldCard.read(soon())).toEqual({ values: READ })
  expect(old.asked.every(({ version }) => version === 0)).toBe(true)
})

test('a card can be said to speak version 1, and nobody asks it for another', async () => {
  const { asked, options } = await startSnmpCard(CARD, { isVersion1: true })
  expect(await open({ ...options, version: '1' }).read(soon())).toEqual({ values: READ })
  expect(asked.every(({ version }) => version === 0)).toBe(true)
})

test('a card that refuses everything says so', async () => {
  const { options } = await startSnmpCard({}, { refusesWhole: true })
  await expect(open(options).read(soon())).rejects.toThrow(/^What answers at .+ refuses that \(/)
})

test('numbers that mean "unknown" are none, and numbers told as texts are numbers', async () => {
  const unknown = { ...CARD, [`${UPS}.2.3.0`]: -1, [`${UPS}.2.4.0`]: 255, [`${UPS}.3.3.1.3.1`]: -1 }
  expect((await open((await startSnmpCard(unknown)).options).read(soon()))?.values).toMatchObject({
    battery_runtime: undefined,
    battery_charge: undefined,
    input_voltage: undefined,
  })
  const most = { ...CARD, [`${UPS}.2.3.0`]: 65_535 }
  expect((await open((await startSnmpCard(most)).options).read(soon()))?.values.battery_runtime).toBeUndefined()
  const texts = { ...CARD, [`${UPS}.2.4.0`]: '97', [`${UPS}.3.3.1.3.1`]: '231 V' }
  expect((await open((await startSnmpCard(texts)).options).read(soon()))?.values).toMatchObject({
    battery_charge: 97,
    input_voltage: 231,
  })
})
