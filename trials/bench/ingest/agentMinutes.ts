import { readHardware } from '#device/agent/reporting/readHardware.ts'
import { createReporter } from '#device/agent/reporting/reporter.ts'
import { nextReportTime } from '#device/agent/store/reportClock.ts'
import { createPretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

/** The reports of an agent after one sample of its hardware, a packet for each component with news. */
export interface Look {
  readonly offsetMs: number
  readonly reports: readonly {
    readonly topic: string
    /** The values as they are sent, and their number. */
    readonly json: string
    readonly values: number
  }[]
}

export const LOOK_EVERY_MS = 5000
const MINUTES = 3
const SAMPLES = 20
/** A morning in spring: what changes of a display hangs on the light and the heat of the day. */
const RECORDED_AT_MS = Date.UTC(2026, 4, 6, 9)

/**
 * Records minutes of some devices by the agent's own reporter on simulated hardware: everything once a minute, and in
 * between what changed by more than its sensor's noise.
 */
export function recordAgents(modelId: number): Promise<Look[][]> {
  const time = { firstAtMs: RECORDED_AT_MS, forMs: MINUTES * MINUTE_MS }
  return Promise.all(Array.from({ length: SAMPLES }, (_, seed) => recordAgent(modelId as DeviceModelId, seed, time)))
}

interface RecordedTime {
  readonly firstAtMs: number
  readonly forMs: number
  /** Says how late a look begins, and how long its hardware takes to answer. No look is late if not said. */
  readonly delay?: () => { readonly beginsMs: number; readonly readsMs: number }
}

const PUNCTUAL = () => ({ beginsMs: 0, readsMs: 0 })

/** Records one device over some time. */
export async function recordAgent(
  modelId: DeviceModelId,
  seed: number,
  { firstAtMs, forMs, delay = PUNCTUAL }: RecordedTime,
): Promise<Look[]> {
  const components = standardComponents(modelId)
  let wallMs = firstAtMs
  const hardware = createPretendHardware({
    place: { seed, latitude: 47 + seed / 10, longitude: 8 + seed / 10 },
    fitting: { modelId, components },
    faults: [],
    clientVersion: '1.0.0',
    now: () => wallMs,
    switchingMs: 0,
  })
  const reported = reportedComponents(modelId, components)
  let reports: Look['reports'][number][] = []
  const reporter = createReporter({
    record: async (topic, _nowMs, payload) => {
      const { values } = payload(new Date(wallMs)) as { values: object }
      reports.push({ topic, json: JSON.stringify(values), values: Object.keys(values).length })
    },
  })
  const looks: Look[] = []
  for (let beginsMs = firstAtMs; ; beginsMs += LOOK_EVERY_MS) {
    const late = delay()
    // The next look begins some seconds after this one did.
    beginsMs += late.beginsMs
    wallMs = nextReportTime(beginsMs + late.readsMs, undefined).atMs
    const offsetMs = wallMs - firstAtMs
    if (offsetMs >= forMs) return looks
    reports = []
    const readings = await readHardware(hardware, reported, (error) => {
      throw error
    })
    await reporter.report(reported, readings, { wallMs, steadyMs: offsetMs })
    if (reports.length > 0) looks.push({ offsetMs, reports })
  }
}

export const RECORDED_MS = MINUTES * MINUTE_MS
