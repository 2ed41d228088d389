import { CATEGORY } from '#domain/components/componentFields.ts'
import { COMPONENT_MODELS } from '#domain/components/componentModels.ts'
import type { LightSeconds } from './displayDay.ts'

/** The power of one panel in watts: at full level, at the lowest level with light, and without light. */
export interface PanelPower {
  readonly fullWatts: number
  readonly minimumWatts: number
  readonly darkWatts: number
}

/** The models of components that are displays. */
export const DISPLAY_MODELS = COMPONENT_MODELS.filter(({ categoryId }) => categoryId === CATEGORY.display)

/**
 * Figures of a usual outdoor panel of this kind, until somebody sets those of the data sheet. They are ours, not a
 * manufacturer's, so what follows from them is called estimated.
 */
export const USUAL_POWER: ReadonlyMap<number, PanelPower> = new Map([
  [7, { fullWatts: 380, minimumWatts: 90, darkWatts: 12 }],
  [17, { fullWatts: 620, minimumWatts: 140, darkWatts: 15 }],
])

export const MOST_PANEL_WATTS = 5_000

/** Power grows evenly with the level while there is light. */
export function panelWattHours({ fullWatts, minimumWatts, darkWatts }: PanelPower, light: LightSeconds): number {
  const { known, lit, level } = light
  return ((known - lit) * darkWatts + lit * minimumWatts + (level / 100) * (fullWatts - minimumWatts)) / 3600
}

/** Returns what is wrong with a panel's power, or undefined. */
export function powerProblem({ fullWatts, minimumWatts, darkWatts }: PanelPower): string | undefined {
  if (minimumWatts > fullWatts) return 'The lowest level cannot draw more than full level.'
  return darkWatts > minimumWatts ? 'A dark panel cannot draw more than one with light.' : undefined
}
