import type { Agent } from '#device/agent/DeviceAgent.ts'
import { knownValues } from '#device/agent/reporting/changes.ts'
import { entryTopic } from '#device/agent/reporting/readHardware.ts'
import { readingAt } from '#device/hardware/pretend/readingAt.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import type { Reading } from '#device/hardware/readings.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type ReportedComponent, reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import {
  type Chunk,
  dayGapOf,
  type Gap,
  lightGapOf,
  newestChunk,
  newestDayChunk,
  newestLightChunk,
  stepsLeft,
} from './historyPlan.ts'
import type { Pace } from './pace.ts'

const REMEMBERED_AS = 'past'
const WAIT_FOR_CONNECTION_MS = 1000
/** This many reports of one value are as much work as a full one. */
const LIGHT_REPORTS_FOR_ONE = 5

/** The passes over the past of all devices, in this order. */
const PASSES = ['day', 'light', 'rest'] as const
type Pass = (typeof PASSES)[number]

/** The device's agent sends the past and remembers the progress. */
export type History = Pick<Agent, 'publish' | 'store'>

/** Returns the backlight in percent that off times and day plan set then; undefined if neither did. */
export type PlannedLevelAt = (atMs: number) => number | undefined

/** The part of a device's past that is still to be sent. */
export interface Past {
  readonly teller: History
  readonly world: () => World
  readonly anchorMs: number
  readonly gaps: Record<Pass, readonly Gap[]>
  readonly plannedLevelAt: PlannedLevelAt
}

type RememberedPast = Pick<Past, 'anchorMs' | 'gaps'>

export interface HistoryOptions {
  readonly pace: Pace
  /** This many devices send arrays at the same time. */
  readonly lanes: number
  readonly onPercent: (percent: number) => void
  /** Called when charts of the last day are complete. */
  readonly onDayTold: () => void
}

/** Returns the past of one device: what an earlier run left, and the gap since its last report. */
export function createPast(
  teller: History,
  world: () => World,
  newGap: Gap | undefined,
  plannedLevelAt: PlannedLevelAt = () => undefined,
): Past {
  const text = teller.store.remembered(REMEMBERED_AS)
  const left = text === undefined ? undefined : (JSON.parse(text) as RememberedPast)
  const anchorMs = newGap?.toMs ?? left?.anchorMs ?? 0
  const added: Readonly<Record<Pass, Gap | undefined>> = {
    day: newGap && dayGapOf(newGap, anchorMs),
    light: newGap && lightGapOf(newGap),
    rest: newGap,
  }
  const gapsOf = (pass: Pass) => [added[pass] ?? [], left?.gaps[pass] ?? []].flat()
  const gaps = { day: gapsOf('day'), light: gapsOf('light'), rest: gapsOf('rest') }
  const past = { teller, world, anchorMs, gaps, plannedLevelAt }
  // This must come before the first live report, which would hide how far back this gap goes.
  if (newGap) keep(past)
  return past
}

export const isTold = ({ gaps }: Past): boolean => PASSES.every((pass) => gaps[pass].length === 0)

function keep({ teller, anchorMs, gaps }: Past): void {
  teller.store.remember(REMEMBERED_AS, JSON.stringify({ anchorMs, gaps } satisfies RememberedPast))
}

/**
 * Sends the past through the same topics with the same credentials, for several devices alternately: first every ten
 * minutes of the last day, as fast as the server accepts it, because people look at charts of a day first; then the
 * backlight, from which dark minutes are counted; then everything, newest first, no faster than the pace. Progress is
 * remembered, so a kill repeats the arrays of one piece at most; the server keeps the first of two equal reports.
 */
export async function fillHistory(pasts: readonly Past[], options: HistoryOptions, signal: AbortSignal): Promise<void> {
  const total = stepsOf(pasts)
  if (total > 0) options.onPercent(0)
  let shownPercent = 0
  for (const pass of PASSES) {
    const open = pasts.filter(({ gaps }) => gaps[pass].length > 0)
    await inTurns(open, options.lanes, signal, async (past) => {
      await tellChunk(past, pass, options.pace, signal)
      const percent = total === 0 ? 0 : Math.floor((1 - stepsOf(pasts) / total) * 20) * 5
      if (percent > shownPercent) options.onPercent(percent)
      shownPercent = Math.max(shownPercent, percent)
      return past.gaps[pass].length > 0
    })
    if (pass === 'day' && open.length > 0 && !signal.aborted) options.onDayTold()
  }
}

/** Runs some at the same time, and each again after the others as long as it returns that more is left. */
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
  for (const { gaps, anchorMs } of pasts) for (const gap of gaps.rest) steps += stepsLeft(gap, anchorMs)
  return steps
}

function chunkOf(pass: Pass, gap: Gap, anchorMs: number): Chunk | undefined {
  if (pass === 'day') return newestDayChunk(gap)
  return pass === 'light' ? newestLightChunk(gap) : newestChunk(gap, anchorMs)
}

async function tellChunk(past: Past, pass: Pass, pace: Pace, signal: AbortSignal): Promise<void> {
  const [gap, ...others] = past.gaps[pass]
  const chunk = gap && chunkOf(pass, gap, past.anchorMs)
  if (!gap || !chunk) {
    past.gaps[pass] = others
    keep(past)
    return
  }
  await orLater(async () => {
    await tell(past, pass, chunk.times, pace, signal)
    past.gaps[pass] = [{ ...gap, toMs: chunk.doneDownToMs }, ...others]
    keep(past)
  })
}

async function orLater(tellNow: () => Promise<void>): Promise<void> {
  try {
    await tellNow()
  } catch {
    // The device is offline for the moment, so it is tried again later.
    await new Promise((resolve) => setTimeout(resolve, WAIT_FOR_CONNECTION_MS))
  }
}

async function tell(past: Past, pass: Pass, times: readonly number[], pace: Pace, signal: AbortSignal): Promise<void> {
  const { modelId, components } = past.world().fitting
  const arrays = reportedComponents(modelId as DeviceModelId, components).flatMap((component) => {
    const whole = reportsOf(past, component, times)
    const reports = pass === 'light' ? whole.flatMap(onlyLight) : whole
    return reports.length === 0 ? [] : [{ topic: entryTopic(component), reports }]
  })
  const count = arrays.reduce((sum, { reports }) => sum + reports.length, 0)
  if (pass !== 'day') await pace.take(pass === 'light' ? count / LIGHT_REPORTS_FOR_ONE : count)
  if (signal.aborted) throw new Error('stopped')
  await Promise.all(arrays.map(({ topic, reports }) => past.teller.publish(topic, JSON.stringify(reports))))
}

/** Dark minutes need the light every two minutes; the rest is not needed that often. */
const onlyLight = ({ at, values: { backlight_level, panel_light } }: Report): Report[] =>
  backlight_level === undefined
    ? []
    : [{ at, values: { backlight_level, ...(panel_light !== undefined && { panel_light }) } }]

interface Report {
  readonly at: string
  readonly values: Record<string, number | string>
}

function reportsOf({ world, plannedLevelAt }: Past, component: ReportedComponent, times: readonly number[]): Report[] {
  const type = eventTypeByTopic(component.topic)
  return times.flatMap((atMs) => {
    const reading = type && readingAt(world(), component, atMs)
    if (!reading) return []
    const values = { ...knownValues(type, reading), ...lightBy(plannedLevelAt(atMs), reading) }
    return [{ at: new Date(atMs).toISOString(), values }]
  })
}

/** Applies the planned light, which a sensor at the panel saw too. A display without light follows no plan. */
function lightBy(planned: number | undefined, { backlight_level, panel_light }: Reading): Report['values'] {
  const level = Number(backlight_level)
  if (planned === undefined || !(level > 0)) return {}
  if (typeof panel_light !== 'number') return { backlight_level: planned }
  return { backlight_level: planned, panel_light: Math.round((panel_light * planned) / level) }
}
