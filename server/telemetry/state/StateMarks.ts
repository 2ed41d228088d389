import { randomInt } from 'node:crypto'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Step } from '#server/db/copying/pipelinedTransaction.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import type { MarkCover, SeenReports } from '#server/telemetry/ingress/seenReports.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

/** A dirty range: readings of a component that are not merged into its stored state yet. */
export interface StateMark {
  readonly track: SeenReports
  readonly cover: MarkCover
}

const LARGEST_ROUND = 2 ** 48 - 1

/** Dirty ranges that are merged together, and their devices. */
class MarkedRound {
  readonly round = randomInt(LARGEST_ROUND)
  readonly deviceIds = new Set<DeviceId>()
}

/** Equal field sets are kept once. A fleet has only as many as it has kinds of components. */
const MOST_SHARED = 1000

/**
 * Knows which dirty ranges a shard wrote and may rely on. A range covers all readings of its hour that are not older
 * and have no further fields, until its round is merged or its connection is lost (docs/decisions/0161).
 */
export class StateMarks {
  #running = new MarkedRound()
  /** Ranges of hours that had ended when they were written. */
  #late = new MarkedRound()
  #lateAtMs = Number.NEGATIVE_INFINITY
  readonly #fieldSets = new Map<string, Uint8Array>()

  /** @param oldestFirst believed readings of one component, which the dirty ranges must be stored with */
  note(marks: StateMark[], track: SeenReports, oldestFirst: readonly CheckedReport[], session: number): void {
    const runningHourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    for (let first = 0; first < oldestFirst.length; ) {
      const fromMs = oldestFirst[first]?.atMs ?? 0
      const hourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS
      let end = first + 1
      while (end < oldestFirst.length && (oldestFirst[end]?.atMs ?? 0) < hourMs + HOUR_MS) end++
      const isLate = hourMs < runningHourMs
      if (isLate) this.#lateAtMs = performance.now()
      const known = track.covers.find((cover) => cover.hourMs === hourMs && this.#serves(cover, session))
      if (known === undefined || fromMs < known.fromMs || !hasAll(known.has, oldestFirst, first, end)) {
        const has = known?.has.slice() ?? new Uint8Array(track.layout.fields.length)
        addFields(has, oldestFirst, first, end)
        const earliestMs = Math.min(fromMs, known?.fromMs ?? fromMs)
        const { round } = isLate ? this.#late : this.#running
        marks.push({ track, cover: { session, round, hourMs, fromMs: earliestMs, has: this.#shared(has) } })
      }
      first = end
    }
  }

  /** Equal field sets are shared, because a fleet has few kinds of components. A shared set must not be changed. */
  #shared(has: Uint8Array): Uint8Array {
    const name = has.join('')
    const found = this.#fieldSets.get(name)
    if (found === undefined && this.#fieldSets.size < MOST_SHARED) this.#fieldSets.set(name, has)
    return found ?? has
  }

  #serves(cover: MarkCover, session: number): boolean {
    return this.#isOpen(cover) && cover.session === session
  }

  #isOpen({ round }: MarkCover): boolean {
    return round === this.#running.round || round === this.#late.round
  }

  /** The caller calls this after the commit. */
  remember(marks: readonly StateMark[]): void {
    for (const { track, cover } of marks) {
      const { hourMs, session } = cover
      // Shards share connections, so a range of another connection serves again when that one is lent the next time.
      const others = track.covers.filter(
        (other) => this.#isOpen(other) && (other.hourMs !== hourMs || other.session !== session),
      )
      // A new array is built, because `push` would reserve room for seventeen entries in each of many lists.
      track.covers = [...others, cover]
      const round = cover.round === this.#late.round ? this.#late : this.#running
      round.deviceIds.add(track.deviceId)
    }
  }

  /** Whether readings of past hours arrived, and none for this long since. */
  hasLateSince(quietMs: number): boolean {
    return this.#late.deviceIds.size > 0 && performance.now() - this.#lateAtMs > quietMs
  }

  /** Ends the current rounds between two batches. New ranges get new rounds, and the returned ones may be merged. */
  turn(): readonly MarkedRound[] {
    const ended = [this.#running, ...this.turnLate()]
    this.#running = new MarkedRound()
    return ended
  }

  /** Ends only the round of hours that had ended when they were written. */
  turnLate(): readonly MarkedRound[] {
    const ended = [this.#late]
    this.#late = new MarkedRound()
    return ended
  }
}

function hasAll(has: Uint8Array, reports: readonly CheckedReport[], first: number, end: number): boolean {
  for (let at = first; at < end; at++) {
    const { numbers, texts } = reports[at] as CheckedReport
    for (let index = 0; index < has.length; index++) {
      if (has[index] === 0 && (!Number.isNaN(numbers[index] ?? Number.NaN) || texts?.[index] !== undefined))
        return false
    }
  }
  return true
}

function addFields(has: Uint8Array, reports: readonly CheckedReport[], first: number, end: number): void {
  for (let at = first; at < end; at++) {
    const { numbers, texts } = reports[at] as CheckedReport
    for (let index = 0; index < has.length; index++) {
      if (!Number.isNaN(numbers[index] ?? Number.NaN) || texts?.[index] !== undefined) has[index] = 1
    }
  }
}

export function stateMarkStep(marks: readonly StateMark[]): Step {
  const rows = marks.map(({ track, cover: { session, round, fromMs, has } }) => {
    const { deviceId, layout, number } = track
    const ordinals = layout.fields.flatMap(({ ordinal }, index) => (has[index] === 1 ? [ordinal] : []))
    return `(${deviceId},${layout.type.id},${number},'${isoText(fromMs)}','{${ordinals.join(',')}}',${session},${round})`
  })
  return {
    sql: `insert into state_mark (device_id, event_type_id, number, from_at, fields, session, round) values ${rows.join(',')}`,
  }
}
