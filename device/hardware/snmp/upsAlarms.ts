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

/** Each alarm takes its own request, and a reading has four seconds. */
const MOST_ALARMS = 12
const ANSWERS_WITHIN_MS = 700
const TABLE_WITHIN_MS = 1500

/** The maker's own alarms have names that only its own tables explain. */
const SOME_ALARM = 'alarm'

/** The upsWellKnownAlarms that are faults, in words; running on battery and testing it are reported elsewhere. */
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
 * Returns the present alarms of a UPS by the names of the standard. Undefined when it does not report their number, or
 * its table cannot be read; the rest of the reading counts all the same.
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

/** The maker's own object about the battery takes precedence over an alarm, because it was requested specifically. */
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
