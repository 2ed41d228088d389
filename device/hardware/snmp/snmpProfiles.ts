import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { NO_FAULT } from '#domain/catalogue/faults.ts'
import type { SNMP_PROFILES } from '#domain/drivers/snmpDescription.ts'

/** `{1}` to `{4}` in an OID are the indexes that the options name. */
export interface SnmpField {
  readonly oid: string
  /** A number is multiplied by this. */
  readonly scale?: number
  /** The meaning of each number; others mean nothing. */
  readonly means?: Readonly<Record<number, number | string>>
  /** A number outside means that the value is unknown: -1, or the largest number of its bits. */
  readonly between?: readonly [least: number, most: number]
  /** This number is within range, but means that nothing measures the value. */
  readonly isNone?: number
  /** The value is a counter of bytes, whose rate is reported in kB/s. */
  readonly isRate?: true
}

export interface SnmpSet {
  readonly oid: string
  /** An integer, or an OID. */
  readonly value: number | string
}

export interface SnmpProfile {
  readonly part: EventTypeTopic
  readonly fields: Readonly<Record<string, SnmpField>>
  /** Counters of bytes whose sum is a router's traffic since it started. */
  readonly traffic?: readonly string[]
  /** Present alarms are in a table (upsAlarms.ts). */
  readonly hasAlarms?: true
  /** The sets of one request, by command and target; a second request, if any, completes a power cycle. */
  readonly orders: Readonly<Record<string, readonly (readonly SnmpSet[])[]>>
}

const IF_OPER_STATUS = '1.3.6.1.2.1.2.2.1.8'
const IF_HC_IN_OCTETS = '1.3.6.1.2.1.31.1.1.1.6.{1}'
const IF_HC_OUT_OCTETS = '1.3.6.1.2.1.31.1.1.1.10.{1}'
const PSE_ADMIN_ENABLE = '1.3.6.1.2.1.105.1.1.1.3.1'
export const UPS = '1.3.6.1.2.1.33.1'
export const RPDU = '1.3.6.1.4.1.318.1.1.12.3'

/** Cards report a runtime beyond two days when they do not know it. */
const LONGEST_RUNTIME_MINUTES = 2 * 24 * 60
const HIGHEST_VOLTAGE = 1000

/** RFC 2863: up; down, not present and the lower layer down. A port that is being tested or unknown says nothing. */
const OPER_STATUS = { 1: 1, 2: 0, 6: 0, 7: 0 }
/** RFC 3621: the port supplies power, or none. */
const [GIVES_POWER, GIVES_NONE] = [1, 2]
function ports(...numbers: readonly number[]) {
  return [GIVES_NONE, GIVES_POWER].map((value) =>
    numbers.map((number) => ({ oid: `${PSE_ADMIN_ENABLE}.{${number}}`, value })),
  )
}

/** UPS-MIB (RFC 1628). The names of its objects stand beside them. */
const UPS_PROFILE: SnmpProfile = {
  part: 'ups',
  hasAlarms: true,
  fields: {
    // upsOutputSource: normal, bypass, battery, booster, reducer; "none" and "other" say nothing about the mains.
    status: {
      oid: `${UPS}.4.1.0`,
      means: { 3: UPS_ON_GRID, 4: UPS_ON_GRID, 5: 'on battery', 6: UPS_ON_GRID, 7: UPS_ON_GRID },
    },
    // upsEstimatedChargeRemaining, upsEstimatedMinutesRemaining.
    battery_charge: { oid: `${UPS}.2.4.0`, between: [0, 100] },
    battery_runtime: { oid: `${UPS}.2.3.0`, scale: 60, between: [0, LONGEST_RUNTIME_MINUTES] },
    // upsOutputPercentLoad, upsInputVoltage, upsOutputVoltage of the first line.
    load: { oid: `${UPS}.4.4.1.5.1`, between: [0, 250] },
    input_voltage: { oid: `${UPS}.3.3.1.3.1`, between: [0, HIGHEST_VOLTAGE] },
    output_voltage: { oid: `${UPS}.4.4.1.2.1`, between: [0, HIGHEST_VOLTAGE] },
    // upsBatteryVoltage in tenths of a volt, upsBatteryTemperature.
    battery_voltage: { oid: `${UPS}.2.5.0`, scale: 0.1, between: [0, 10 * HIGHEST_VOLTAGE] },
    // The temperature is in whole degrees, and a card whose battery has no thermometer reports -1. A battery that is
    // really that cold is unknown until it is a degree warmer or colder.
    temp: { oid: `${UPS}.2.7.0`, isNone: -1 },
    // upsTestResultsSummary: done and passed, done with a warning or an error, aborted, in progress; 6 means that
    // there was no test.
    battery_test_result: {
      oid: `${UPS}.7.3.0`,
      means: { 1: 'passed', 2: 'failed', 3: 'failed', 4: 'aborted', 5: 'running' },
    },
    // upsBatteryStatus: normal, low, depleted; 1 means unknown.
    alarm: { oid: `${UPS}.2.1.0`, means: { 2: NO_FAULT, 3: 'battery low', 4: 'battery depleted' } },
    // APC's cards have PowerNet-MIB upsAdvBatteryReplaceIndicator beside UPS-MIB.
    replace_battery: { oid: '1.3.6.1.4.1.318.1.1.1.2.2.4.0', means: { 1: 0, 2: 1 } },
  },
  orders: {
    // upsTestId := upsTestQuickBatteryTest.
    testBattery: [[{ oid: `${UPS}.7.1.0`, value: `${UPS}.7.7.4` }]],
    // upsRebootWithDuration is in seconds.
    reboot: [[{ oid: `${UPS}.8.4.0`, value: 10 }]],
    // upsShutdownType := output, then upsShutdownAfterDelay.
    shutdown: [
      [
        { oid: `${UPS}.8.1.0`, value: 1 },
        { oid: `${UPS}.8.2.0`, value: 0 },
      ],
    ],
  },
}

/** PowerNet-MIB rPDUOutletStatusOutletState; rPDUOutletControlOutletCommand: immediateOn, immediateOff, immediateReboot. */
const RPDU_PROFILE: SnmpProfile = {
  part: 'power-switch',
  fields: {
    port1_status: { oid: `${RPDU}.5.1.1.4.{1}`, means: { 1: 1, 2: 0 } },
    port2_status: { oid: `${RPDU}.5.1.1.4.{2}`, means: { 1: 1, 2: 0 } },
  },
  orders: Object.fromEntries(
    [1, 2].flatMap((outlet) =>
      Object.entries({ on: 1, off: 2, reset: 3 }).map(([name, value]) => [
        `${name}/${outlet}`,
        [[{ oid: `${RPDU}.3.1.1.4.{${outlet}}`, value }]],
      ]),
    ),
  ),
}

/** These come from the makers' and the IETF's own tables, whose object names are given beside them. */
export const PROFILES: Readonly<Record<(typeof SNMP_PROFILES)[number], SnmpProfile>> = {
  // IF-MIB (RFC 2863) ifOperStatus; POWER-ETHERNET-MIB (RFC 3621) pethPsePortAdminEnable of group 1.
  switch: {
    part: 'router',
    fields: Object.fromEntries(
      [1, 2, 3, 4].map((port) => [`port${port}_status`, { oid: `${IF_OPER_STATUS}.{${port}}`, means: OPER_STATUS }]),
    ),
    orders: { 'reset/1': ports(1, 2), 'reset/2': ports(3, 4) },
  },
  // IF-MIB, for the interface that leads to the server.
  traffic: {
    part: 'device',
    fields: {
      network_received: { oid: IF_HC_IN_OCTETS, isRate: true },
      network_sent: { oid: IF_HC_OUT_OCTETS, isRate: true },
    },
    orders: {},
  },
  // The data budget uses the same counters. They have 64 bits and do not overflow; those of 32 bits (ifInOctets) do
  // within hours, and a smaller value could then be a restart or an overflow.
  'data-use': { part: 'router', fields: {}, traffic: [IF_HC_IN_OCTETS, IF_HC_OUT_OCTETS], orders: {} },
  // TELTONIKA-RUTX-MIB mSignal, in dBm.
  teltonika: {
    part: 'router',
    fields: { signal_strength: { oid: '1.3.6.1.4.1.48690.2.2.1.12.{1}' } },
    orders: {},
  },
  ups: UPS_PROFILE,
  'apc-rpdu': RPDU_PROFILE,
}
