import { join } from 'node:path'
import type { Fleet, FleetDevice } from '#contract/fleet.ts'
import { type Agent, createAgent } from '#device/agent/agent.ts'
import type { AgentStore } from '#device/agent/store/store.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { createHostHardware } from '#device/hardware/host/hostHardware.ts'
import { isFaulty } from '#device/hardware/pretend/faults.ts'
import { createPretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import { NOTHING_SET, type Registers } from '#device/hardware/pretend/registers.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import { openSimulatedClient, type SimulatedClient } from './simulatedClient.ts'

const REGISTERS = 'registers'

export interface MemberOptions {
  readonly fleet: Pick<Fleet, 'mqttUrl' | 'httpUrl'>
  /** The public keys of releases, read at each update. */
  readonly releaseKeys: () => readonly string[]
  readonly dataFolder: string
  /** The version of every device that has not been updated. */
  readonly clientVersion: string
  /** A new client must be connected and healthy within this time. */
  readonly trialMs: number
  readonly lookEveryMs: number
  readonly switchingMs: number
}

export interface Member {
  /** It stays the same over every restart. */
  readonly agent: Agent
  /**
   * Returns the device for its past: with factory settings, except for outlets whose switching time is known. Absent
   * for real hardware, whose past nobody knows.
   */
  readonly pastWorld?: () => World
}

interface Running {
  readonly agent: Agent
  readonly world?: () => World
}

export function createMember(device: FleetDevice, store: AgentStore, options: MemberOptions): Member {
  const deviceStore = store.device(device.guid)
  const hardwareOf = (clientVersion: string): { readonly hardware: Hardware; readonly world?: () => World } => {
    if (device.driver === 'host') {
      return { hardware: createHostHardware({ clientVersion, dataFolder: options.dataFolder }) }
    }
    const kept = deviceStore.remembered(REGISTERS)
    const registers: Registers = kept === undefined ? { ...NOTHING_SET, off: device.offSinceMs } : JSON.parse(kept)
    const hardware = createPretendHardware({
      place: device,
      fitting: device,
      faults: device.faults,
      clientVersion,
      registers,
      onRegisters: (changed) => deviceStore.remember(REGISTERS, JSON.stringify(changed)),
      now: Date.now,
      switchingMs: options.switchingMs,
    })
    return { hardware, world: hardware.world }
  }
  const startProgram = (version: string, place: SimulatedClient['place']): Running => {
    const { hardware, world } = hardwareOf(version)
    const agent = createAgent({
      guid: device.guid,
      key: device.key,
      mqttUrl: options.fleet.mqttUrl,
      httpUrl: options.fleet.httpUrl,
      releaseKeys: options.releaseKeys,
      clientPlace: place,
      firstSettings: { modelId: device.modelId, timeZone: device.timeZone, components: device.components },
      clientVersion: version,
      store: deviceStore,
      hardware,
      now: Date.now,
      random: Math.random,
      lookEveryMs: options.lookEveryMs,
      log: () => undefined,
    })
    return { agent, ...(world ? { world } : {}) }
  }

  let isWanted = false
  const client = openSimulatedClient({
    store: deviceStore,
    firstVersion: options.clientVersion,
    downloadFolder: join(options.dataFolder, 'downloads', device.guid),
    trialMs: options.trialMs,
    startsNew: () => !isFaulty(device.faults, 'clientUpdateFails', Date.now()),
    end: () => running.agent.stop(),
    begin: (version, place) => {
      if (!isWanted) return
      running = startProgram(version, place)
      running.agent.start()
    },
  })
  const versionBefore = client.version
  let running = startProgram(versionBefore, client.place)

  const agent: Agent = {
    guid: device.guid,
    store: deviceStore,
    isUp: () => running.agent.isUp(),
    settings: () => running.agent.settings(),
    publish: (topic, payload) => running.agent.publish(topic, payload),
    say: (msg) => running.agent.say(msg),
    start: (afterMs) => {
      isWanted = true
      running.agent.start(afterMs)
    },
    stop: async () => {
      isWanted = false
      client.stop()
      await running.agent.stop()
    },
  }
  const { world } = running
  if (!world) return { agent }
  const pastWorld = () => {
    const now = (running.world ?? world)()
    const { off, away } = now.registers
    // A present update does not change the past.
    return { ...now, clientVersion: versionBefore, registers: { ...NOTHING_SET, off, away } }
  }
  return { agent, pastWorld }
}
