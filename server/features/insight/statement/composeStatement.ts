import type pg from 'pg'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { lightDay } from '#domain/darkness/minutes/lightDays.ts'
import { availabilityOf, figuresOfDay, isBelow, sumOfFigures } from '#domain/statement/lightFigures.ts'
import { isMonthOver, type OwedDevice, type StatedMonth, stateMonth } from '#domain/statement/lightStatement.ts'
import type { Month } from '#domain/statement/months.ts'
import { firstOf, lastOf, monthAfter } from '#domain/statement/months.ts'
import { countsOf, type StatementTerms } from '#domain/statement/statementTerms.ts'
import { ruleSentences } from '#domain/statement/statementText.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { composeEnergy } from '#server/darkness/energy/composeEnergy.ts'
import { type ChosenSubject, readOwedDevices, subjectText } from '#server/darkness/owedDevices.ts'
import type { Given } from '#server/features/feature.ts'
import { readCustomerName } from '#server/fleet/customerLookup.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type MonthSum, readCountedDays, readMonthSums, readRuleSums, readTerms } from './statementRows.store.ts'

/** The devices and the month of a statement, as somebody asks for it. */
export interface StatementQuestion extends ChosenSubject {
  readonly month: Month
}

const TREND_MONTHS = 12

/** Counts a statement as it is now. The caller has checked that the customer may be seen. */
export async function composeStatement(
  { pool, db }: Pick<Given, 'pool' | 'db'>,
  question: StatementQuestion,
  now: Date,
): Promise<LightStatement> {
  const { customerId, month } = question
  const [name, terms, devices, words] = await Promise.all([
    readCustomerName(db, customerId),
    readTerms(db, customerId),
    readOwedDevices(pool, question, { from: firstOf(monthAfter(month, 1 - TREND_MONTHS)), to: lastOf(month) }),
    subjectText(pool, question),
  ])
  if (name === undefined) throw notFound()
  const within = devices.filter(({ lastDay }) => lastDay === null || lastDay >= firstOf(month))
  const days = await readCountedDays(pool, [...new Set(within.map(({ id }) => id))], {
    from: firstOf(month),
    to: lastOf(month),
  })
  const stated = stateMonth(
    month,
    within.map((device) => ({ device, counted: days.get(device.id) ?? [] })),
    terms,
    now.getTime(),
  )
  const isMissed = terms && isBelow(stated.total, terms.unknownCounts, terms.targetHundredths)
  return {
    ...{ customerId, customerName: name, subject: words, month },
    isOver: isMonthOver(month, ['UTC', ...stated.devices.map(({ timeZone }) => timeZone)], now.getTime()),
    countedAt: now.toISOString(),
    ...{ terms: terms && { ...terms, steps: [...terms.steps] }, rules: [...ruleSentences(terms)] },
    ...{ total: stated.total, availabilityHundredths: stated.availabilityHundredths },
    isTargetMet: typeof isMissed === 'boolean' ? !isMissed : null,
    credit: terms?.currency ? { minor: stated.creditMinor, currency: terms.currency } : null,
    ...{ days: [...stated.days], devices: [...stated.devices] },
    trend: [...(await trendOf(pool, { month, devices, terms, stated }))],
    lightRules: await readRuleSums(pool, within, { from: firstOf(month), to: lastOf(month) }),
    energy: await energyOf({ pool, db }, question, now),
  }
}

/** Energy is said beside the light. A statement is not corrected because of it. */
async function energyOf(deps: Pick<Given, 'pool' | 'db'>, question: StatementQuestion, now: Date) {
  const { total, devices } = await composeEnergy(deps, { ...question, period: question.month, isWhole: true }, now)
  return {
    ...total,
    devices: devices.map(({ id, from, figures: { used, measured, savedTotal } }) => ({
      ...{ id, from, used, measured, savedTotal },
    })),
  }
}

interface TrendDeps {
  readonly month: Month
  readonly devices: readonly OwedDevice[]
  readonly terms: StatementTerms | null
  readonly stated: StatedMonth
}

/** Earlier months are read as sums; this one is the sum of its days. */
async function trendOf(pool: pg.Pool, { month, devices, terms, stated }: TrendDeps) {
  const months = Array.from({ length: TREND_MONTHS - 1 }, (_, index) => monthAfter(month, index + 1 - TREND_MONTHS))
  const to = lastOf(monthAfter(month, -1))
  const sums = await readMonthSums(pool, devices, { from: firstOf(months[0] ?? month), to })
  const found = new Map(sums.map((sum) => [`${sum.month} ${sum.at}`, sum]))
  const lengthOf = lengthReader()
  const totals = months.map((one) => {
    const figures = devices.map((device, index) => {
      const sum = found.get(`${one} ${index + 1}`)
      return figuresOfDay(lengthOf(one, device), sum && asCounted(sum))
    })
    return { month: one, total: sumOfFigures(figures) }
  })
  return [...totals, { month, total: stated.total }].map(({ month: one, total }) => ({
    ...{ month: one, given: total.given, unplanned: total.unplanned },
    availabilityHundredths: availabilityOf(total, countsOf(terms)) ?? null,
  }))
}

const asCounted = (sum: MonthSum) => ({ ...sum, causes: null, plannedBy: null })

/** Returns how many minutes of a month a device counts, working out each bound of a zone once. */
function lengthReader() {
  const known = new Map<string, { readonly fromMs: number; readonly toMs: number }>()
  const dayOf = (date: string, timeZone: string) => {
    const key = `${date} ${timeZone}`
    const day = known.get(key) ?? lightDay(date, timeZone)
    known.set(key, day)
    return day
  }
  return (month: Month, { firstDay, lastDay, beginsMs, timeZone }: OwedDevice): number => {
    const first = firstDay > firstOf(month) ? firstDay : firstOf(month)
    const last = lastDay !== null && lastDay < lastOf(month) ? lastDay : lastOf(month)
    if (first > last) return 0
    const { fromMs } = dayOf(first, timeZone)
    const beginMs = first === firstDay && beginsMs !== null ? Math.max(fromMs, beginsMs) : fromMs
    return Math.max(0, Math.round((dayOf(last, timeZone).toMs - beginMs) / MINUTE_MS))
  }
}
