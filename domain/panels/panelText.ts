import { FEWEST_DEVICES, FEWEST_HOURS } from './cohorts.ts'
import { HISTORY_DAYS, type PanelLife } from './panelLife.ts'

/** Shorter spells of darkness that are put down to a display are no failure. */
export const FAILURE_MINUTES = 10

/** The rules by which the life of panels is counted, in words. */
export const PANEL_RULES: readonly string[] = [
  'Minutes of light are kept by day in bands of the level and of the temperature within the display.',
  'A panel lasts the rated hours of its model at full level and rated temperature, until it has 70 % of its light (L70).',
  'An hour at a lower level counts as less, by the level’s share to the exponent of the model. An hour at another temperature counts by Arrhenius, with the activation energy of the model. Where no temperature was reported, it is the rated one.',
  'Before it was counted, a panel is taken to have aged as it did later, since it was put in. Without that day it is taken as new when it was first counted.',
  `Nothing is said before ${HISTORY_DAYS} counted days. The earliest and latest month are nine tenths likely; they come closer as history grows, and never closer than what the model leaves open.`,
  `A failure is unplanned darkness of at least ${FAILURE_MINUTES} minutes in a day that was put down to the display; days in a row are one failure.`,
  `A cohort of fewer than ${FEWEST_DEVICES} devices or ${FEWEST_HOURS.toLocaleString('en')} hours of light is too few. A device counts by its first display.`,
]

/** Returns the month so many days after a moment. */
export const monthIn = (now: Date, days: number): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 7)

/** Says in words when a panel is to be replaced. */
export function lifeText(life: PanelLife, now: Date, monthName: (month: string) => string): string {
  if (life.kind === 'tooLittle') return `Not enough history: ${life.days} of ${life.needed} days`
  if (life.kind === 'unused') return 'Not lit, so it does not age'
  if (life.daysLeft === 0) return 'Replace: its rated hours are over'
  return `Replace about ${monthName(monthIn(now, life.daysLeft))}`
}
