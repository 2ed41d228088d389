import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate } from '#domain/units/wallClock.ts'
import { lightDay } from '../darkness/minutes/lightDays.ts'
import { availabilityOf, type CountedLight, figuresOfDay, type LightFigures, sumOfFigures } from './lightFigures.ts'
import { firstOf, lastOf, type Month } from './months.ts'
import { countsOf, creditMinorOf, type StatementTerms } from './statementTerms.ts'

/** A time for which a device counts for a customer, in days of its own zone. */
export interface OwedDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly address: string
  readonly timeZone: string
  /** It owes light from this day on. */
  readonly firstDay: LocalDate
  /** The moment within its first day; null where the whole day counts. */
  readonly beginsMs: number | null
  /** The last day; null while it is still the customer's. */
  readonly lastDay: LocalDate | null
  /** Another customer has it now, so it cannot be opened. */
  readonly hasLeft: boolean
}

/** A stored day of a device, counted up to a moment. */
export interface CountedDate extends CountedLight {
  readonly date: LocalDate
  readonly countedToMs: number
}

export interface StatedDevice extends Omit<OwedDevice, 'beginsMs'> {
  /** The days of the month that count. */
  readonly from: LocalDate
  readonly to: LocalDate
  readonly figures: LightFigures
  readonly availabilityHundredths: number | null
  readonly creditMinor: number
  /** The day with the most unplanned darkness; null without any. */
  readonly worstDay: LocalDate | null
}

export interface StatedDay {
  readonly date: LocalDate
  readonly figures: LightFigures
  readonly availabilityHundredths: number | null
}

export interface StatedMonth {
  readonly devices: readonly StatedDevice[]
  readonly days: readonly StatedDay[]
  readonly total: LightFigures
  readonly availabilityHundredths: number | null
  readonly creditMinor: number
}

/** Folds the days of a month into a statement. Devices of which no day lies in the month are left out. */
export function stateMonth(
  month: Month,
  devices: readonly { readonly device: OwedDevice; readonly counted: readonly CountedDate[] }[],
  terms: StatementTerms | null,
  nowMs: number,
): StatedMonth {
  const counts = countsOf(terms)
  const lengths = lengthsOf(nowMs)
  const byDate = new Map<LocalDate, LightFigures[]>()
  const stated = devices.flatMap(({ device, counted }): readonly StatedDevice[] => {
    const days = daysOf(month, device, counted, lengths)
    const [first, last] = [days[0], days.at(-1)]
    if (first === undefined || last === undefined) return []
    for (const { date, figures } of days) {
      const its = byDate.get(date)
      if (its) its.push(figures)
      else byDate.set(date, [figures])
    }
    const figures = sumOfFigures(days.map((day) => day.figures))
    const worst = days.toSorted((a, b) => b.figures.unplanned - a.figures.unplanned)[0]
    const { beginsMs: _, ...rest } = device
    return [
      {
        ...{ ...rest, from: first.date, to: last.date, figures },
        ...{ availabilityHundredths: availabilityOf(figures, counts) ?? null },
        ...{ creditMinor: creditMinorOf(terms, figures) },
        ...{ worstDay: worst !== undefined && worst.figures.unplanned > 0 ? worst.date : null },
      },
    ]
  })
  const total = sumOfFigures(stated.map(({ figures }) => figures))
  return {
    devices: stated.toSorted((a, b) => worse(a.figures, b.figures) || a.id - b.id),
    days: [...byDate]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, all]) => {
        const figures = sumOfFigures(all)
        return { date, figures, availabilityHundredths: availabilityOf(figures, counts) ?? null }
      }),
    total,
    availabilityHundredths: availabilityOf(total, counts) ?? null,
    creditMinor: stated.reduce((sum, { creditMinor }) => sum + creditMinor, 0),
  }
}

const worse = (a: LightFigures, b: LightFigures) => b.unplanned - a.unplanned || b.unknown - a.unknown

type Lengths = ReturnType<typeof lengthsOf>

/** Works out when days of a zone begin and end, once for all of its devices. */
function lengthsOf(nowMs: number) {
  const known = new Map<string, ReturnType<typeof lightDay>>()
  return {
    nowMs,
    dayOf(date: LocalDate, timeZone: string) {
      const key = `${date} ${timeZone}`
      const day = known.get(key) ?? lightDay(date, timeZone)
      known.set(key, day)
      return day
    },
  }
}

/** Returns the days of the month on which the device owes light. The running day is as long as it is counted. */
function daysOf(month: Month, device: OwedDevice, counted: readonly CountedDate[], lengths: Lengths) {
  const { firstDay, lastDay, beginsMs, timeZone } = device
  const byDate = new Map(counted.map((day) => [day.date, day]))
  const [begin, end] = [firstOf(month), lastOf(month)]
  const to = lastDay !== null && lastDay < end ? lastDay : end
  const days: { date: LocalDate; figures: LightFigures }[] = []
  for (let date = firstDay > begin ? firstDay : begin; date <= to; date = addDays(date, 1)) {
    const day = lengths.dayOf(date, timeZone)
    const its = byDate.get(date)
    const isRunning = day.toMs > lengths.nowMs
    const toMs = isRunning ? Math.min(lengths.nowMs, its?.countedToMs ?? day.fromMs) : day.toMs
    const fromMs = date === firstDay && beginsMs !== null ? Math.max(day.fromMs, beginsMs) : day.fromMs
    const length = Math.max(0, Math.round((toMs - fromMs) / MINUTE_MS))
    if (length === 0 && its === undefined) continue
    days.push({ date, figures: figuresOfDay(length, its) })
  }
  return days
}

/** True once the month is over for all of these devices. */
export const isMonthOver = (month: Month, timeZones: Iterable<string>, nowMs: number): boolean =>
  [...new Set(timeZones)].every((timeZone) => lightDay(lastOf(month), timeZone).toMs <= nowMs)
