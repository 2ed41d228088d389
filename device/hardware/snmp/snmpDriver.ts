import type { OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import { credentialsProblem, SNMP, SNMP_PROFILES } from '#domain/drivers/snmpDescription.ts'
import { type CommandsByTopic, type DriverReading, driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { lineName } from '../wire/line.ts'
import { powerCycle } from '../wire/powerCycle.ts'
import { snmpCandidates } from './snmpCandidates.ts'
import { PROFILES, type SnmpField, type SnmpProfile, type SnmpSet } from './snmpProfiles.ts'
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

/** The SNMP agent of one part, read by its profile. */
class SnmpInstrument implements Instrument {
  readonly commands: Partial<CommandsByTopic>
  readonly #options: SnmpOptions
  readonly #steadyMs: Place['steadyMs']
  readonly #profile: SnmpProfile
  readonly #fields: readonly { readonly field: string; readonly oid: string; readonly how: SnmpField }[]
  readonly #counters: readonly string[]
  readonly #counted = new Map<string, Counted>()
  #habits: SnmpHabits

  constructor(options: SnmpOptions, { steadyMs }: Place) {
    this.#options = options
    this.#steadyMs = steadyMs
    this.#profile = PROFILES[options.profile]
    this.#habits = { version: options.version, silencesToMany: 0 }
    this.#fields = Object.entries(this.#profile.fields).flatMap(([field, how]) => {
      const oid = this.#oidOf(how.oid)
      return oid === undefined ? [] : [{ field, oid, how }]
    })
    this.#counters = (this.#profile.traffic ?? []).flatMap((oid) => this.#oidOf(oid) ?? [])
    this.commands = commandsOf(this.#profile.part, (name) => this.#order(name))
  }

  async read(signal: AbortSignal): Promise<DriverReading> {
    const alarms = this.#profile.hasAlarms ? [ALARMS_PRESENT] : []
    const oids = [...this.#fields.map(({ oid }) => oid), ...this.#counters, ...alarms]
    if (oids.length === 0) throw new HardwareError('The options of this part name no index of what it has.')
    const { known: told, ...found } = await readSnmp(this.#options, this.#habits, oids, signal)
    this.#habits = found.habits
    const bytes = this.#counters.map((oid) => told.get(oid) ?? Number.NaN).reduce((sum, one) => sum + one, 0)
    const values = Object.fromEntries(
      this.#fields.map(({ field, oid, how }) => [field, this.#valueFor(oid, how, told.get(oid))]),
    )
    const raised = await readAlarms(this.#options, this.#habits.version, told.get(ALARMS_PRESENT), signal)
    return {
      values: raised ? withAlarms(values, raised) : values,
      // If one counter is missing, nothing is reported, because half of the traffic would pass for all of it.
      ...(this.#counters.length > 0 && !Number.isNaN(bytes) && { trafficBytes: bytes }),
    }
  }

  async test(signal: AbortSignal): Promise<string> {
    const { profile } = this.#options
    const { values, trafficBytes } = await this.read(signal)
    const known = Object.entries({ ...values, bytes: trafficBytes }).filter(([, value]) => value !== undefined)
    const said = known.map(([field, value]) => `${field} ${value}`).join(', ')
    if (known.length === 0 && profile !== 'traffic') {
      throw new HardwareError(`${lineName(this.#options)} answers, and has none of what "${profile}" has.`)
    }
    return `SNMP at ${lineName(this.#options)} answers${said && `: ${said}`}.`
  }

  /** Returns undefined for a port or outlet without an index in the options. */
  #oidOf(oid: string): string | undefined {
    const [mark, number] = /\{(\d)\}/.exec(oid) ?? []
    if (mark === undefined) return oid
    const index = this.#options.indexes[Number(number) - 1]
    return index === undefined ? undefined : oid.replace(mark, String(index))
  }

  #valueFor(oid: string, { means, scale = 1, between, isNone, isRate }: SnmpField, told: number | undefined) {
    if (told === undefined || told === isNone || (between && (told < between[0] || told > between[1]))) return undefined
    if (isRate) return this.#rateOf(oid, told)
    return means ? means[told] : Number((told * scale).toFixed(3))
  }

  /** Returns kB/s since the reading before; unknown at the first one, and when the counter was reset. */
  #rateOf(oid: string, bytes: number): number | undefined {
    const before = this.#counted.get(oid)
    const atMs = this.#steadyMs()
    this.#counted.set(oid, { bytes, atMs })
    if (!before || bytes < before.bytes || atMs <= before.atMs) return undefined
    return Math.round((10 * (bytes - before.bytes)) / (atMs - before.atMs)) / 10
  }

  async #order(name: string): Promise<void> {
    const steps = this.#profile.orders[name] ?? []
    const known = steps.map((sets) =>
      sets.flatMap(({ oid, value }): SnmpSet[] => {
        const full = this.#oidOf(oid)
        return full === undefined ? [] : [{ oid: full, value }]
      }),
    )
    if (known.length === 0 || known.some((sets) => sets.length === 0)) {
      throw new HardwareError('The options of this part name no index for that.')
    }
    const [first = [], second] = known
    if (second) await powerCycle(this.#setterOf(first), this.#setterOf(second))
    else await this.#setterOf(first)()
  }

  #setterOf(sets: readonly SnmpSet[]) {
    return () =>
      withSnmp(
        this.#options,
        { version: this.#habits.version, answersWithinMs: ORDER_ANSWERED_WITHIN_MS },
        AbortSignal.timeout(COMMAND_ENDS_AFTER_MS),
        (session) => session.set(sets),
      )
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

export const snmpDriver = driver(SNMP, {
  problem,
  open: (options, place) => new SnmpInstrument(options, place),
  probe: snmpCandidates,
})
