import type { DatedReading, Reading } from '#device/hardware/readings.ts'
import { type EventType, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { ReportedComponent } from '#domain/components/standardComponents.ts'
import { REPORT_PERIOD_MS } from '#domain/devices/presence.ts'
import type { Outbox } from '../store/Outbox.ts'
import { changedValues, knownValues } from './changes.ts'
import type { Moment } from './moment.ts'
import { entryTopic, type Readings } from './readHardware.ts'

/** Full reports come a little early rather than late: two late ones would count as silence. */
const EARLY_MS = 500

export interface Reporter {
  /**
   * Records what is worth reporting of these readings; resolves when it is on disk.
   *
   * @param dated the dated parts of readings that were not taken at this moment
   */
  report(
    components: readonly ReportedComponent[],
    readings: Readings,
    at: Moment,
    dated?: (component: ReportedComponent) => readonly DatedReading[],
  ): Promise<void>
  /** Makes the next readings be reported in full. */
  forget(): void
}

/** Values of one moment and one source. */
interface Share {
  /** There is one full report a minute for each key. */
  readonly key: string
  readonly values: Reading
  readonly takenAgoMs: number
  /** The reading that a driver holds until it has another: the same object means the same reading. */
  readonly held?: Reading
}

/** Reports changes at once, and everything once a minute. */
export function createReporter(outbox: Pick<Outbox, 'record'>): Reporter {
  const reported = new Map<string, Record<string, number | string>>()
  const fullAtMs = new Map<string, number>()
  /** The readings that were reported, so that one that a driver still holds is not reported again. */
  const told = new Map<string, Reading>()

  const reportShare = async (type: EventType, topic: string, share: Share, at: Moment) => {
    const { key, takenAgoMs } = share
    if (share.held && told.get(key) === share.held) return
    const values = knownValues(type, share.values)
    const isFull = at.steadyMs - (fullAtMs.get(key) ?? Number.NEGATIVE_INFINITY) >= REPORT_PERIOD_MS - EARLY_MS
    const sent = isFull ? values : changedValues(type, values, reported.get(topic) ?? {})
    if (Object.keys(sent).length === 0) return
    await outbox.record(topic, at.wallMs - takenAgoMs, (time) => ({ at: time.toISOString(), values: sent }))
    // This comes last, so that the next sample reports what could not be kept. Samples never overlap.
    if (isFull) fullAtMs.set(key, at.steadyMs)
    if (share.held) told.set(key, share.held)
    reported.set(topic, { ...reported.get(topic), ...sent })
  }

  const reportOne = async (
    component: ReportedComponent,
    readings: Readings,
    at: Moment,
    dated: readonly DatedReading[],
  ) => {
    const type = eventTypeByTopic(component.topic)
    const topic = entryTopic(component)
    const reading = readings.get(topic)
    if (!type || !reading) return
    for (const share of sharesOf(topic, reading, dated)) await reportShare(type, topic, share, at)
  }

  return {
    report: async (components, readings, at, dated) => {
      await Promise.all(components.map((one) => reportOne(one, readings, at, dated?.(one) ?? [])))
    },
    forget: () => fullAtMs.clear(),
  }
}

/**
 * Sorts by age, oldest first, because times of one component only rise; a reading without a date is of this moment. The
 * first driver that knows a field reports it.
 */
function sharesOf(topic: string, reading: Reading, dated: readonly DatedReading[]): readonly Share[] {
  const isTold = new Set<string>()
  const untold = (values: Reading): Reading => {
    const left = Object.entries(values).filter(([name, value]) => value !== undefined && !isTold.has(name))
    for (const [name] of left) isTold.add(name)
    return Object.fromEntries(left)
  }
  const shares = dated.map(({ source, values, takenAgoMs }): Share => {
    return { key: `${topic} ${source}`, values: untold(values), takenAgoMs, held: values }
  })
  shares.sort((one, other) => other.takenAgoMs - one.takenAgoMs)
  return [...shares, { key: topic, values: untold(reading), takenAgoMs: 0 }]
}
