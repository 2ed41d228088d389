import { componentModelById } from '#domain/components/componentModels.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { BatteryTestResult } from '#domain/ups/batteryTest.ts'
import type {
  NetworkSwitchesReading,
  PowerSwitchReading,
  RelayReading,
  RouterRelayReading,
  UpsReading,
} from '../readings.ts'
import { signalDbm } from './cabinetModel.ts'
import { batteryChargePercent, isFaulty } from './faults.ts'
import { clamp, jitter, rounded, trait, wander } from './noise.ts'
import { uptimeSeconds } from './registers.ts'
import { outsideTemperatureCelsius } from './weather.ts'
import { hasPower, isOn, portsOf, powerBackMs } from './wiring.ts'
import type { World } from './world.ts'

const LOWEST_CHARGE_PERCENT = 4
const DRAIN_PERCENT_PER_MINUTE = 1.1
const FILL_PERCENT_PER_MINUTE = 0.9
const NETWORK_SWITCH_MODEL_ID = 14

export function upsAt(world: World, atMs: number): UpsReading {
  const { seed, faults } = world
  const isOnBattery = isFaulty(faults, 'onBattery', atMs)
  const charge = batteryChargePercent(faults, atMs, {
    drainPercentPerMinute: DRAIN_PERCENT_PER_MINUTE,
    fillPercentPerMinute: FILL_PERCENT_PER_MINUTE,
    lowest: LOWEST_CHARGE_PERCENT,
  })
  // Mains voltage is 120 V in the Americas and 230 V elsewhere.
  const mains = world.longitude < -30 ? 120 : 230
  const swing = 1 + 0.012 * wander(seed, 'mains', atMs, 10 * MINUTE_MS) + 0.003 * jitter(seed, 'volt', atMs, 5000)
  const load = trait(seed, 'ups load', 22, 44) + 3 * wander(seed, 'ups', atMs, 3 * MINUTE_MS)
  return {
    status: isOnBattery ? 'on battery' : 'on line interactive normal',
    battery_charge: rounded(charge, 1),
    battery_runtime: Math.round((charge / DRAIN_PERCENT_PER_MINUTE) * 60),
    load: rounded(load, 1),
    input_voltage: isOnBattery ? 0 : rounded(mains * swing, 1),
    output_voltage: isOnBattery ? mains : rounded(mains * swing, 1),
    battery_voltage: rounded((isOnBattery ? 22.4 : 25.4) + 0.019 * charge, 2),
    temp: rounded(12 + 0.6 * outsideTemperatureCelsius(world, atMs) + (isOnBattery ? 6 : 0), 1),
    ...batteryTest(world, atMs),
  }
}

const BATTERY_TEST_MS = 20_000

/** Only its test reveals a worn battery. */
function batteryTest({ registers, faults }: World, atMs: number): { battery_test_result?: BatteryTestResult } {
  const { batteryTestAtMs: begunAtMs } = registers
  if (begunAtMs === undefined || atMs < begunAtMs) return {}
  if (atMs < begunAtMs + BATTERY_TEST_MS) return { battery_test_result: 'running' }
  const isWorn = isFaulty(faults, 'batteryWorn', begunAtMs)
  return { battery_test_result: isWorn ? 'failed' : 'passed' }
}

const onOff = (isOn: boolean) => (isOn ? 1 : 0)

export function powerSwitchAt(world: World, atMs: number): PowerSwitchReading {
  return {
    port1_status: onOff(isOn(world.registers, 'power-switch/1', atMs)),
    port2_status: onOff(isOn(world.registers, 'power-switch/2', atMs)),
  }
}

export function networkSwitchesAt(world: World, atMs: number): NetworkSwitchesReading {
  const hasSecond = world.fitting.components.some(
    ({ componentModelId, number }) =>
      number === 2 && componentModelById(componentModelId)?.id === NETWORK_SWITCH_MODEL_ID,
  )
  const runs = (number: number) =>
    isOn(world.registers, `router/${number}`, atMs) && hasPower(world, `networkSwitch/${number}`, atMs)
  const [first, second] = [onOff(runs(1)), onOff(runs(2))]
  return {
    port1_status: first,
    port2_status: first,
    ...(hasSecond ? { port3_status: second, port4_status: second } : {}),
    signal_strength: Math.round(clamp(signalDbm(world, 'router', atMs), -113, -51)),
  }
}

/** Returns the bytes through the router since it started, at a rate of its own. */
export function trafficBytesAt(world: World, atMs: number): number {
  const seconds = uptimeSeconds('router', world.seed, atMs, powerBackMs(world, 'networkSwitch/1', atMs))
  return Math.floor(seconds * trait(world.seed, 'traffic', 3_000, 12_000))
}

export function relayAt(world: World, number: number, atMs: number): RelayReading {
  return {
    port1_status: onOff(isOn(world.registers, `relay/${number}/1`, atMs)),
    port2_status: onOff(isOn(world.registers, `relay/${number}/2`, atMs)),
  }
}

export function routerRelayAt(world: World, number: number, atMs: number): RouterRelayReading {
  const router = `router-relay/${number}`
  const isSwitchedOn = isOn(world.registers, router, atMs)
  const runs = isSwitchedOn && hasPower(world, `router/${number}`, atMs)
  const ports = onOff(runs && isOn(world.registers, portsOf(router), atMs))
  return { relay_status: isSwitchedOn ? 0 : 1, port1_status: ports, port2_status: ports }
}
