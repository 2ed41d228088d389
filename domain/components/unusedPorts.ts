import { NUMBERED_FIELDS, type NumberedField } from '../catalogue/fieldId.ts'
import type { FieldId } from '../ids.ts'
import { networkPort, PORTS_PER_SWITCH } from './componentFields.ts'

export interface PortsOfSwitch {
  readonly number: number
  readonly unusedPorts?: readonly number[] | undefined
}

const byWireName = new Map(NUMBERED_FIELDS.map((numbered) => [numbered.wireName, numbered]))

export function portFieldsOf(switchNumber: number): readonly NumberedField[] {
  const ports = Array.from({ length: PORTS_PER_SWITCH }, (_, index) => networkPort(switchNumber, index + 1))
  return ports.flatMap((port) => byWireName.get(`ro_port${port}_status`) ?? [])
}

/**
 * Returns the fields of ports that are marked unused. Such a port has no network on purpose, so its value opens no
 * alert and is no evidence for why a display is dark, and its tile says "not in use".
 */
export function unusedPortFields(switches: readonly PortsOfSwitch[]): ReadonlySet<FieldId> {
  const unused = switches.flatMap(({ number, unusedPorts = [] }) =>
    unusedPorts.length === 0 ? [] : portFieldsOf(number).filter((_, index) => unusedPorts.includes(index + 1)),
  )
  return new Set(unused.map(({ id }) => id))
}
