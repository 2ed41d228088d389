import type { Sample } from '#domain/alerts/fold/conditionJudge.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import type { AlertRule, FieldPlace } from '../alertRules.ts'
import type { Heard } from './WatchedCondition.ts'

export interface Gathered extends Sample {
  readonly receivedAtMs: number
}

type Value = number | string

/** The values a report has for a condition's fields. One object is reused, because every report needs several. */
export class Told implements Gathered {
  readonly values: [Value | undefined, Value | undefined] = [undefined, undefined]
  atMs = 0
  receivedAtMs = 0
  #report: CheckedReport | undefined
  /** Values by field index, as far as conditions asked, so that those that remember a value share one object. */
  #valueOf: (Value | undefined)[] = []

  /** @returns whether the report has any value for the condition */
  by(report: CheckedReport, { fields: [first, second] }: AlertRule): boolean {
    this.atMs = report.atMs
    this.receivedAtMs = report.receivedAtMs
    if (report !== this.#report) {
      this.#report = report
      this.#valueOf = []
    }
    this.values[0] = first && this.#valueFor(first, report)
    this.values[1] = second && this.#valueFor(second, report)
    return this.values[0] !== undefined || this.values[1] !== undefined
  }

  #valueFor({ layout, number, fieldIndex }: FieldPlace, report: CheckedReport): Value | undefined {
    if (layout !== report.layout || number !== report.number) return undefined
    const known = this.#valueOf[fieldIndex]
    if (known !== undefined) return known
    const value = report.numbers[fieldIndex] ?? Number.NaN
    const told = Number.isNaN(value) ? report.texts?.[fieldIndex] : value
    this.#valueOf[fieldIndex] = told
    return told
  }
}

/** Merges what several components reported by time, with samples of one moment together. */
export function mergedSamples(gathered: readonly Gathered[]): Gathered[] {
  const byTime = new Map<number, Gathered>()
  for (const sample of gathered) {
    const known = byTime.get(sample.atMs)
    if (known === undefined) byTime.set(sample.atMs, sample)
    else {
      const values = [sample.values[0] ?? known.values[0], sample.values[1] ?? known.values[1]] as const
      byTime.set(sample.atMs, { ...known, values })
    }
  }
  return [...byTime.values()].sort((a, b) => a.atMs - b.atMs)
}

export interface Looked {
  readonly heard: Heard
  readonly samples: readonly Sample[]
  /** An earlier judgement was wrong from this time on, so the readings must be folded again from here. */
  readonly lateFromMs: number | undefined
}

/**
 * Finds whether a value had been missing too long at a report of the device, and since when. Reports without the value
 * that come out of order, as those of several components do within a second, change nothing unless so long a pause lies
 * where they belong.
 */
export function lookForMissing(waitMs: number, heard: Heard, { atMs, values }: Sample): Looked {
  const { lastMs, beforeMs, foundMs } = heard
  if (values[0] !== undefined) {
    if (atMs <= lastMs) return { heard, samples: [], lateFromMs: atMs < lastMs ? atMs : undefined }
    const next = { lastMs: atMs, beforeMs: lastMs, foundMs: undefined }
    return { heard: next, samples: [{ atMs, values }], lateFromMs: undefined }
  }
  if (atMs >= lastMs) {
    const missedMs = lastMs + waitMs
    if (atMs < missedMs) return { heard, samples: [], lateFromMs: undefined }
    return {
      heard: foundMs !== undefined && foundMs <= atMs ? heard : { lastMs, beforeMs, foundMs: atMs },
      samples: [{ atMs: missedMs, values: [undefined, undefined] }],
      lateFromMs: undefined,
    }
  }
  const isBetween =
    beforeMs !== undefined && (lastMs - beforeMs <= waitMs || atMs < beforeMs + waitMs) && atMs >= beforeMs
  return { heard, samples: [], lateFromMs: isBetween ? undefined : atMs }
}
