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
/** Fields whose word is known, above what each says. */
const KNOWN_SHIFT = 8

/**
 * What readings of a component say that a verdict of now turns by, as bits. What is none of these, as a level or a
 * temperature, the clock finds.
 *
 * @param signs of the readings before
 * @param reports believed, oldest first
 * @returns the signs after them; undefined when they are what they were
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
