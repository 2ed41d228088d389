import { HEAT_CELLS, middleOf } from './heatBands.ts'

/**
 * How a panel of a model ages (rules/panels 3). It lasts its rated hours at full level and rated temperature, until it has
 * 70 % of its light (L70). At another level or temperature an hour counts as more or less than one.
 */
export interface LifeModel {
  readonly ratedHours: number
  /** The temperature within the display for which the hours are rated. */
  readonly ratedCelsius: number
  /** An hour at a share of full level counts as that share to this power, in hundredths. */
  readonly levelExponentHundredths: number
  /** The activation energy of ageing in thousandths of an electronvolt. */
  readonly activationMillielectronvolts: number
}

/** Usual figures of LED backlights. They are ours, until somebody sets those of the data sheet. */
export const USUAL_LIFE: LifeModel = {
  ...{ ratedHours: 50_000, ratedCelsius: 45 },
  ...{ levelExponentHundredths: 150, activationMillielectronvolts: 400 },
}

/** Boltzmann's constant in electronvolts for a kelvin. */
const BOLTZMANN = 8.617333e-5
const kelvin = (celsius: number) => celsius + 273.15

/** Returns how many rated hours an hour at this level and temperature counts as; more if brighter or hotter. */
export function ageing(
  { ratedCelsius, levelExponentHundredths, activationMillielectronvolts }: LifeModel,
  percent: number,
  celsius: number,
): number {
  const byLevel = (percent / 100) ** (levelExponentHundredths / 100)
  const energy = activationMillielectronvolts / 1000 / BOLTZMANN
  return byLevel * Math.exp(energy * (1 / kelvin(ratedCelsius) - 1 / kelvin(celsius)))
}

/** Returns how many rated hours minutes of light by heat count as. Where no temperature was reported, it is the rated. */
function agedHours(model: LifeModel, heat: readonly number[]): number {
  let hours = 0
  for (let cell = 0; cell < HEAT_CELLS; cell++) {
    const minutes = heat[cell] ?? 0
    if (minutes === 0) continue
    const { percent, celsius } = middleOf(cell)
    hours += (minutes / 60) * ageing(model, percent, celsius ?? model.ratedCelsius)
  }
  return hours
}

/** The counted days of a display in a month, and its minutes of light in them. */
export interface HeatMonth {
  readonly days: number
  readonly heat: readonly number[]
}

export const HISTORY_DAYS = 180
const YEAR_DAYS = 365

export type PanelLife =
  | { readonly kind: 'tooLittle'; readonly days: number; readonly needed: number }
  /** It was never lit in so many days, so it does not age. */
  | { readonly kind: 'unused'; readonly days: number }
  | {
      readonly kind: 'known'
      /** The share of its life that is over, in hundredths of a percent; more than 10,000 when it is overdue. */
      readonly usedHundredths: number
      /** Days from now. */
      readonly daysLeft: number
      readonly earliestDaysLeft: number
      readonly latestDaysLeft: number
    }

/** What the rated hours of one panel differ from another's, and the model from life: a share of the days left. */
const MODEL_SPREAD = 0.15
/** What seasons that were not seen may change. */
const SEASON_SPREAD = 0.3
/** Two sides of nine tenths of a normal distribution. */
const SIDES = 1.645

/**
 * Says when a panel has aged by its rated hours, from how it aged in the months that were counted.
 *
 * @param uncountedDays days before it was counted, since it was put in; it is taken to have aged then as it did later
 */
export function panelLife(months: readonly HeatMonth[], model: LifeModel, uncountedDays: number): PanelLife {
  const days = months.reduce((sum, month) => sum + month.days, 0)
  if (days < HISTORY_DAYS) return { kind: 'tooLittle', days, needed: HISTORY_DAYS }
  const aged = months.map((month) => ({ days: month.days, hours: agedHours(model, month.heat) }))
  const daily = aged.reduce((sum, { hours }) => sum + hours, 0) / days
  if (daily <= 0) return { kind: 'unused', days }
  const used = daily * (days + uncountedDays)
  const daysLeft = Math.max(0, (model.ratedHours - used) / daily)
  const share = spreadOf(aged, daily, days)
  return {
    kind: 'known',
    usedHundredths: Math.floor((10_000 * used) / model.ratedHours),
    daysLeft: Math.round(daysLeft),
    earliestDaysLeft: Math.max(0, Math.round(daysLeft * (1 - share))),
    latestDaysLeft: Math.round(daysLeft * (1 + share)),
  }
}

/** Returns the spread as a share of the days left. It shrinks as history grows, down to what the model itself leaves open. */
function spreadOf(
  aged: readonly { readonly days: number; readonly hours: number }[],
  daily: number,
  days: number,
): number {
  const variance = aged.reduce((sum, month) => {
    return month.days === 0 ? sum : sum + month.days * (month.hours / month.days / daily - 1) ** 2
  }, 0)
  const ofMean = Math.sqrt(variance / days / Math.max(1, aged.length))
  const season = SEASON_SPREAD * Math.max(0, 1 - days / YEAR_DAYS)
  return Math.min(0.9, SIDES * Math.hypot(MODEL_SPREAD, ofMean, season))
}
