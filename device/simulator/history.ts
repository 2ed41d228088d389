import type { Agent } from '#device/agent/agent.ts'
import { knownValues } from '#device/agent/changes.ts'
import { entryTopic } from '#device/agent/lookAround.ts'
import { readingAt } from '#device/hardware/pretend/readingAt.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type ReportedComponent, reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { type Gap, newestChunk, stepsLeft } from './historyPlan.ts'
import type { Pace } from './pace.ts'

const REMEMBERED_AS = 'history'
const WAIT_FOR_CONNECTION_MS = 1000

/** What of a device's past is still to be told. */
interface Past {
  readonly agent: Agent
  readonly world: () => World
  readonly anchorMs: number
  gaps: Gap[]
  failures: number
}

interface RememberedPast {
  readonly anchorMs: number
  readonly gaps: Gap[]
}

export interface HistoryOptions {
  readonly pace: Pace
  /** Devices whose arrays are under way at the same time. */
  readonly lanes: number
  readonly onPercent: (percent: number) => void
}

/** The past of one device: what an earlier run left, and the gap since its last report. */
export function createPast(agent: Agent, world: () => World, newGap: Gap | undefined): Past {
  const text = agent.store.remembered(REMEMBERED_AS)
  const left = text === undefined ? undefined : (JSON.parse(text) as RememberedPast)
  const leftGaps = left?.gaps ?? []
  const gaps = newGap ? [newGap, ...leftGaps] : leftGaps
  const anchorMs = newGap?.toMs ?? left?.anchorMs ?? 0
  const past = { agent, world, anchorMs, gaps, failures: 0 }
  // Before the first live report, which would hide how far back this gap goes.
  if (newGap) keep(past)
  return past
}

function keep({ agent, anchorMs, gaps }: Past): void {
  agent.store.remember(REMEMBERED_AS, JSON.stringify({ anchorMs, gaps } satisfies RememberedPast))
}

/**
 * Tells the past through the same topics, with the same credentials: newest first, devices in turn, no faster than the
 * pace and the server's acknowledgements. What is told is remembered, so a kill repeats one array at most; the
 * server keeps the first of two equal reports.
 */
export async function fillHistory(pasts: readonly Past[], options: HistoryOptions, signal: AbortSignal): Promise<void> {
  const open = pasts.filter(({ gaps }) => gaps.length > 0)
  const total = stepsOf(open)
  if (total === 0) return
  let shownPercent = 0
  options.onPercent(0)
  const turns = [...open]
  const lane = async () => {
    while (!signal.aborted) {
      const past = turns.shift()
      if (!past) return
      await tellChunk(past, options.pace, signal)
      if (past.gaps.length > 0) turns.push(past)
      const percent = Math.floor((1 - stepsOf(open) / total) * 20) * 5
      if (percent > shownPercent) options.onPercent(percent)
      shownPercent = Math.max(shownPercent, percent)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
}

function stepsOf(pasts: readonly Past[]): number {
  let steps = 0
  for (const { gaps, anchorMs } of pasts) for (const gap of gaps) steps += stepsLeft(gap, anchorMs)
  return steps
}

async function tellChunk(past: Past, pace: Pace, signal: AbortSignal): Promise<void> {
  const [gap, ...others] = past.gaps
  const chunk = gap && newestChunk(gap, past.anchorMs)
  if (!gap || !chunk) {
    past.gaps = others
    keep(past)
    return
  }
  try {
    await tell(past, chunk.times, pace, signal)
    past.gaps = [{ ...gap, toMs: chunk.doneDownToMs }, ...others]
    keep(past)
  } catch {
    // Offline for the moment; its turn comes again.
    await new Promise((resolve) => setTimeout(resolve, WAIT_FOR_CONNECTION_MS))
  }
}

async function tell(past: Past, times: readonly number[], pace: Pace, signal: AbortSignal): Promise<void> {
  const world = past.world()
  const { modelId, components } = world.fitting
  for (const component of reportedComponents(modelId as DeviceModelId, components)) {
    if (signal.aborted) throw new Error('stopped')
    const reports = reportsOf(world, component, times)
    if (reports.length === 0) continue
    await pace.take(reports.length)
    await past.agent.publish(entryTopic(component), JSON.stringify(reports))
  }
}

function reportsOf(world: World, component: ReportedComponent, times: readonly number[]) {
  const type = eventTypeByTopic(component.topic)
  return times.flatMap((atMs) => {
    const reading = type && readingAt(world, component, atMs)
    return reading ? [{ at: new Date(atMs).toISOString(), values: knownValues(type, reading) }] : []
  })
}
