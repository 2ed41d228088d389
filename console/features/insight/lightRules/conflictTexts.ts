import type { LightConflict } from '#contract/http/insight/lightRules.ts'
import { offTimesText } from '#domain/lightRules/ruleText.ts'
import { clockText } from '#domain/statement/statementText.ts'

export const hoursText = clockText

export function plannedText({ offTimes, plannedPercent, allowedPercent }: LightConflict): string {
  const level = plannedPercent === null ? 'Lit' : `${plannedPercent} %`
  const allowed = allowedPercent === 0 ? '' : `, allowed ${allowedPercent} %`
  return `${level}${allowed}${offTimes ? `; off ${offTimes}` : ''}`
}

const COLD_TEXTS = {
  kept: '',
  lost: ' The driver takes the panel’s power then: it is not kept warm.',
  unknown: ' Whether the panel keeps its power then is unknown.',
} as const satisfies Record<LightConflict['powerInDark'], string>

export function changeText({ change, powerInDark, allowedPercent }: LightConflict): string {
  const cold = COLD_TEXTS[powerInDark]
  if (change?.kind === 'offTimes') return `Off times ${offTimesText(change.offTimes)}.${cold}`
  if (change?.kind === 'dayPlan') return `Day plan that is dark in these hours.${cold}`
  return allowedPercent === 0
    ? 'Off times and day plan have to be planned by hand.'
    : `Lower the day plan, the ambient sensor’s maximum or the level to ${allowedPercent} %.`
}
