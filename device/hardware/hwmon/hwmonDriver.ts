import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { HWMON } from '#domain/drivers/hwmonDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { Reading } from '../readings.ts'

type HwmonOptions = OptionsOf<typeof HWMON>

const trimmedText = (file: string) =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )

/** Finds the folders of chips by name, because the number in `hwmon3` may change with each start. */
async function chipsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder).catch(() => [])).sort()
  const chips = await Promise.all(
    names.map(async (name) => [(await trimmedText(join(folder, name, 'name'))) ?? '', join(folder, name)] as const),
  )
  // The first of two chips with one name counts.
  return new Map(chips.reverse())
}

/** Temperatures are in thousandths of a degree, fans in revolutions per minute. */
async function inputOf(chips: ReadonlyMap<string, string>, sensor: string): Promise<number | undefined> {
  const [chip = '', input = ''] = sensor.split('/')
  const folder = chips.get(chip)
  const text = folder === undefined ? undefined : await trimmedText(join(folder, `${input}_input`))
  if (text === undefined || !/^-?\d+$/.test(text)) return undefined
  return input.startsWith('temp') ? Math.round(Number(text) / 100) / 10 : Number(text)
}

function openHwmon({ sensors, folder }: HwmonOptions, { topic }: Place): Instrument {
  const readAll = async (): Promise<Reading> => {
    const chips = await chipsIn(folder)
    const entries = await Promise.all(
      Object.entries(sensors).map(async ([field, sensor]) => [field, await inputOf(chips, sensor)] as const),
    )
    return Object.fromEntries(entries)
  }
  return {
    read: async () => {
      const values = await readAll()
      return Object.values(values).some((value) => value !== undefined) ? { values } : undefined
    },
    test: async () => {
      const values = await readAll()
      const missing = Object.keys(values).filter((field) => values[field] === undefined)
      if (missing.length > 0) throw new HardwareError(`The computer has no such sensor for ${missing.join(', ')}.`)
      const fields = eventTypeByTopic(topic)?.fields.filter(({ name }) => values[name] !== undefined) ?? []
      return `Sensors of the computer: ${fields.map(({ name, label, unit }) => `${label} ${values[name]} ${unit}`).join(', ')}.`
    },
  }
}

/** Each sensor is assigned to a field of the part, because the kernel does not say where a sensor is. */
export const hwmonDriver = driver(HWMON, {
  problem: ({ sensors }, topic) => {
    const known = eventTypeByTopic(topic)?.fields.filter(({ unit }) => unit === '°C' || unit === 'rpm') ?? []
    const names = known.map(({ name }) => name)
    const unknown = Object.keys(sensors).find((name) => !names.includes(name))
    if (unknown === undefined) return undefined
    return {
      field: `sensors.${unknown}`,
      reason: `is no temperature or fan of ${topic}, which has ${names.join(', ')}`,
    }
  },
  open: openHwmon,
})
