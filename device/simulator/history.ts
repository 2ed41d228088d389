import type { Agent } from '#device/agent/agent.ts'
import { knownValues } from '#device/agent/changes.ts'
import { entryTopic } from '#device/agent/lookAround.ts'
import { readingAt } from '#device/hardware/pretend/readingAt.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type ReportedComponent, reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { type Gap, lightGapOf, newestChunk, newestLightChunk, stepsLeft } from './historyPlan.ts'
import type { Pace } from './pace.ts'

const REMEMBERED_AS = 'history'
const WAIT_FOR_CONNECTION_MS = 1000
/** So many reports of one value are as much work as a whole one. */
const LIGHT_REPORTS_FOR_ONE = 5

/** What of a device's past is still to be told. */
interface Past {
  readonly agent: Agent
  readonly world: () => World
  readonly anchorMs: number
  gaps: Gap[]
  /** Where only the backlight is told, before all else. */
  lightGaps: Gap[]
  readonly isOffAt: (atMs: number) => boolean
}

interface RememberedPast {
  readonly anchorMs: number
  readonly gaps: Gap[]
  readonly lightGaps?: Gap[]
}

export interface HistoryOptions {
  readonly pace: Pace
  /** Devices whose arrays are under way at the same time. */
  readonly lanes: number
  readonly onPercent: (percent: number) => void
}

/**
 * The past of one device: what an earlier run left, and the gap since its last report.
 *
 * @param isOffAt whether its off times kept it dark then
 */
export function createPast(
  agent: Agent,
  world: () => World,
  newGap: Gap | undefined,
  isOffAt: (atMs: number) => boolean = () => false,
): Past {
  const text = agent.store.remembered(REMEMBERED_AS)
  const left = text === undefined ? undefined : (JSON.parse(text) as RememberedPast)
  const leftGaps = left?.gaps ?? []
  const gaps = newGap ? [newGap, ...leftGaps] : leftGaps
  const newLightGap = newGap && lightGapOf(newGap)
  const lightGaps = [...(newLightGap ? [newLightGap] : []), ...(left?.lightGaps ?? [])]
  const anchorMs = newGap?.toMs ?? left?.anchorMs ?? 0
  const past = { agent, world, anchorMs, gaps, lightGaps, isOffAt }
  // Before the first live report, which would hide how far back this gap goes.
  if (newGap) keep(past)
  return past
}

function keep({ agent, anchorMs, gaps, lightGaps }: Past): void {
  agent.store.remember(REMEMBERED_AS, JSON.stringify({ anchorMs, gaps, lightGaps } satisfies RememberedPast))
}

/**
 * Tells the past through the same topics, with the same credentials: newest first, devices in turn, no faster than the
 * pace and the server's acknowledgements. What is told is remembered, so a kill repeats one array at most; the
 * server keeps the first of two equal reports.
 */
export async function fillHistory(pasts: readonly Past[], options: HistoryOptions, signal: AbortSignal): Promise<void> {
  await inTurns(
    pasts.filter(({ lightGaps }) => lightGaps.length > 0),
    options.lanes,
    signal,
    async (past) => {
      await tellLight(past, options.pace, signal)
      return past.lightGaps.length > 0
    },
  )
  const open = pasts.filter(({ gaps }) => gaps.length > 0)
  const total = stepsOf(open)
  if (total === 0) return
  let shownPercent = 0
  options.onPercent(0)
  await inTurns(open, options.lanes, signal, async (past) => {
    await tellChunk(past, options.pace, signal)
    const percent = Math.floor((1 - stepsOf(open) / total) * 20) * 5
    if (percent > shownPercent) options.onPercent(percent)
    shownPercent = Math.max(shownPercent, percent)
    return past.gaps.length > 0
  })
}

/** Some at the same time, each again after the others, for as long as its turn answers that more is left. */
async function inTurns(
  pasts: readonly Past[],
  lanes: number,
  signal: AbortSignal,
  takeTurn: (past: Past) => Promise<boolean>,
): Promise<void> {
  const turns = [...pasts]
  const lane = async () => {
    while (!signal.aborted) {
      const past = turns.shift()
      if (!past) return
      if (await takeTurn(past)) turns.push(past)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
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
  await orLater(async () => {
    await tell(past, chunk.times, pace, signal)
    past.gaps = [{ ...gap, toMs: chunk.doneDownToMs }, ...others]
    keep(past)
  })
}

async function orLater(tellNow: () => Promise<void>): Promise<void> {
  try {
    await tellNow()
  } catch {
    // Offline for the moment; its turn comes again.
    await new Promise((resolve) => setTimeout(resolve, WAIT_FOR_CONNECTION_MS))
  }
}

/** Nothing but the backlight: dark minutes need it every two minutes, and nobody needs the rest of it so finely. */
async function tellLight(past: Past, pace: Pace, signal: AbortSignal): Promise<void> {
  const [gap, ...others] = past.lightGaps
  const chunk = gap && newestLightChunk(gap)
  if (!gap || !chunk) {
    past.lightGaps = others
    keep(past)
    return
  }
  await orLater(async () => {
    const { modelId, components } = past.world().fitting
    for (const component of reportedComponents(modelId as DeviceModelId, components)) {
      if (component.topic !== 'display') continue
      if (signal.aborted) throw new Error('stopped')
      const reports = reportsOf(past, component, chunk.times).flatMap(({ at, values }) =>
        values.backlight_level === undefined ? [] : [{ at, values: { backlight_level: values.backlight_level } }],
      )
      if (reports.length === 0) continue
      await pace.take(reports.length / LIGHT_REPORTS_FOR_ONE)
      await past.agent.publish(entryTopic(component), JSON.stringify(reports))
    }
    past.lightGaps = [{ ...gap, toMs: chunk.doneDownToMs }, ...others]
    keep(past)
  })
}

async function tell(past: Past, times: readonly number[], pace: Pace, signal: AbortSignal): Promise<void> {
  const world = past.world()
  const { modelId, components } = world.fitting
  for (const component of reportedComponents(modelId as DeviceModelId, components)) {
    if (signal.aborted) throw new Error('stopped')
    const reports = reportsOf(past, component, times)
    if (reports.length === 0) continue
    await pace.take(reports.length)
    await past.agent.publish(entryTopic(component), JSON.stringify(reports))
  }
}

function reportsOf({ world, isOffAt }: Past, component: ReportedComponent, times: readonly number[]) {
  const type = eventTypeByTopic(component.topic)
  return times.flatMap((atMs) => {
    const reading = type && readingAt(world(), component, atMs)
    if (!reading) return []
    const values = knownValues(type, reading)
    if (values.backlight_level !== undefined && isOffAt(atMs)) values.backlight_level = 0
    return [{ at: new Date(atMs).toISOString(), values }]
  })
}
