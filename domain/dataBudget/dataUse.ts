import { addDays, type LocalDate, momentOf, wallClock } from '#domain/units/wallClock.ts'

/** The volume that the contract of a SIM allows in a month. */
export interface DataBudget {
  /** Megabytes of a million bytes each. */
  readonly megabytes: number
  /** A month begins on this day, at local midnight; a shorter month has it on its last day. */
  readonly billingDay: number
}

/** The router's traffic in a month so far, at the last count; kept on the disk of the device. */
export interface DataUse {
  readonly monthFromMs: number
  readonly usedBytes: number
  /** The router's last count since its start, so a restart resets it. */
  readonly counterBytes: number
}

const BYTES_A_MEGABYTE = 1_000_000
const MONTHS_LOOKED_AT = 2

function billingDateOf(date: LocalDate, billingDay: number): LocalDate {
  const month = date.slice(0, 8)
  const next = addDays(`${month}28`, 4)
  const lastDay = Number(addDays(`${next.slice(0, 8)}01`, -1).slice(8))
  return `${month}${String(Math.min(billingDay, lastDay)).padStart(2, '0')}`
}

export function billingMonthFrom(billingDay: number, timeZone: string, at: Date): Date {
  let date = wallClock(at, timeZone).date
  for (let month = 0; month < MONTHS_LOOKED_AT; month++) {
    const from = momentOf(billingDateOf(date, billingDay), '00:00', timeZone)
    if (from <= at) return from
    date = addDays(`${date.slice(0, 8)}01`, -1)
  }
  throw new RangeError(`No month of billing begins on day ${billingDay}.`)
}

/**
 * Returns the next count. A counter below its last value was reset, so all of it is new. The first count only sets the
 * start, because earlier traffic is unknown; a new month takes the traffic since the last count.
 */
export function countedTraffic(before: DataUse | undefined, counterBytes: number, monthFrom: Date): DataUse {
  const monthFromMs = monthFrom.getTime()
  if (!before) return { monthFromMs, usedBytes: 0, counterBytes }
  const came = counterBytes >= before.counterBytes ? counterBytes - before.counterBytes : counterBytes
  // A clock that was set back begins no month.
  const isNewMonth = monthFromMs > before.monthFromMs
  return {
    monthFromMs: isNewMonth ? monthFromMs : before.monthFromMs,
    usedBytes: (isNewMonth ? 0 : before.usedBytes) + came,
    counterBytes,
  }
}

export const usedMegabytes = ({ usedBytes }: DataUse): number => Math.floor(usedBytes / BYTES_A_MEGABYTE)

/** Returns the used part of the budget to a tenth of a percent; more than 100 when it is exceeded. */
export const usedPercent = ({ usedBytes }: DataUse, { megabytes }: DataBudget): number =>
  Math.floor((1000 * usedBytes) / (megabytes * BYTES_A_MEGABYTE)) / 10

/** Somebody should be notified from here on. */
export const NEARLY_USED_UP_PERCENT = 90

/** Returns, for example, "2 GB a month from day 15". */
export function dataBudgetLabel(budget: DataBudget | null): string {
  if (budget === null) return 'none'
  const { megabytes, billingDay } = budget
  const amount = megabytes % 1000 === 0 ? `${megabytes / 1000} GB` : `${megabytes} MB`
  return `${amount} a month from day ${billingDay}`
}
