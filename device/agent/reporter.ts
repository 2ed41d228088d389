import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { ReportedComponent } from '#domain/components/standardComponents.ts'
import { REPORT_PERIOD_MS } from '#domain/devices/presence.ts'
import { changedValues, knownValues } from './changes.ts'
import { entryTopic, type Readings } from './lookAround.ts'
import type { Moment } from './moment.ts'
import type { Outbox } from './outbox.ts'

/** Full reports come a little early rather than late: two late ones would count as silence. */
const EARLY_MS = 500

export interface Reporter {
  /** Records what of these readings is worth reporting; resolves when it is on disk. */
  report(components: readonly ReportedComponent[], readings: Readings, at: Moment): Promise<void>
  /** The next readings are reported whole. */
  forget(): void
}

/** What changed at once, everything once a minute (issue: device agent). */
export function createReporter(outbox: Outbox): Reporter {
  const reported = new Map<string, Record<string, number | string>>()
  const fullAtMs = new Map<string, number>()

  const reportOne = async (component: ReportedComponent, readings: Readings, at: Moment) => {
    const type = eventTypeByTopic(component.topic)
    const topic = entryTopic(component)
    const reading = readings.get(topic)
    if (!type || !reading) return
    const values = knownValues(type, reading)
    const isFull = at.steadyMs - (fullAtMs.get(topic) ?? Number.NEGATIVE_INFINITY) >= REPORT_PERIOD_MS - EARLY_MS
    const sent = isFull ? values : changedValues(type, values, reported.get(topic) ?? {})
    if (Object.keys(sent).length === 0) return
    await outbox.record(topic, at.wallMs, (time) => ({ at: time.toISOString(), values: sent }))
    // Only now: what could not be kept is told by the next look. Looks follow one another.
    if (isFull) fullAtMs.set(topic, at.steadyMs)
    reported.set(topic, { ...reported.get(topic), ...sent })
  }

  return {
    report: async (components, readings, at) => {
      await Promise.all(components.map((component) => reportOne(component, readings, at)))
    },
    forget: () => fullAtMs.clear(),
  }
}
