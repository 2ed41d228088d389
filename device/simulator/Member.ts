import { join } from 'node:path'
import type { Fleet, FleetDevice } from '#contract/fleet.ts'
import { type Agent, DeviceAgent } from '#device/agent/DeviceAgent.ts'
import type { Settings } from '#device/agent/settings/SettingsApplier.ts'
import type { DeviceStore } from '#device/agent/store/deviceStore.ts'
import type { AgentStore } from '#device/agent/store/store.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { createHostHardware } from '#device/hardware/host/hostHardware.ts'
import { isFaulty } from '#device/hardware/pretend/faults.ts'
import { createPretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import { NOTHING_SET, type Registers } from '#device/hardware/pretend/registers.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import type { DeviceGuid } from '#domain/ids.ts'
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

interface Running {
  readonly agent: Agent
  /** Absent for real hardware, whose past nobody knows. */
  readonly world?: () => World
}

/** A device of a simulated fleet. It stays the same over every restart of its program, which an update brings. */
export class Member implements Agent {
  readonly guid: DeviceGuid
  readonly store: DeviceStore
  readonly #device: FleetDevice
  readonly #options: MemberOptions
  readonly #client: SimulatedClient
  readonly #versionBefore: string
  #isWanted = false
  #running: Running

  constructor(device: FleetDevice, store: AgentStore, options: MemberOptions) {
    this.guid = device.guid
    this.store = store.device(device.guid)
    this.#device = device
    this.#options = options
    this.#client = openSimulatedClient({
      store: this.store,
      firstVersion: options.clientVersion,
      downloadFolder: join(options.dataFolder, 'downloads', device.guid),
      trialMs: options.trialMs,
      startsNew: () => !isFaulty(device.faults, 'clientUpdateFails', Date.now()),
      end: () => this.#running.agent.stop(),
      begin: (version, place) => {
        if (!this.#isWanted) return
        this.#running = this.#startProgram(version, place)
        this.#running.agent.start()
      },
    })
    this.#versionBefore = this.#client.version
    this.#running = this.#startProgram(this.#versionBefore, this.#client.place)
  }

  isUp(): boolean {
    return this.#running.agent.isUp()
  }

  settings(): Settings {
    return this.#running.agent.settings()
  }

  publish(topic: string, payload: string): Promise<void> {
    return this.#running.agent.publish(topic, payload)
  }

  say(msg: string): void {
    this.#running.agent.say(msg)
  }

  start(afterMs?: number): void {
    this.#isWanted = true
    this.#running.agent.start(afterMs)
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    this.#client.stop()
    await this.#running.agent.stop()
  }

  /**
   * Returns how to know the device in its past: with factory settings, except for outlets whose switching time is
   * known. Undefined for real hardware.
   */
  get pastWorld(): (() => World) | undefined {
    const { world } = this.#running
    if (!world) return undefined
    return () => {
      const now = (this.#running.world ?? world)()
      const { off, away } = now.registers
      // A present update does not change the past.
      return { ...now, clientVersion: this.#versionBefore, registers: { ...NOTHING_SET, off, away } }
    }
  }

  #startProgram(clientVersion: string, clientPlace: SimulatedClient['place']): Running {
    const { guid, key, modelId, timeZone, components } = this.#device
    const { fleet, releaseKeys, lookEveryMs } = this.#options
    const { hardware, world } = this.#hardwareOf(clientVersion)
    const agent = new DeviceAgent({
      guid,
      key,
      mqttUrl: fleet.mqttUrl,
      httpUrl: fleet.httpUrl,
      releaseKeys,
      clientPlace,
      firstSettings: { modelId, timeZone, components },
      clientVersion,
      store: this.store,
      hardware,
      now: Date.now,
      random: Math.random,
      lookEveryMs,
      log: () => undefined,
    })
    return { agent, ...(world ? { world } : {}) }
  }

  #hardwareOf(clientVersion: string): { readonly hardware: Hardware; readonly world?: () => World } {
    const { dataFolder, switchingMs } = this.#options
    const device = this.#device
    if (device.driver === 'host') return { hardware: createHostHardware({ clientVersion, dataFolder }) }
    const kept = this.store.remembered(REGISTERS)
    const registers: Registers = kept === undefined ? { ...NOTHING_SET, off: device.offSinceMs } : JSON.parse(kept)
    const hardware = createPretendHardware({
      place: device,
      fitting: device,
      faults: device.faults,
      clientVersion,
      registers,
      onRegisters: (changed) => this.store.remember(REGISTERS, JSON.stringify(changed)),
      now: Date.now,
      switchingMs,
    })
    return { hardware, world: hardware.world }
  }
}
