import { createSession, ObjectType, Version2c } from 'net-snmp'
import { type NutServer, nutIsMissing, startNutServer } from '../nutServer.ts'
import { type SimulatedMdcPanel, startMdcPanel } from './simulatedMdcPanel.ts'
import { floatAt, type SimulatedModbus, startModbus } from './simulatedModbus.ts'
import { KNOB, type SimulatedYoctoHub, startYoctoHub } from './simulatedYoctoHub.ts'
import { type Snmpd, startSnmpd } from './snmpd.ts'

const UPS = '1.3.6.1.2.1.33.1'
const OUTPUT_SOURCE = { oid: `${UPS}.4.1.0`, mains: 3, battery: 5 }
const INPUT_VOLTAGE = { oid: `${UPS}.3.3.1.3.1`, mains: 231 }
const ON_MAINS = {
  'ups.status': 'OL',
  'battery.charge': '97',
  'input.voltage': '231',
  'output.voltage': '230',
} as const
const portStatus = (port: number) => `1.3.6.1.2.1.2.2.1.8.${port}`
const [UP, DOWN] = [1, 2]
const SENSOR = { dark: 100, lit: 900 }
/** The first outlet feeds the display, the second the computer. */
const OUTLETS = { display: 0, computer: 1 } as const

/** Names what can be pulled, or break, in the totem. */
export type Plug = 'mains' | 'outlet' | 'panel' | 'lamp' | 'networkPort' | 'hub' | 'bus'

/** A totem of model 1 whose parts speak the protocols of their makers, wired as one chain of power. */
export interface BenchTotem {
  /** The components as the totem's own file names them. */
  readonly components: Readonly<Record<string, unknown>>
  /** The network switch, which the console chooses: its driver and options, of which two are secrets. */
  readonly networkSwitch: { readonly driver: string; readonly options: Readonly<Record<string, string | number>> }
  readonly panel: SimulatedMdcPanel
  readonly bus: SimulatedModbus
  readonly hub: SimulatedYoctoHub
  pull(plug: Plug): Promise<void>
  plugIn(plug: Plug): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts mains → UPS (Debian's upsd with its dummy-ups; where it is missing its snmpd, as a UPS card) → outlet (Modbus)
 * → panel (MDC). A photo-transistor on its glass (Yoctopuce) sees the light, a meter (Modbus) measures, and snmpd is
 * the network switch.
 */
export async function startBenchTotem(): Promise<BenchTotem> {
  const pulled = new Set<Plug>()
  const panel = await startMdcPanel()
  const hub = await startYoctoHub()
  const bus = await startModbus({ onWritten: () => void follow() })
  const snmpd = await startSnmpd([
    `${OUTPUT_SOURCE.oid} integer ${OUTPUT_SOURCE.mains}`,
    `${INPUT_VOLTAGE.oid} integer ${INPUT_VOLTAGE.mains}`,
    `${UPS}.4.4.1.2.1 integer 230`,
    `${UPS}.2.4.0 integer 97`,
    ...[1, 2, 3, 4].map((port) => `${portStatus(port)} integer ${UP}`),
  ])
  const nut = nutIsMissing ? undefined : await startNutServer(ON_MAINS)
  bus.state.coils.set(OUTLETS.display, 1).set(OUTLETS.computer, 1)
  floatAt(bus.state.input, 0x0c, 412.5)
  floatAt(bus.state.input, 0x156, 1234.5)

  const hasPower = () => !pulled.has('panel') && bus.state.coils.get(OUTLETS.display) === 1
  let isPlugged = true
  /** The panel has power or not, depending on what feeds it. */
  const follow = async () => {
    if (hasPower() === isPlugged) return
    isPlugged = hasPower()
    await (isPlugged ? panel.plugIn() : panel.pull())
  }
  const lightPercent = () => {
    const { isPowered, isPanelOn, lamp } = panel.state
    return hasPower() && isPowered && isPanelOn && !pulled.has('lamp') ? lamp : 0
  }
  Object.defineProperty(hub.state.modules[KNOB]?.anButton1, 'calibratedValue', {
    enumerable: true,
    get: () => SENSOR.dark + ((SENSOR.lit - SENSOR.dark) * lightPercent()) / 100,
  })

  const change = async (plug: Plug, isIn: boolean) => {
    if (isIn) pulled.delete(plug)
    else pulled.add(plug)
    switch (plug) {
      case 'mains':
        if (nut) return setUps(nut, isIn)
        await setNumber(snmpd, OUTPUT_SOURCE.oid, isIn ? OUTPUT_SOURCE.mains : OUTPUT_SOURCE.battery)
        return setNumber(snmpd, INPUT_VOLTAGE.oid, isIn ? INPUT_VOLTAGE.mains : 0)
      case 'networkPort':
        return setNumber(snmpd, portStatus(3), isIn ? UP : DOWN)
      case 'hub':
        return isIn ? hub.plugIn() : hub.pull()
      case 'bus':
        return isIn ? bus.plugIn() : bus.pull()
      case 'outlet':
        bus.state.coils.set(OUTLETS.display, Number(isIn))
        return follow()
      default:
        return follow()
    }
  }
  const at = (port: number) => ({ host: '127.0.0.1', port })
  const snmp = { driver: 'snmp', ...at(snmpd.port), community: snmpd.community }
  return {
    components: {
      display: [
        { driver: 'samsung-mdc', ...at(panel.port) },
        { driver: 'yoctopuce-light', ...at(hub.port), serial: KNOB, sensor: 'anButton1', sees: 'panel', ...SENSOR },
      ],
      ups: nut ? { driver: 'nut', ...nut.options } : { ...snmp, profile: 'ups' },
      'power-switch': {
        ...{ driver: 'modbus', ...at(bus.port) },
        registers: {
          port1_status: { table: 'coil', address: OUTLETS.display },
          port2_status: { table: 'coil', address: OUTLETS.computer },
        },
      },
      ecu: { driver: 'modbus', ...at(bus.port), profile: 'eastron-sdm120' },
    },
    networkSwitch: {
      driver: 'snmp',
      options: { ...at(snmpd.port), profile: 'switch', version: '3', ...snmpd.user },
    },
    panel,
    bus,
    hub,
    pull: (plug) => change(plug, false),
    plugIn: (plug) => change(plug, true),
    stop: async () => {
      if (isPlugged) await panel.pull()
      if (!pulled.has('hub')) await hub.pull()
      if (!pulled.has('bus')) await bus.pull()
      await snmpd.stop()
      await nut?.stop()
    },
  }
}

async function setUps(nut: NutServer, isOnMains: boolean): Promise<void> {
  await nut.set('ups.status', isOnMains ? ON_MAINS['ups.status'] : 'OB DISCHRG')
  await nut.set('input.voltage', isOnMains ? ON_MAINS['input.voltage'] : '0')
}

/** Changes a number as the hardware behind the agent would. */
function setNumber({ port, community }: Snmpd, oid: string, value: number): Promise<void> {
  const session = createSession('127.0.0.1', community, { port, version: Version2c })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  session.set([{ oid, type: ObjectType.Integer, value }], (error) => (error ? reject(error) : resolve()))
  return promise.finally(() => session.close())
}
