import type { Candidate, Surroundings } from '../driver.ts'
import type { LineAddress } from '../wire/line.ts'
import { withLine } from '../wire/lineTalk.ts'
import { listeningAt } from '../wire/listeningAt.ts'
import { createAsk, valueIn } from './modbusAsk.ts'
import { EASTRON_MAINS, type ModbusProfile, POWER_OF_ALL_PHASES } from './modbusProfiles.ts'

const USUAL_PORT = 502
/** Meters come from the factory as unit 1, those of one phase with 2,400 baud. */
const UNIT = 1
const BAUDS = [9600, 2400] as const
const USUAL_BAUD = 9600
const ANSWERS_WITHIN_MS = 1000
/** Numbers of something else are hardly within both. */
const MAINS_VOLTS = [40, 300] as const
const MAINS_HERTZ = [45, 65] as const

/**
 * Modbus has no way to ask who is there, so only meters whose registers are known are found, and only by reading. It is
 * asked where somebody has agreed to it, because a foreign control unit listens at the same port.
 */
export async function modbusCandidates(around: Surroundings, signal: AbortSignal): Promise<readonly Candidate[]> {
  if (around.asksModbus !== true) return []
  const found: Candidate[] = []
  for (const place of await listeningAt(around, USUAL_PORT, signal)) {
    const profile = await meterAt({ port: USUAL_PORT, ...place }, signal)
    if (profile) found.push({ topic: 'ecu', options: { ...place, profile } })
  }
  for (const path of around.serialPorts) {
    for (const baud of BAUDS) {
      const line = { path, baud, parity: 'none', stopBits: 1 } as const
      // A line may still hold what another protocol has asked before.
      const profile = (await meterAt(line, signal)) ?? (await meterAt(line, signal))
      if (!profile) continue
      found.push({ topic: 'ecu', options: { path, profile, ...(baud !== USUAL_BAUD && { baud }) } })
      break
    }
  }
  return found
}

async function meterAt(address: LineAddress, signal: AbortSignal): Promise<ModbusProfile | undefined> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)])
  try {
    return await withLine(address, ends, async (talk) => {
      const ask = createAsk(talk, { unit: UNIT, isRtu: 'path' in address })
      const isMeter =
        isBetween(MAINS_VOLTS, await valueIn(ask, EASTRON_MAINS.voltage)) &&
        isBetween(MAINS_HERTZ, await valueIn(ask, EASTRON_MAINS.frequency))
      if (!isMeter) return undefined
      return (await valueIn(ask, POWER_OF_ALL_PHASES)) === undefined ? 'eastron-sdm120' : 'eastron-sdm630'
    })
  } catch {
    return undefined
  }
}

const isBetween = ([least, most]: readonly [number, number], value: number | undefined): boolean =>
  value !== undefined && value >= least && value <= most
