import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

export interface Period {
  readonly from: Date
  /** This moment still belongs to the period. */
  readonly to: Date
}

/**
 * A date alone means its midnight in UTC.
 * @throws CallError `invalid_request` when it ends before it begins
 */
export function readPeriod({ dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string }): Period {
  const period = { from: new Date(dateFrom), to: new Date(dateTo) }
  if (period.from > period.to) throw new CallError('invalid_request', `${notValid('dateFrom')}: it is after dateTo`)
  return period
}

/** Devices report whole milliseconds, so `< justAfter(to)` includes exactly the readings up to `to`. */
export const justAfter = (moment: Date) => new Date(moment.getTime() + 1)
