import type { OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import { credentialsProblem, SNMP, SNMP_PROFILES } from '#domain/drivers/snmpDescription.ts'
import { type CommandsByTopic, type DriverReading, driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { lineName } from '../wire/line.ts'
import { powerCycle } from '../wire/powerCycle.ts'
import { PROFILES, type SnmpField, type SnmpSet } from './snmpProfiles.ts'
import { readSnmp, type SnmpHabits } from './snmpReading.ts'
import { withSnmp } from './snmpSession.ts'
import { ALARMS_PRESENT, readAlarms, withAlarms } from './upsAlarms.ts'

type SnmpOptions = OptionsOf<typeof SNMP>

const COMMAND_ENDS_AFTER_MS = 4000
const ORDER_ANSWERED_WITHIN_MS = 1500

interface Counted {
  readonly bytes: number
  readonly atMs: number
}

function openSnmp(options: SnmpOptions, { steadyMs }: Place): Instrument {
  const { profile: name, indexes } = options
  const profile = PROFILES[name]
  const counted = new Map<string, Counted>()
  let habits: SnmpHabits = { version: options.version, silencesToMany: 0 }

  /** Returns undefined for a port or outlet without an index in the options. */
  const oidOf = (oid: string): string | undefined => {
    const [mark, number] = /\{(\d)\}/.exec(oid) ?? []
    if (mark === undefined) return oid
    const index = indexes[Number(number) - 1]
    return index === undefined ? undefined : oid.replace(mark, String(index))
  }
  const fields = Object.entries(profile.fields).flatMap(([field, how]) => {
    const oid = oidOf(how.oid)
    return oid === undefined ? [] : [{ field, oid, how }]
  })

  /** Returns kB/s since the reading before; unknown at the first one, and when the counter was reset. */
  const rateOf = (oid: string, bytes: number): number | undefined => {
    const before = counted.get(oid)
    const atMs = steadyMs()
    counted.set(oid, { bytes, atMs })
    if (!before || bytes < before.bytes || atMs <= before.atMs) return undefined
    return Math.round((10 * (bytes - before.bytes)) / (atMs - before.atMs)) / 10
  }
  const valueFor = (
    oid: string,
    { means, scale = 1, between, isNone, isRate }: SnmpField,
    told: number | undefined,
  ) => {
    if (told === undefined || told === isNone || (between && (told < between[0] || told > between[1]))) return undefined
    if (isRate) return rateOf(oid, told)
    return means ? means[told] : Number((told * scale).toFixed(3))
  }

  const counters = (profile.traffic ?? []).flatMap((oid) => oidOf(oid) ?? [])

  const read = async (signal: AbortSignal): Promise<DriverReading> => {
    const oids = [...fields.map(({ oid }) => oid), ...counters, ...(profile.hasAlarms ? [ALARMS_PRESENT] : [])]
    if (oids.length === 0) throw new HardwareError('The options of this part name no index of what it has.')
    const { known: told, ...found } = await readSnmp(options, habits, oids, signal)
    habits = found.habits
    const bytes = counters.map((oid) => told.get(oid) ?? Number.NaN).reduce((sum, one) => sum + one, 0)
    const values = Object.fromEntries(fields.map(({ field, oid, how }) => [field, valueFor(oid, how, told.get(oid))]))
    const raised = await readAlarms(options, habits.version, told.get(ALARMS_PRESENT), signal)
    return {
      values: raised ? withAlarms(values, raised) : values,
      // If one counter is missing, nothing is reported, because half of the traffic would pass for all of it.
      ...(counters.length > 0 && !Number.isNaN(bytes) && { trafficBytes: bytes }),
    }
  }

  const order = async (orderName: string) => {
    const steps = profile.orders[orderName] ?? []
    const known = steps.map((sets) =>
      sets.flatMap(({ oid, value }): SnmpSet[] => {
        const full = oidOf(oid)
        return full === undefined ? [] : [{ oid: full, value }]
      }),
    )
    if (known.length === 0 || known.some((sets) => sets.length === 0)) {
      throw new HardwareError(`The options of this part name no index for that.`)
    }
    const setAll = (sets: readonly SnmpSet[]) => () =>
      withSnmp(
        options,
        { version: habits.version, answersWithinMs: ORDER_ANSWERED_WITHIN_MS },
        AbortSignal.timeout(COMMAND_ENDS_AFTER_MS),
        (session) => session.set(sets),
      )
    const [first = [], second] = known
    await (second ? powerCycle(setAll(first), setAll(second)) : setAll(first)())
  }

  return {
    read,
    test: async (signal) => {
      const { values, trafficBytes } = await read(signal)
      const known = Object.entries({ ...values, bytes: trafficBytes }).filter(([, value]) => value !== undefined)
      const said = known.map(([field, value]) => `${field} ${value}`).join(', ')
      if (known.length === 0 && name !== 'traffic') {
        throw new HardwareError(`${lineName(options)} answers, and has none of what "${name}" has.`)
      }
      return `SNMP at ${lineName(options)} answers${said && `: ${said}`}.`
    },
    commands: commandsOf(profile.part, order),
  }
}

function commandsOf(part: string, order: (name: string) => Promise<void>): Partial<CommandsByTopic> {
  const outlets = {
    set: (outlet: number, isOn: boolean) => order(`${isOn ? 'on' : 'off'}/${outlet}`),
    reset: (outlet: number) => order(`reset/${outlet}`),
  }
  const ups = {
    reboot: () => order('reboot'),
    shutdown: () => order('shutdown'),
    testBattery: () => order('testBattery'),
  }
  if (part === 'power-switch') return { 'power-switch': outlets }
  if (part === 'ups') return { ups }
  return part === 'router' ? { router: { reset: (number: number) => order(`reset/${number}`) } } : {}
}

function problem(options: SnmpOptions, topic: string): OptionProblem | undefined {
  if (PROFILES[options.profile].part === topic) return credentialsProblem(options)
  const fitting = SNMP_PROFILES.filter((name) => PROFILES[name].part === topic)
  return { field: 'profile', reason: `must be, for a part of this kind, one of ${fitting.join(', ')}` }
}

export const snmpDriver = driver(SNMP, { problem, open: openSnmp })
