import { join } from 'node:path'
import type { Fleet, FleetDevice } from '#contract/fleet.ts'
import { timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import type { Agent } from '#device/agent/DeviceAgent.ts'
import { Link } from '#device/agent/link/Link.ts'
import { openStore } from '#device/agent/store/store.ts'
import { lastingSinceMs } from '#device/hardware/pretend/faults.ts'
import { trait } from '#device/hardware/pretend/noise.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import { plannedLightAt } from '#domain/displays/plannedLight.ts'
import { releaseKeysOf } from './fleetFile.ts'
import { createPast, fillHistory, isTold, type Past } from './history.ts'
import { gapBefore } from './historyPlan.ts'
import { Member, type MemberOptions } from './Member.ts'
import { createPace } from './pace.ts'

const STORE_BYTES = 500 * 1024 * 1024
/** Agents are started this far apart, so that 200 of them do not connect at once. */
const START_EVERY_MS = 30
const HISTORY_LANES = 4
/** A device whose network comes back sooner sends its past then. */
const LONGEST_AWAY_MINUTES = 24 * 60
const AT_ONCE = 100_000
/** The demo's off times are the same on every day. */
const NO_HOLIDAYS: ReadonlySet<string> = new Set()

export interface SimulatorOptions extends Omit<MemberOptions, 'releaseKeys'> {
  readonly fleet: Fleet
  readonly log: (line: string) => void
}

export interface Simulator {
  readonly agents: readonly Agent[]
  /** Resolves when the past is sent, or when stopped. */
  readonly history: Promise<void>
  stop(): Promise<void>
}

/** Runs many agents in one process: the agent's own code on simulated hardware, over real MQTT. */
export function startSimulator(options: SimulatorOptions): Simulator {
  const { fleet, log } = options
  const byGuid = new Map<string, Agent>()
  const store = openStore({
    file: join(options.dataFolder, 'agents.sqlite'),
    maximumBytes: STORE_BYTES,
    groupMs: 200,
    onDropped: (guid, count) => byGuid.get(guid)?.say(`The store is full: the ${count} oldest entries were given up.`),
    say: log,
  })
  const memberOptions = { ...options, releaseKeys: () => releaseKeysOf(fleet) }
  const agents = fleet.devices.map((device) => new Member(device, store, memberOptions))
  for (const agent of agents) byGuid.set(agent.guid, agent)

  const pasts = agents.flatMap((agent, index) => {
    const { pastWorld } = agent
    const device = fleet.devices[index]
    return pastWorld && device ? [pastOf(device, agent, pastWorld, fleet)] : []
  })
  for (const [index, agent] of agents.entries()) {
    // The samples of different devices are spread, so that the load is even.
    agent.start(index * START_EVERY_MS + trait(fleet.devices[index]?.seed ?? 0, 'start', 0, START_EVERY_MS))
  }

  const aborter = new AbortController()
  const history = Promise.all([
    fillHistory(
      pasts.flatMap(({ past, link }) => (link ? [] : [past])),
      {
        pace: createPace(fleet.historyReportsPerSecond),
        lanes: HISTORY_LANES,
        onPercent: (percent) => log(`history ${percent} %`),
        onDayTold: () => log('history: the last day is told'),
      },
      aborter.signal,
    ),
    ...pasts.flatMap(({ past, link }) => (link ? [tellAndLeave(past, link, aborter.signal)] : [])),
  ]).then(() => undefined)
  const stopWatching = watchConnections(agents, log)

  return {
    agents,
    history,
    stop: async () => {
      aborter.abort()
      stopWatching()
      await Promise.all([...agents, ...pasts.flatMap(({ link }) => link ?? [])].map((each) => each.stop()))
      store.close()
    },
  }
}

interface OwnPast {
  readonly past: Past
  /** Sends the past of a device that is away for good. */
  readonly link?: Link
}

function pastOf(device: FleetDevice, agent: Agent, world: () => World, fleet: Fleet): OwnPast {
  const plan = { offTimes: device.offTimes ?? undefined, dayPlan: device.dayPlan ?? undefined }
  const place = { timeZone: device.timeZone, position: device }
  const plannedLevelAt = (atMs: number) => {
    const planned = plannedLightAt(plan, place, NO_HOLIDAYS, new Date(atMs))
    return planned.rule === 'dayPlan' ? planned.backlightPercent : planned.rule === 'offTimes' ? 0 : undefined
  }
  const awaySinceMs = lastingSinceMs(device.faults, 'offline', Date.now(), LONGEST_AWAY_MINUTES)
  const gap = gapBefore(awaySinceMs ?? Date.now(), agent.store.lastReportMs('events/device'), fleet.historyDays)
  if (awaySinceMs === undefined) return { past: createPast(agent, world, gap, plannedLevelAt) }
  const link = new Link({
    url: fleet.mqttUrl,
    guid: device.guid,
    key: device.key,
    // The link counts as up once the server accepts a subscription.
    filters: [timeTopic(device.guid)],
    random: Math.random,
    ...{ onUp: ignore, onDown: ignore, onMessage: ignore, onFailed: ignore },
  })
  const publish = (topic: string, payload: string) => link.publish(topicRoot(device.guid) + topic, payload)
  return { past: createPast({ store: agent.store, publish }, world, gap, plannedLevelAt), link }
}

/** Sends what a device that is away for good reported before it went; its agent has no network. */
async function tellAndLeave(past: Past, link: Link, signal: AbortSignal): Promise<void> {
  if (isTold(past)) return
  link.start()
  const quietly = { onPercent: ignore, onDayTold: ignore }
  await fillHistory([past], { pace: createPace(AT_ONCE), lanes: 1, ...quietly }, signal)
  await link.stop()
}

const ignore = () => undefined

/** Logs how many agents are connected whenever that has changed, at most once a second. */
function watchConnections(agents: readonly Agent[], log: (line: string) => void): () => void {
  let shown = -1
  const timer = setInterval(() => {
    const count = agents.filter((agent) => agent.isUp()).length
    if (count !== shown) log(`agents ${count} of ${agents.length} connected`)
    shown = count
  }, 1000)
  return () => clearInterval(timer)
}
