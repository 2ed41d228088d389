import { expect, test } from 'vitest'
import { upsReading } from './upsVariables.ts'

const read = (variables: Readonly<Record<string, string>>) => upsReading(new Map(Object.entries(variables)))
const ON_LINE = 'on line interactive normal'

test.each<[string, Readonly<Record<string, string>>, object]>([
  [
    'by -1 what it does not know',
    { 'ups.status': 'OL', 'battery.runtime': '-1', 'battery.voltage': '-1', 'battery.charge': '-1', 'ups.load': '-1' },
    {
      status: ON_LINE,
      battery_runtime: undefined,
      battery_voltage: undefined,
      battery_charge: undefined,
      load: undefined,
    },
  ],
  ['by 16 bits that it cannot tell how long it lasts', { 'battery.runtime': '65535' }, { battery_runtime: undefined }],
  ['by 32 bits that it cannot tell it', { 'battery.runtime': '4294967295.0' }, { battery_runtime: undefined }],
  ['by 8 bits that it does not know its charge', { 'battery.charge': '255' }, { battery_charge: undefined }],
  ['that it is empty', { 'battery.charge': '0', 'battery.runtime': '0' }, { battery_charge: 0, battery_runtime: 0 }],
  ['that its probe is not there', { 'ambient.temperature': '-1.0', 'ambient.humidity': '-1.0' }, { temp: undefined }],
  [
    'that its probe is not there, by its humidity alone',
    { 'ambient.temperature': '0', 'ambient.humidity': '-1' },
    { temp: undefined },
  ],
  ['that no probe is present', { 'ambient.temperature': '21', 'ambient.present': 'no' }, { temp: undefined }],
  ['what a probe measures', { 'ambient.temperature': '-7.5', 'ambient.humidity': '40' }, { temp: -7.5 }],
  ['what a probe measures in winter', { 'ambient.temperature': '-1.0', 'ambient.humidity': '81' }, { temp: -1 }],
  ['that there is no thermometer in it', { 'ups.temperature': '-1.0' }, { temp: undefined }],
  ['that there is none at its battery, as snmp-ups hands it on', { 'battery.temperature': '-1' }, { temp: undefined }],
  [
    'that there is no thermometer in it, and what a probe measures',
    { 'ups.temperature': '-1', 'ambient.temperature': '20.5' },
    { temp: 20.5 },
  ],
  ['that it is cold', { 'ups.temperature': '-1.2', 'ambient.temperature': '20' }, { temp: -1.2 }],
  [
    'that it is switched off while the mains are there',
    { 'ups.status': 'OL OFF', 'input.voltage': '229.0', 'output.voltage': '0.0' },
    { status: undefined, input_voltage: 229, output_voltage: 0, alarm: 'output off', replace_battery: 0 },
  ],
  ['that it is switched off on its battery', { 'ups.status': 'OB OFF' }, { status: undefined, alarm: 'output off' }],
  [
    'that its battery has to be replaced',
    { 'ups.status': 'ALARM OL RB', 'ups.alarm': 'Battery worn', 'battery.charge': '12' },
    { status: ON_LINE, alarm: 'replace battery, Battery worn', replace_battery: 1 },
  ],
  [
    'only by its own words that its battery is worn',
    { 'ups.status': 'ALARM OL', 'ups.alarm': 'Replace battery!' },
    { replace_battery: 1, alarm: 'Replace battery!' },
  ],
  ['that something is wrong, and not what', { 'ups.status': 'ALARM OL' }, { alarm: 'alarm', replace_battery: 0 }],
  [
    'that it is low and overloaded',
    { 'ups.status': 'OB DISCHRG LB OVER' },
    { status: 'on battery', alarm: 'battery low, overload', replace_battery: 0 },
  ],
  [
    'that it is on line, and discharges while nothing comes in',
    { 'ups.status': 'OL DISCHRG', 'input.voltage': '0.0' },
    { status: 'on battery', alarm: 'none' },
  ],
  [
    'only that it discharges while nothing comes in',
    { 'ups.status': 'DISCHRG', 'input.voltage': '0' },
    { status: 'on battery' },
  ],
  ['only that it discharges', { 'ups.status': 'DISCHRG' }, { status: undefined }],
  [
    'that it discharges for a test, with the mains there',
    { 'ups.status': 'OL DISCHRG CAL', 'input.voltage': '230.0' },
    { status: ON_LINE },
  ],
  ['in small letters that it is on line', { 'ups.status': 'ol chrg' }, { status: ON_LINE, alarm: 'none' }],
  [
    'in mixed letters that its battery is low',
    { 'ups.status': 'Ob Lb Rb' },
    { status: 'on battery', alarm: 'battery low, replace battery', replace_battery: 1 },
  ],
  [
    'that its driver has not heard it yet',
    { 'ups.status': 'WAIT' },
    { status: undefined, alarm: undefined, replace_battery: undefined },
  ],
  ['an empty status', { 'ups.status': ' ' }, { status: undefined, alarm: undefined, replace_battery: undefined }],
  [
    'nothing of its state',
    { 'battery.charge': '50' },
    { status: undefined, alarm: undefined, replace_battery: undefined },
  ],
])('a UPS says %s', (_, variables, expected) => {
  expect(read(variables)).toMatchObject(expected)
})
