import { addLight, LIGHT_RULES, type LightRule, type LightSeconds, NO_LIGHT } from './displayDay.ts'
import { type PanelPower, panelWattHours } from './panelPower.ts'

/** What saves energy against displays that are always at full level. */
export const SAVED_BY = ['offTimes', 'dayPlan', 'ambient', 'byHand'] as const satisfies readonly LightRule[]
export type SavedBy = (typeof SAVED_BY)[number]

/**
 * The energy of a time in whole watt-hours (rules/energy 3): always full = used + saved + not drawn while dark, and
 * used = measured + estimated.
 */
export interface EnergyFigures {
  readonly used: number
  readonly measured: number
  readonly estimated: number
  readonly saved: Readonly<Record<SavedBy, number>>
  readonly savedTotal: number
  /** What displays would have drawn that were dark though light was owed. Nobody saved it. */
  readonly notDrawn: number
  readonly alwaysFull: number
  /** Seconds of displays of which nothing is known, so that no energy is counted unless a meter did. */
  readonly unknownSeconds: number
  /** Seconds of displays whose model has no power. */
  readonly unmodelledSeconds: number
}

export const NO_ENERGY: EnergyFigures = {
  ...{ used: 0, measured: 0, estimated: 0, savedTotal: 0, notDrawn: 0, alwaysFull: 0 },
  ...{ saved: { offTimes: 0, dayPlan: 0, ambient: 0, byHand: 0 }, unknownSeconds: 0, unmodelledSeconds: 0 },
}

/** Nothing counted is not the same as no energy. */
export const isCounted = ({ alwaysFull, measured, unknownSeconds, unmodelledSeconds }: EnergyFigures): boolean =>
  alwaysFull > 0 || measured > 0 || unknownSeconds > 0 || unmodelledSeconds > 0

/** The days of displays of one model, added up. */
export interface CountedLight {
  readonly byRule: Readonly<Record<LightRule, LightSeconds>>
  readonly unmetered: LightSeconds
  readonly unknownSeconds: number
}

/** Returns the energy of displays of one model; a model without power has only seconds. */
export function energyOfDisplays(light: CountedLight, power: PanelPower | undefined): EnergyFigures {
  const { byRule, unmetered, unknownSeconds } = light
  if (power === undefined) {
    const { known } = LIGHT_RULES.reduce((sum, rule) => addLight(sum, byRule[rule]), NO_LIGHT)
    return { ...NO_ENERGY, unknownSeconds, unmodelledSeconds: known }
  }
  const avoided = (rule: LightRule) => {
    const { known } = byRule[rule]
    const full = panelWattHours(power, { known, lit: known, level: 100 * known })
    return Math.max(0, Math.round(full - panelWattHours(power, byRule[rule])))
  }
  const saved = {
    ...{ offTimes: avoided('offTimes'), dayPlan: avoided('dayPlan') },
    ...{ ambient: avoided('ambient'), byHand: avoided('byHand') },
  }
  const estimated = Math.round(panelWattHours(power, unmetered))
  return closed({ ...NO_ENERGY, estimated, saved, notDrawn: avoided('dark'), unknownSeconds })
}

export const energyOfMeter = (wattHours: number): EnergyFigures => closed({ ...NO_ENERGY, measured: wattHours })

export function addEnergy(first: EnergyFigures, second: EnergyFigures): EnergyFigures {
  const sum = (of: (figures: EnergyFigures) => number) => of(first) + of(second)
  return closed({
    ...NO_ENERGY,
    measured: sum(({ measured }) => measured),
    estimated: sum(({ estimated }) => estimated),
    saved: {
      offTimes: sum(({ saved }) => saved.offTimes),
      dayPlan: sum(({ saved }) => saved.dayPlan),
      ambient: sum(({ saved }) => saved.ambient),
      byHand: sum(({ saved }) => saved.byHand),
    },
    notDrawn: sum(({ notDrawn }) => notDrawn),
    unknownSeconds: sum(({ unknownSeconds }) => unknownSeconds),
    unmodelledSeconds: sum(({ unmodelledSeconds }) => unmodelledSeconds),
  })
}

/** The sums are always made of their parts, so that every page closes. */
function closed(parts: EnergyFigures): EnergyFigures {
  const used = parts.measured + parts.estimated
  const savedTotal = SAVED_BY.reduce((sum, rule) => sum + parts.saved[rule], 0)
  return { ...parts, used, savedTotal, alwaysFull: used + savedTotal + parts.notDrawn }
}

/** Hundredths of a percent of what was used, cut; null when nothing was. */
export const measuredHundredths = ({ measured, used }: EnergyFigures): number | null =>
  used === 0 ? null : Math.floor((10_000 * measured) / used)
