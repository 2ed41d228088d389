import { type CauseMinutes, DARK_CAUSES, type DarkCause } from '#domain/darkness/causes/darkCauses.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { LightFigures, PlannedParts, UnknownCounts, UnplannedBy } from './lightFigures.ts'
import type { Month } from './months.ts'
import { moneyText, type StatementTerms } from './statementTerms.ts'

export const CAUSE_NAMES: Readonly<Record<keyof UnplannedBy, string>> = {
  ours: 'Ours',
  power: 'Power',
  network: 'Network',
  computer: 'Computer',
  display: 'Display',
  unexplained: 'No cause found',
  notRecorded: 'Cause not recorded',
}

export const PLAN_NAMES: Readonly<Record<keyof PlannedParts, string>> = {
  emergency: 'Emergency dark',
  offTimes: 'Off times',
  dayPlan: 'Day plan',
  notRecorded: 'Plan not recorded',
}

/** The evidence for each cause, in the order in which they are looked at. */
const CAUSE_RULES: Readonly<Record<DarkCause, string>> = {
  ours: 'an ambient rule set here asked for a backlight of 0 %, or a command from here took the power away',
  power: 'the UPS was off the grid or gave no power, or an outlet that feeds the display was off',
  network: 'the device had no connection to this installation',
  computer: 'the display got no picture, or the computer reported that it was out of order',
  display: 'the display reported a fault, or answered with a backlight of 0 % while nothing above applied',
  unexplained: 'light was measured to be missing, and no reading says why',
}

type PlainFigure = Exclude<keyof LightFigures, 'unplannedBy' | 'plannedBy'>

/** The lines of a statement in the order in which they add up. */
export const FIGURE_LINES: readonly {
  readonly key: PlainFigure
  readonly name: string
  readonly isSum?: true
  readonly note: string
}[] = [
  { key: 'given', name: 'Light given', note: 'Every display was lit while light was owed' },
  { key: 'unplanned', name: 'Unplanned dark', note: 'A display was dark while light was owed' },
  { key: 'unknown', name: 'Unknown', note: 'Nothing was reported; counted as owed, never as light' },
  { key: 'owed', name: 'Light owed', isSum: true, note: 'Given + unplanned dark + unknown' },
  { key: 'planned', name: 'Planned dark', note: 'Dark by confirmed off times, day plan or emergency' },
  { key: 'litInOffTime', name: 'Lit though to be dark', note: 'A display was lit in time that was planned dark' },
  { key: 'maintenance', name: 'Maintenance', note: 'Within a maintenance window, whatever the display did' },
  { key: 'away', name: 'Installation away', note: 'This installation was down; nobody’s darkness' },
  { key: 'time', name: 'Whole time', isSum: true, note: 'Every minute of every device in the month' },
]

/** `99.87 %`, cut; a dash when nothing counts. */
export const percentText = (hundredths: number | null | undefined): string =>
  hundredths === null || hundredths === undefined ? UNKNOWN_TEXT : `${(hundredths / 100).toFixed(2)} %`

/** `1,234:05`: hours and minutes, so that columns of figures add up for the eye. */
export function clockText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return `${String(hours).replaceAll(/\B(?=(\d{3})+$)/g, ',')}:${String(minutes % 60).padStart(2, '0')}`
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
export const monthText = (month: Month): string => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`
export const shortMonthText = (month: Month): string =>
  `${MONTHS[Number(month.slice(5)) - 1]?.slice(0, 3)} ${month.slice(2, 4)}`

/** `7-0012`: the customer, and the number of the statement among its own. */
export const numberText = (customerId: number, number: number): string =>
  `${customerId}-${String(number).padStart(4, '0')}`

/** Returns the rule by which availability is counted, in words. */
function countingRule(counts: UnknownCounts): string {
  return counts === 'leftOut'
    ? 'Availability is light given ÷ (light given + unplanned dark), cut to two decimals. Unknown time counts neither for nor against, and is never counted as light.'
    : 'Availability is light given ÷ (light given + unplanned dark + unknown), cut to two decimals. Unknown time counts as dark, and is never counted as light.'
}

/** Returns everything that somebody has to know to recount a statement. */
export function ruleSentences(terms: StatementTerms | null): readonly string[] {
  return [
    'Each day is a local day of its device, from 00:00 to 00:00 on the clock beside it, so it has 23, 25 or other hours when clocks change.',
    'A display is lit while it reports a backlight above 0, or light is measured at its panel. A reading holds until the next one, and for two minutes at most; then its light is unknown. Of several displays the worst counts, second by second.',
    'Planned darkness follows off times and day plans from when the device confirmed them, and is put down to emergency dark, else off times, else the day plan.',
    countingRule(terms?.unknownCounts ?? 'leftOut'),
    `Unplanned darkness is put down to the first of these that its readings show. ${DARK_CAUSES.map((cause) => `${CAUSE_NAMES[cause]}: ${CAUSE_RULES[cause]}.`).join(' ')}`,
    'A device counts from the minute in which it was added, while it is Paired and has a display. A day belongs to the customer with whom it began.',
    'Time of which nothing is known because this installation was down is nobody’s darkness, and is left out of the light owed.',
    ...creditSentences(terms),
  ]
}

function creditSentences(terms: StatementTerms | null): readonly string[] {
  if (terms === null) return []
  const target = `The target is ${percentText(terms.targetHundredths)}.`
  if (terms.currency === null || terms.steps.length === 0) return [target]
  const steps = terms.steps
    .toSorted((a, b) => b.belowHundredths - a.belowHundredths)
    .map((step) => `below ${percentText(step.belowHundredths)}: ${percentText(step.creditHundredths)}`)
  return [
    target,
    `Credit for each device, as a share of its monthly fee of ${moneyText(terms.feeMinor, terms.currency)}: ${steps.join('; ')}. Parts of the smallest unit are cut. A device of which nothing is known has no credit.`,
  ]
}

/** The parts with any minutes, the largest first. */
const partsInOrder = <Part extends string>(by: Readonly<Record<Part, number>>, names: Readonly<Record<Part, string>>) =>
  (Object.entries(by) as [Part, number][])
    .filter(([, minutes]) => minutes > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([part, minutes]) => ({ name: names[part], minutes }))

/** The causes with darkness, the largest first. */
export const causesInOrder = (by: UnplannedBy | CauseMinutes) =>
  partsInOrder<keyof UnplannedBy>(by as UnplannedBy, CAUSE_NAMES)

/** Says what came of a law or a permit in the month. */
export const ruleLine = (of: Readonly<Record<'due' | 'kept' | 'broken' | 'unknown' | 'maintenance', number>>): string =>
  `due ${clockText(of.due)}: kept ${clockText(of.kept)}, too bright ${clockText(of.broken)}, unknown ${clockText(of.unknown)}, maintenance ${clockText(of.maintenance)}`

/** What a line of the statement is made of: darkness by cause, and planned darkness by plan. */
export function partsOfLine(key: PlainFigure, { unplannedBy, plannedBy }: LightFigures) {
  if (key === 'unplanned') return causesInOrder(unplannedBy)
  return key === 'planned' && plannedBy ? partsInOrder(plannedBy, PLAN_NAMES) : []
}
