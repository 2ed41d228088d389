import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import { faultLabel, OUTPUT_OFF } from '#domain/catalogue/faults.ts'
import type { UpsReading } from '../readings.ts'

/** The values that upsd has of a UPS, by the names of NUT. */
export type Variables = ReadonlyMap<string, string>

/** UPSes and drivers of NUT report this for a missing thermometer. */
const NO_PROBE = -1
/** Some UPSes report a little more than full; 255 is eight bits of "unknown". */
const MOST_CHARGE_PERCENT = 120
/** An overload is reported beyond 100 %. */
const MOST_LOAD_PERCENT = 250

/** UPSes report the largest numbers of 16 and 32 bits when they do not know their runtime. */
const UNKNOWN_RUNTIMES: readonly (number | undefined)[] = [0xffff, 0x7fff_ffff, 0xffff_ffff]

function numberOf(variables: Variables, name: string): number | undefined {
  const text = variables.get(name)?.trim()
  const value = text ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** No charge, load or voltage is below zero: drivers of NUT report -1 when they do not know it. */
function amountOf(variables: Variables, name: string, most = Number.POSITIVE_INFINITY): number | undefined {
  const value = numberOf(variables, name)
  return value !== undefined && value >= 0 && value <= most ? value : undefined
}

/**
 * Reads the UPS's own temperature, else that of a probe beside it. In a UPS, beside its battery, -1 means that there is
 * no thermometer: it is rarely that cold there, and a real one reports another number soon. A probe may be outdoors in
 * winter, so its -1 counts if it reports the humidity too.
 */
function temperatureOf(variables: Variables): number | undefined {
  const own = ['ups.temperature', 'battery.temperature'].map((name) => numberOf(variables, name))
  const inside = own.find((value) => value !== undefined && value !== NO_PROBE)
  if (inside !== undefined) return inside
  const isPresent = variables.get('ambient.present')?.toLowerCase() !== 'no'
  const humidity = numberOf(variables, 'ambient.humidity')
  const beside = numberOf(variables, 'ambient.temperature')
  const isThere = isPresent && (humidity === undefined ? beside !== NO_PROBE : humidity >= 0)
  return isThere ? beside : undefined
}

/** NUT writes them in capitals; other programs with its protocol may not. WAIT means that nothing is known yet. */
function flagsOf(variables: Variables): readonly string[] {
  const flags = (variables.get('ups.status') ?? '').toUpperCase().split(/\s+/)
  return flags.filter((flag) => flag !== '' && flag !== 'WAIT')
}

/**
 * The console knows two values, and takes any other than the first for the battery, so a UPS that is off or reports
 * neither has no status here. Some never report OB: those discharge their battery while there is no input voltage.
 */
function statusOf(variables: Variables): string | undefined {
  const flags = flagsOf(variables)
  if (flags.includes('OFF')) return undefined
  const isDischarging = flags.includes('DISCHRG') && numberOf(variables, 'input.voltage') === 0
  if (flags.includes('OB') || isDischarging) return 'on battery'
  return flags.includes('OL') ? UPS_ON_GRID : undefined
}

/** The meaning of the flags of `ups.status` beside line and battery. */
const ALARMS: Readonly<Record<string, string>> = {
  OFF: OUTPUT_OFF,
  LB: 'battery low',
  RB: 'replace battery',
  OVER: 'overload',
  BYPASS: 'bypass',
  FSD: 'shutting down',
}

/** Joins the words of the flags and the UPS's own alarm with commas. */
function alarmOf(variables: Variables): string {
  const flags = flagsOf(variables)
  const own = variables.get('ups.alarm')?.trim()
  const words = [...flags.flatMap((flag) => ALARMS[flag] ?? []), ...(own ? [own] : [])]
  return faultLabel(words.length === 0 && flags.includes('ALARM') ? ['alarm'] : words)
}

const isWorn = (alarm: string) => /batter/i.test(alarm) && /replace|worn/i.test(alarm)

/** Drivers of NUT write the standard's results differently: `Done and passed`, `In progress`, `NG`. */
function batteryTestResult(variables: Variables): string | undefined {
  const text = variables.get('ups.test.result') ?? ''
  if (/progress/i.test(text)) return 'running'
  if (/abort/i.test(text)) return 'aborted'
  if (/error|warning|fail|bad|^NG/i.test(text)) return 'failed'
  return /pass|^OK/i.test(text) ? 'passed' : undefined
}

export function upsReading(variables: Variables): UpsReading {
  const amount = (name: string, most?: number) => amountOf(variables, name, most)
  const runtime = amount('battery.runtime')
  const alarm = flagsOf(variables).length > 0 ? alarmOf(variables) : undefined
  return {
    status: statusOf(variables),
    battery_charge: amount('battery.charge', MOST_CHARGE_PERCENT),
    battery_runtime: UNKNOWN_RUNTIMES.includes(runtime) ? undefined : runtime,
    load: amount('ups.load', MOST_LOAD_PERCENT),
    input_voltage: amount('input.voltage'),
    output_voltage: amount('output.voltage'),
    battery_voltage: amount('battery.voltage'),
    temp: temperatureOf(variables),
    battery_test_result: batteryTestResult(variables),
    replace_battery: alarm === undefined ? undefined : Number(isWorn(alarm)),
    alarm,
  }
}
