import type { EventTypeId } from '../ids.ts'
import { DISPLAY_FIELDS } from './displayFields.ts'
import { type CatalogueField, counted, measured, state, text } from './field.ts'

export type EventTypeTopic =
  | 'ecu'
  | 'device'
  | 'display'
  | 'ups'
  | 'power-switch'
  | 'router'
  | 'relay'
  | 'router-relay'
  | 'camera'
  | 'yocto'

export interface EventType {
  readonly id: EventTypeId
  /** The word in the MQTT topic `events/{topic}[/{number}]`. */
  readonly topic: EventTypeTopic
  readonly name: string
  /** The prefixes in the flat status record, one for each component number; their count is the highest number. */
  readonly prefixes: readonly string[]
  /** The name of its group on tiles and in metric lists, without the component number. */
  readonly group: string
  /** If true, raw data and thresholds offer it as a field group for every device (rules/lists 9). */
  readonly isAlwaysPickable: boolean
  readonly fields: readonly CatalogueField[]
}

const PORTS_2 = [1, 2] as const
const PORTS_4 = [1, 2, 3, 4] as const
const BUTTONS = [1, 2, 3, 4, 5] as const

type Definition<Topic, Fields> = Omit<EventType, 'id' | 'topic' | 'fields' | 'isAlwaysPickable'> & {
  readonly id: number
  readonly topic: Topic
  readonly fields: Fields
  readonly isAlwaysPickable?: true
}

/** The topic and the names of fields stay in the type, so that code that writes readings is checked. */
function eventType<Topic extends EventTypeTopic, Fields extends readonly CatalogueField[]>(
  definition: Definition<Topic, Fields>,
) {
  return {
    ...definition,
    id: definition.id as EventTypeId,
    isAlwaysPickable: definition.isAlwaysPickable ?? false,
  } satisfies EventType
}

export const DISPLAY_EVENT_TYPE_ID = 4
/** Meters of energy report with the controller. */
export const METER_EVENT_TYPE_ID = 1
export const CLIENT_EVENT_TYPE_ID = 3

const TYPES = [
  eventType({
    id: 1,
    topic: 'ecu',
    name: 'Ecu',
    prefixes: ['e_', 'e2_', 'e3_'],
    group: 'Ecu',
    fields: [
      measured(1, 'internal_temp', 'Controller temperature', '°C', 'temperature'),
      measured(2, 'external_temp', 'Outside temperature', '°C', 'temperature'),
      measured(3, 'fan1_speed', 'Cabinet fan 1 speed', 'rpm', 'fan'),
      measured(4, 'fan2_speed', 'Cabinet fan 2 speed', 'rpm', 'fan'),
      state(5, 'door_status', 'Door', 'door', 'openWhenOne'),
      counted(6, 'uptime', 'Controller uptime', 's', 'clock', 'duration'),
      measured(7, 'energy', 'Energy', 'kWh', 'plug'),
      measured(8, 'active_power', 'Active power', 'W', 'plug'),
    ],
  }),
  eventType({
    id: CLIENT_EVENT_TYPE_ID,
    topic: 'device',
    name: 'Device',
    prefixes: [''],
    group: 'Device',
    isAlwaysPickable: true,
    fields: [
      text(1, 'client_version', 'Client version', 'version'),
      state(2, 'status_id', 'Out of order', 'plug', 'outOfOrderFlag'),
      counted(3, 'uptime', 'Uptime', 's', 'clock', 'duration'),
      measured(4, 'cpu_load', 'CPU load', '%', 'cpu'),
      measured(5, 'cpu_temp', 'CPU temperature', '°C', 'temperature'),
      measured(6, 'memory_used', 'Memory used', '%', 'memory'),
      measured(7, 'disk_used', 'Disk used', '%', 'disk'),
      measured(8, 'signal_strength', 'Signal strength', 'dBm', 'signal'),
      measured(9, 'network_received', 'Network received', 'kB/s', 'network'),
      measured(10, 'network_sent', 'Network sent', 'kB/s', 'network'),
      text(11, 'client_features', 'Client knows', 'version', 'text', {
        hiddenFrom: ['metrics', 'conditions'],
        tile: 'never',
      }),
      counted(12, 'client_starts', 'Client starts in the last hour', undefined, 'version', 'number', {
        tile: 'once reported',
      }),
    ],
  }),
  eventType({
    id: DISPLAY_EVENT_TYPE_ID,
    topic: 'display',
    name: 'Display',
    prefixes: ['d_', 'd2_', 'd3_'],
    group: 'Display',
    isAlwaysPickable: true,
    fields: DISPLAY_FIELDS,
  }),
  eventType({
    id: 5,
    topic: 'ups',
    name: 'Ups',
    prefixes: ['u_'],
    group: 'Ups',
    isAlwaysPickable: true,
    fields: [
      text(1, 'status', 'UPS status', 'plug', 'upsStatus'),
      measured(2, 'battery_charge', 'UPS battery', '%', 'battery'),
      counted(3, 'battery_runtime', 'UPS battery remaining', 's', 'battery', 'duration'),
      measured(4, 'load', 'UPS load', '%', 'plug'),
      measured(5, 'input_voltage', 'UPS input voltage', 'V', 'voltage'),
      measured(6, 'output_voltage', 'UPS output voltage', 'V', 'voltage'),
      measured(7, 'battery_voltage', 'UPS battery voltage', 'V', 'voltage'),
      measured(8, 'temp', 'UPS temperature', '°C', 'temperature'),
      text(9, 'battery_test_result', 'Battery test', 'battery', 'text', {
        hiddenFrom: ['metrics'],
        tile: 'once reported',
      }),
      /** Local time of the device: `YYYY-MM-DD HH:mm`. */
      text(10, 'battery_test_at', 'Battery tested', 'clock', 'text', {
        hiddenFrom: ['metrics', 'conditions'],
        tile: 'once reported',
      }),
      state(11, 'replace_battery', 'Replace UPS battery', 'battery', 'yesWhenOne', { tile: 'once reported' }),
      // Other alarms of the UPS, as words separated by commas; `none` if there are none.
      text(12, 'alarm', 'UPS alarm', 'plug', 'text', { hiddenFrom: ['metrics'], tile: 'once reported' }),
    ],
  }),
  eventType({
    id: 6,
    topic: 'power-switch',
    name: 'PowerSwitch',
    prefixes: ['ps_'],
    group: 'Power switch',
    isAlwaysPickable: true,
    fields: PORTS_2.map((port) => state(port, `port${port}_status`, `Power switch ${port}`, 'plug', 'onWhenOne')),
  }),
  eventType({
    id: 7,
    topic: 'router',
    name: 'Router',
    prefixes: ['ro_'],
    group: 'Router',
    fields: [
      ...PORTS_4.map((port) => state(port, `port${port}_status`, `Network port ${port}`, 'network', 'onlineWhenOne')),
      measured(5, 'signal_strength', 'Router signal strength', 'dBm', 'signal'),
      measured(6, 'data_used', 'Data used this month', 'MB', 'network'),
      measured(7, 'data_used_percent', 'Data budget used', '%', 'network'),
    ],
  }),
  eventType({
    id: 8,
    topic: 'relay',
    name: 'Relay',
    prefixes: ['r_', 'r2_'],
    group: 'Relay',
    fields: PORTS_2.map((port) => state(port, `port${port}_status`, `Relay port ${port}`, 'relay', 'onWhenOne')),
  }),
  eventType({
    id: 9,
    topic: 'router-relay',
    name: 'RouterRelay',
    prefixes: ['rt_', 'rt2_'],
    group: 'Router relay',
    fields: [
      // 0 is On only here, because the relay interrupts the supply (rules/display 9).
      state(1, 'relay_status', 'Router relay', 'relay', 'routerRelay'),
      ...PORTS_2.map((port) => state(1 + port, `port${port}_status`, `Router port ${port}`, 'network', 'onWhenOne')),
    ],
  }),
  eventType({
    id: 10,
    topic: 'camera',
    name: 'Camera',
    prefixes: ['c_', 'c2_'],
    group: 'Camera',
    fields: [
      state(1, 'online_status', 'Camera', 'camera', 'onlineWhenOne'),
      measured(2, 'frame_rate', 'Frame rate', 'fps', 'camera'),
      measured(3, 'temp', 'Camera temperature', '°C', 'temperature'),
    ],
  }),
  eventType({
    id: 11,
    topic: 'yocto',
    name: 'Yocto',
    prefixes: ['yocto_'],
    group: 'Yocto buttons',
    fields: BUTTONS.map((button) => counted(button, `${button}`, `Button ${button}`, undefined, 'button')),
  }),
]

/**
 * Every kind of report a device can send (rules/display 17). Payload checks, storage columns, the flat record,
 * measurements, condition fields, tiles and the types of readings all follow from this list.
 */
export const EVENT_TYPES: readonly EventType[] = TYPES

type FieldOf<Topic extends EventTypeTopic> = Extract<(typeof TYPES)[number], { topic: Topic }>['fields'][number]

/** A component's own values, field by field, so that a reading is a report as it stands; absent is unknown. */
export type ReadingOf<Topic extends EventTypeTopic> = {
  -readonly [Field in FieldOf<Topic> as Field['name']]?: Field['storage'] extends 'text' ? string : number
}

const byTopic = new Map<string, EventType>(EVENT_TYPES.map((type) => [type.topic, type]))
const byId = new Map<number, EventType>(EVENT_TYPES.map((type) => [type.id, type]))

export function eventTypeByTopic(topic: string): EventType | undefined {
  return byTopic.get(topic)
}

export function eventTypeById(id: number): EventType | undefined {
  return byId.get(id)
}
