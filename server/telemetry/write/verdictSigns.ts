import { LOOKED_AT_FIELDS } from '#domain/darkness/lookedAt.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { EVENT_LAYOUTS, type EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

interface SignedField {
  readonly index: number
  readonly isText: boolean
  readonly says: (value: number | string) => boolean
}

const signedFields = new Map<EventLayout, readonly SignedField[]>(
  EVENT_LAYOUTS.map((layout) => [
    layout,
    LOOKED_AT_FIELDS.flatMap(({ type, name, sign }) => {
      const index = layout.indexByName.get(name)
      if (type !== layout.type || sign === undefined || index === undefined) return []
      return [{ index, isText: layout.fields[index]?.storage === 'text', says: sign }]
    }),
  ]),
)
/** The upper bits say which fields are known; the lower bits say what each of them signals. */
const KNOWN_SHIFT = 8

/**
 * Folds readings of a component into the bits that can change its current verdict. What is no such sign, like a level
 * or a temperature, is found by the scheduled job.
 *
 * @param signs the bits before these readings
 * @param reports believed ones, oldest first
 * @returns the bits after them, or undefined when nothing changed
 */
export function turnedSigns(
  signs: number,
  layout: EventLayout,
  reports: readonly CheckedReport[],
  newestMs: number | undefined,
): number | undefined {
  const fields = signedFields.get(layout) ?? []
  if (fields.length === 0) return undefined
  let after = signs
  let beforeMs = newestMs ?? Number.NEGATIVE_INFINITY
  let isHeardAgain = false
  for (const { atMs, numbers, texts } of reports) {
    if (atMs <= beforeMs) continue
    isHeardAgain ||= atMs - beforeMs > OFFLINE_AFTER_MS
    beforeMs = atMs
    for (const [place, { index, isText, says }] of fields.entries()) {
      const value = isText ? texts?.[index] : numbers[index]
      if (value === undefined || Number.isNaN(value)) continue
      const bit = 1 << place
      after = (says(value) ? after | bit : after & ~bit) | (bit << KNOWN_SHIFT)
    }
  }
  return after === signs && !isHeardAgain ? undefined : after
}
