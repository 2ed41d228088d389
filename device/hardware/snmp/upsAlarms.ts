import { faultLabel, isFault, OUTPUT_OFF } from '#domain/catalogue/faults.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { SNMP } from '#domain/drivers/snmpDescription.ts'
import type { Reading } from '../readings.ts'
import { UPS } from './snmpProfiles.ts'
import { type SnmpVersion, withSnmp } from './snmpSession.ts'

/** UPS-MIB (RFC 1628): upsAlarmsPresent, and upsAlarmDescr of upsAlarmTable. */
export const ALARMS_PRESENT = `${UPS}.6.1.0`
const ALARM_NAMES = `${UPS}.6.2.1.2`
const WELL_KNOWN = `${UPS}.6.3`
const BATTERY_BAD = `${WELL_KNOWN}.1`

/** Each of them is a question of its own, and a reading has four seconds. */
const MOST_ALARMS = 12
const ANSWERS_WITHIN_MS = 700
const TABLE_WITHIN_MS = 1500

/** Alarms of the maker's own have names that only its own tables explain. */
const SOME_ALARM = 'alarm'

/** upsWellKnownAlarms that are faults, in words; that it runs on its battery or tests it is told elsewhere. */
const WORDS: Readonly<Record<string, string>> = {
  [BATTERY_BAD]: 'replace battery',
  [`${WELL_KNOWN}.3`]: 'battery low',
  [`${WELL_KNOWN}.4`]: 'battery depleted',
  [`${WELL_KNOWN}.5`]: 'too hot',
  [`${WELL_KNOWN}.8`]: 'overload',
  [`${WELL_KNOWN}.9`]: 'bypass',
  [`${WELL_KNOWN}.11`]: OUTPUT_OFF,
  [`${WELL_KNOWN}.13`]: 'charger failed',
  [`${WELL_KNOWN}.14`]: OUTPUT_OFF,
  [`${WELL_KNOWN}.16`]: 'fan failed',
  [`${WELL_KNOWN}.17`]: 'fuse failed',
  [`${WELL_KNOWN}.18`]: 'fault',
  [`${WELL_KNOWN}.22`]: 'shutting down',
  [`${WELL_KNOWN}.23`]: 'shutting down',
}

/**
 * What a UPS raises now, by the names of the standard. Undefined where it does not say how many there are, or does not let its
 * table be read: the rest of what was read counts all the same.
 */
export async function readAlarms(
  options: OptionsOf<typeof SNMP>,
  version: SnmpVersion,
  present: number | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (present === undefined || present < 0) return undefined
  if (present === 0) return []
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TABLE_WITHIN_MS)])
    const names = await withSnmp(options, { version, answersWithinMs: ANSWERS_WITHIN_MS }, within, (session) =>
      session.namesIn(ALARM_NAMES, Math.min(present, MOST_ALARMS)),
    )
    return names.length > 0 ? names : undefined
  } catch {
    return undefined
  }
}

/** What the maker's own object says of the battery goes over what is raised, because it was asked for alone. */
export function withAlarms(values: Reading, raised: readonly string[]): Reading {
  const words = [
    ...(isFault(values.alarm) ? [String(values.alarm)] : []),
    ...raised.flatMap((name) => WORDS[name] ?? (name.startsWith(`${WELL_KNOWN}.`) ? [] : SOME_ALARM)),
  ]
  return {
    ...values,
    replace_battery: values.replace_battery ?? Number(raised.includes(BATTERY_BAD)),
    alarm: faultLabel([...new Set(words)]),
  }
}
