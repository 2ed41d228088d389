import type { DesiredDriver } from '#contract/mqtt/drivers.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { networkProblem, readConsoleOptions } from '#domain/drivers/consoleOptions.ts'
import { type OptionProblem, readOptions } from '#domain/drivers/driverDescription.ts'
import { partKey, readPartKey } from '#domain/drivers/partKey.ts'
import type { Driver } from '../driver.ts'
import { DRIVERS_OF_CLIENT } from './drivers.ts'

/** One driver of a part, with validated options. */
export interface ChosenDriver {
  readonly driver: Driver
  readonly options: Readonly<Record<string, unknown>>
}

/** Drivers by `partKey`; of several at one part the first wins, field by field and command by command. */
export type ChosenDrivers = ReadonlyMap<string, readonly ChosenDriver[]>

/** Names a field of the device's own file, from `components` on, and the rest of the sentence about it. */
export class ComponentsError extends Error {
  readonly field: string
  readonly reason: string
  constructor(field: string, reason: string) {
    super(`field "${field}" ${reason}`)
    this.field = field
    this.reason = reason
  }
}

const MOST_DRIVERS_OF_A_PART = 4

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads `components` of the device's own file: for each part a driver with its options, or a list of them.
 *
 * @throws ComponentsError for the first error
 */
export function readOwnComponents(components: unknown, known = DRIVERS_OF_CLIENT): ChosenDrivers {
  if (components === undefined) return new Map()
  if (!isRecord(components)) throw new ComponentsError('components', 'must be an object of parts')
  const chosen = new Map<string, readonly ChosenDriver[]>()
  for (const [name, value] of Object.entries(components)) {
    const field = `components.${name}`
    const part = readPartKey(name)
    if (!part) throw new ComponentsError(field, 'is no part of a device: a part is called ups, display or display/2')
    if (chosen.has(partKey(part))) throw new ComponentsError(field, `is the same part as components.${partKey(part)}`)
    const list = Array.isArray(value) ? value : [value]
    if (list.length === 0 || list.length > MOST_DRIVERS_OF_A_PART) {
      throw new ComponentsError(field, `must have 1 to ${MOST_DRIVERS_OF_A_PART} drivers`)
    }
    const fieldOf = (index: number) => (Array.isArray(value) ? `${field}.${index}` : field)
    chosen.set(
      partKey(part),
      list.map((one, index) => readOwn(part.topic, one, fieldOf(index), known)),
    )
  }
  return chosen
}

function readOwn(topic: EventTypeTopic, value: unknown, field: string, known: readonly Driver[]): ChosenDriver {
  if (!isRecord(value)) throw new ComponentsError(field, 'must be an object with a driver and its options')
  const { driver: name, ...given } = value
  const found = findDriver(name, topic, known)
  if ('problem' in found) throw new ComponentsError(`${field}.driver`, found.problem.reason)
  const read = readOptions(found.driver.description, given)
  const problem = 'problem' in read ? read.problem : found.driver.problem?.(read.options, topic)
  if (problem) throw new ComponentsError(`${field}.${problem.field}`, problem.reason)
  return { driver: found.driver, options: 'options' in read ? read.options : {} }
}

function findDriver(
  name: unknown,
  topic: EventTypeTopic,
  known: readonly Driver[],
): { readonly driver: Driver } | { readonly problem: OptionProblem } {
  const able = known.filter(({ description }) => description.parts.includes(topic))
  const driver = able.find(({ description }) => description.name === name)
  if (driver) return { driver }
  const names = able.map(({ description }) => description.name).join(', ') || 'none yet'
  return { problem: { field: 'driver', reason: `must be a driver of ${topic}, which are: ${names}` } }
}

export interface JudgedSections {
  readonly chosen: ChosenDrivers
  /** The reason why a desired driver is not used, by part: `field "host" …`. */
  readonly refusals: ReadonlyMap<string, string>
}

/** The device checks the console's drivers itself, because the server may be wrong, or not be ours. */
export function judgeDesiredSections(
  wishes: readonly DesiredDriver[],
  allowedNetworks: readonly string[],
  known = DRIVERS_OF_CLIENT,
): JudgedSections {
  const chosen = new Map<string, readonly ChosenDriver[]>()
  const refusals = new Map<string, string>()
  for (const wish of wishes) {
    const judged = judge(wish, allowedNetworks, known)
    if ('problem' in judged) refusals.set(wish.part, `field "${judged.problem.field}" ${judged.problem.reason}`)
    else chosen.set(wish.part, [judged])
  }
  return { chosen, refusals }
}

function judge(
  { part: key, driver: name, options: given }: DesiredDriver,
  allowedNetworks: readonly string[],
  known: readonly Driver[],
): ChosenDriver | { readonly problem: OptionProblem } {
  const part = readPartKey(key)
  if (!part || partKey(part) !== key) return { problem: { field: 'part', reason: 'is no part of a device' } }
  const found = findDriver(name, part.topic, known)
  if ('problem' in found) return found
  const { driver } = found
  const read = readConsoleOptions(driver.description, given)
  if ('problem' in read) return read
  const problem =
    driver.problem?.(read.options, part.topic) ?? networkProblem(driver.description, read.options, allowedNetworks)
  return problem ? { problem } : { driver, options: read.options }
}
