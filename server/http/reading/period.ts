import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

export interface Period {
  readonly from: Date
  /** Belongs to it. */
  readonly to: Date
}

/**
 * The period of a call: moments in UTC, of which a date alone is its midnight.
 *
 * @throws CallError `invalid_request` when it ends before it begins
 */
export function readPeriod({ dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string }): Period {
  const period = { from: new Date(dateFrom), to: new Date(dateTo) }
  if (period.from > period.to) throw new CallError('invalid_request', `${notValid('dateFrom')}: it is after dateTo`)
  return period
}

/** Devices report whole milliseconds, so that the end of a period belongs to it exactly when this does not. */
export const justAfter = (moment: Date) => new Date(moment.getTime() + 1)
