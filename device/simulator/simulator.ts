import { join } from 'node:path'
import type { Fleet } from '#contract/fleet.ts'
import type { Agent } from '#device/agent/agent.ts'
import { openStore } from '#device/agent/store.ts'
import { trait } from '#device/hardware/pretend/noise.ts'
import { isOffTime } from '#domain/displays/offTimes.ts'
import { releaseKeysOf } from './fleetFile.ts'
import { createPast, fillHistory } from './history.ts'
import { gapBefore } from './historyPlan.ts'
import { createMember, type MemberOptions } from './member.ts'
import { createPace } from './pace.ts'

const STORE_BYTES = 500 * 1024 * 1024
/** Agents are started this far apart, so that 200 of them do not connect in one moment. */
const START_EVERY_MS = 30
const HISTORY_LANES = 4
/** The demo's off times are the same on every day. */
const NO_HOLIDAYS: ReadonlySet<string> = new Set()

export interface SimulatorOptions extends Omit<MemberOptions, 'releaseKeys'> {
  readonly fleet: Fleet
  readonly log: (line: string) => void
}

export interface Simulator {
  readonly agents: readonly Agent[]
  /** Resolves when the past is told, or when stopped. */
  readonly history: Promise<void>
  stop(): Promise<void>
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
  const memberOptions = { ...options, releaseKeys: () => releaseKeysOf(fleet) }
  const members = fleet.devices.map((device) => createMember(device, store, memberOptions))
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
      pace: createPace(fleet.historyReportsPerSecond),
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
