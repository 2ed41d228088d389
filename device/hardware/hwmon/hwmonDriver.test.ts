import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOwnComponents } from '../composed/chosenDrivers.ts'

/** Writes files as the kernel of a small computer presents its chips. */
function sysWith(chips: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hwmon-'))
  for (const [chip, files] of Object.entries(chips)) {
    mkdirSync(join(folder, chip))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, chip, file), `${text}\n`)
  }
  return folder
}

const FOLDER = sysWith({
  hwmon0: { name: 'acpitz', temp1_input: '27800' },
  hwmon1: { name: 'k10temp', temp1_input: '48375' },
  hwmon2: { name: 'nct6775', temp2_input: '-4500', fan1_input: '1204', fan2_input: 'N/A' },
  hwmon3: { name: 'k10temp', temp1_input: '99000' },
})

function open(sensors: Readonly<Record<string, string>>, folder = FOLDER) {
  const [chosen] = readOwnComponents({ ecu: { driver: 'hwmon', sensors, folder } }).get('ecu') ?? []
  if (!chosen) throw new Error('not chosen')
  const inQueue = <Result>(_: string, work: () => Promise<Result>) => work()
  return chosen.driver.open(chosen.options, { topic: 'ecu', number: 1, steadyMs: () => 0, log: () => {}, inQueue })
}
const soon = () => AbortSignal.timeout(1000)

test('temperatures and fans are read by the name of their chip; what is not there is unknown, never zero', async () => {
  const sensors = { internal_temp: 'k10temp/temp1', external_temp: 'nct6775/temp2', fan1_speed: 'nct6775/fan1' }
  const { read, test } = open({ ...sensors, fan2_speed: 'nct6775/fan2' })
  expect(await read(soon())).toEqual({ values: { internal_temp: 48.4, external_temp: -4.5, fan1_speed: 1204 } })
  await expect(test(soon())).rejects.toThrow('The computer has no such sensor for fan2_speed.')
  expect(await open(sensors).test(soon())).toBe(
    'Sensors of the computer: Controller temperature 48.4 °C, Outside temperature -4.5 °C, Cabinet fan 1 speed 1204 rpm.',
  )
  expect(await open(sensors, '/nowhere').read(soon())).toBeUndefined()
})

test.each([
  [{ door_status: 'k10temp/temp1' }, 'field "components.ecu.sensors.door_status" is no temperature or fan of ecu'],
  [{ internal_temp: '../../etc/passwd' }, 'must be a chip and its input, such as k10temp/temp1 or nct6775/fan2'],
])('a file with the sensors %j is refused: %s', (sensors, sentence) => {
  expect(() => open(sensors)).toThrow(sentence)
})
