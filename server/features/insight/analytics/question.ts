import type { z } from 'zod'
import type { analyticsTableQuery } from '#contract/http/insight/analytics.ts'
import { allowedStepsMinutes, bucketCount, COARSEST_STEP_MINUTES, type StepMinutes } from '#domain/analytics/step.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import { readPeriod } from '#server/http/reading/period.ts'

export interface AnalyticsQuestion {
  readonly deviceIds: readonly DeviceId[]
  readonly fieldIds: readonly FieldId[]
  readonly from: Date
  /** The end is excluded: a day from midnight to midnight has 24 hours, not 25. */
  readonly to: Date
  readonly stepMinutes: StepMinutes
  readonly withRange: boolean
  readonly newestBuckets: number | undefined
}

/** These are eleven years of hours, and more buckets than any screen has pixels. */
const MOST_BUCKETS = 100_000
/** So many values are about ten megabytes of text. */
const MOST_VALUES = 1_000_000

/** @throws CallError that names what is wrong: an unknown name, the step, or the size of the answer */
export function readQuestion(query: z.output<typeof analyticsTableQuery>): AnalyticsQuestion {
  const { from, to } = readPeriod(query)
  const stepMinutes = query.minutesRound ?? COARSEST_STEP_MINUTES
  const deviceIds = [...new Set(query.devices)]
  const fieldIds = [...new Set(query.measurements)]
  for (const fieldId of fieldIds) requireMeasurement(fieldId, query.eventTypeId)
  if (!allowedStepsMinutes(from, to).includes(stepMinutes)) throw new CallError('step_too_fine')
  const withRange = query.withRange ?? false
  const buckets = bucketCount(from, to, stepMinutes)
  const values = buckets * deviceIds.length * fieldIds.length * (withRange ? 3 : 1)
  if (buckets > MOST_BUCKETS || values > MOST_VALUES) throw new CallError('too_many_points')
  // A single moment asks for the bucket that contains it.
  const end = to > from ? to : new Date(from.getTime() + 1)
  return { deviceIds, fieldIds, from, to: end, stepMinutes, withRange, newestBuckets: query.limit }
}

function requireMeasurement(fieldId: FieldId, eventTypeId: number | undefined): void {
  const numbered = numberedFieldById(fieldId)
  if (!numbered?.field.isMeasurement) throw new CallError('invalid_request', notValid(`measurement ${fieldId}`))
  if (eventTypeId !== undefined && numbered.type.id !== eventTypeId) {
    throw new CallError('invalid_request', `${notValid(`measurement ${fieldId}`)}: it is of another eventTypeId`)
  }
}
