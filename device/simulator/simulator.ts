import { join } from 'node:path'
import type { Fleet, FleetDevice } from '#contract/fleet.ts'
import { type Agent, createAgent } from '#device/agent/agent.ts'
import { type AgentStore, openStore } from '#device/agent/store.ts'
import { createHostHardware } from '#device/hardware/host/driver.ts'
import { createPretendHardware } from '#device/hardware/pretend/driver.ts'
import { trait } from '#device/hardware/pretend/noise.ts'
import { NOTHING_SET, type Registers } from '#device/hardware/pretend/registers.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import { isOffTime } from '#domain/displays/offTimes.ts'
import { createPast, fillHistory } from './history.ts'
import { gapBefore } from './historyPlan.ts'
import { createPace } from './pace.ts'

const STORE_BYTES = 500 * 1024 * 1024
/** Agents are started this far apart, so that 200 of them do not connect in one moment. */
const START_EVERY_MS = 30
const HISTORY_LANES = 4
/** The demo's off times are the same on every day. */
const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const REGISTERS = 'registers'

export interface SimulatorOptions {
  readonly fleet: Fleet
  readonly dataFolder: string
  readonly clientVersion: string
  readonly lookEveryMs: number
  /** How long pretend hardware takes to switch something. */
  readonly switchingMs: number
  /** The past is told no faster than this, over the whole fleet. */
  readonly historyReportsPerSecond: number
  readonly log: (line: string) => void
}

export interface Simulator {
  readonly agents: readonly Agent[]
  /** Resolves when the past is told, or when stopped. */
  readonly history: Promise<void>
  stop(): Promise<void>
}

interface Member {
  readonly agent: Agent
  /** The device as it left the factory, for its past; absent for real hardware, whose past nobody knows. */
  readonly pastWorld?: () => World
}

function createMember(device: FleetDevice, store: AgentStore, options: SimulatorOptions): Member {
  const deviceStore = store.device(device.guid)
  const agentWith = (hardware: Parameters<typeof createAgent>[0]['hardware']) =>
    createAgent({
      guid: device.guid,
      key: device.key,
      mqttUrl: options.fleet.mqttUrl,
      firstSettings: { modelId: device.modelId, timeZone: device.timeZone, components: device.components },
      clientVersion: options.clientVersion,
      store: deviceStore,
      hardware,
      now: Date.now,
      random: Math.random,
      lookEveryMs: options.lookEveryMs,
      log: () => undefined,
    })
  if (device.driver === 'host') {
    return {
      agent: agentWith(createHostHardware({ clientVersion: options.clientVersion, dataFolder: options.dataFolder })),
    }
  }
  const registers = deviceStore.remembered(REGISTERS)
  const hardware = createPretendHardware({
    place: device,
    fitting: device,
    faults: device.faults,
    clientVersion: options.clientVersion,
    ...(registers === undefined ? {} : { registers: JSON.parse(registers) as Registers }),
    onRegisters: (changed) => deviceStore.remember(REGISTERS, JSON.stringify(changed)),
    now: Date.now,
    switchingMs: options.switchingMs,
  })
  return { agent: agentWith(hardware), pastWorld: () => ({ ...hardware.world(), registers: NOTHING_SET }) }
}

/** Many agents in one process: the agent's own code on pretend hardware, over real MQTT. */
export function startSimulator(options: SimulatorOptions): Simulator {
  const { fleet, log } = options
  const byGuid = new Map<string, Agent>()
  const store = openStore({
    file: join(options.dataFolder, 'agents.sqlite'),
    maximumBytes: STORE_BYTES,
    groupMs: 200,
    onDropped: (guid, count) => byGuid.get(guid)?.say(`The store is full: the ${count} oldest entries were given up.`),
    onFailed: (error) => log(`The store cannot be written: ${error.message}.`),
  })
  const members = fleet.devices.map((device) => createMember(device, store, options))
  for (const { agent } of members) byGuid.set(agent.guid, agent)
  const agents = members.map(({ agent }) => agent)

  const startedAtMs = Date.now()
  const pasts = members.flatMap(({ agent, pastWorld }, index) => {
    if (!pastWorld) return []
    const { offTimes = null, timeZone = 'UTC' } = fleet.devices[index] ?? {}
    const isOffAt = (atMs: number) => offTimes !== null && isOffTime(offTimes, NO_HOLIDAYS, new Date(atMs), timeZone)
    const gap = gapBefore(startedAtMs, agent.store.lastReportMs('events/device'), fleet.historyDays)
    return [createPast(agent, pastWorld, gap, isOffAt)]
  })
  for (const [index, agent] of agents.entries()) {
    // Looks of different devices are spread, so that the work is even.
    agent.start(index * START_EVERY_MS + trait(fleet.devices[index]?.seed ?? 0, 'start', 0, START_EVERY_MS))
  }

  const aborter = new AbortController()
  const history = fillHistory(
    pasts,
    {
      pace: createPace(options.historyReportsPerSecond),
      lanes: HISTORY_LANES,
      onPercent: (percent) => log(`history ${percent} %`),
    },
    aborter.signal,
  )
  const stopWatching = watchConnections(agents, log)

  return {
    agents,
    history,
    stop: async () => {
      aborter.abort()
      stopWatching()
      await Promise.all(agents.map((agent) => agent.stop()))
      store.close()
    },
  }
}

/** Says how many agents are connected whenever that has changed, at most once a second. */
function watchConnections(agents: readonly Agent[], log: (line: string) => void): () => void {
  let shown = -1
  const timer = setInterval(() => {
    const count = agents.filter((agent) => agent.isUp()).length
    if (count !== shown) log(`agents ${count} of ${agents.length} connected`)
    shown = count
  }, 1000)
  return () => clearInterval(timer)
}
