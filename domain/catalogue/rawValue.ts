import { formatDuration } from '../units/durations.ts'
import { formatNumber, UNKNOWN_TEXT } from '../units/numbers.ts'
import type { ReadingValue } from './displayRules.ts'
import type { CatalogueField } from './field.ts'

/**
 * Formats a value of raw data (rules/display 12): unchanged, except for durations, for what the client knows, and for
 * the out-of-order flag and the router relay, whose numbers mean the opposite of what people expect.
 */
export function showRawValue(field: CatalogueField, value: ReadingValue): string {
  if (value === undefined || value === '') return UNKNOWN_TEXT
  return (
    stateWord(field, value) ??
    plainWord(field, value) ??
    (field.storage === 'text' ? String(value) : formatNumber(Number(value)))
  )
}

function plainWord({ name, display }: CatalogueField, value: number | string): string | undefined {
  if (display === 'duration' && Number(value) >= 0) return formatDuration(Number(value))
  return name === 'client_features' ? featureWords(String(value)) : undefined
}

/** The client names its features as code does (`dayPlans batteryTests`); people read words. */
const featureWords = (features: string): string =>
  features
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((feature) => feature.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase())
    .join(', ')

/** Formats it for a file: numbers in full, because somebody will calculate with them; unknown is absent. */
export function exportedRawValue(field: CatalogueField, value: ReadingValue): ReadingValue {
  if (value === undefined || value === '') return undefined
  return stateWord(field, value) ?? value
}

function stateWord({ display }: CatalogueField, value: number | string): string | undefined {
  if (display === 'outOfOrderFlag') return Number(value) === 1 ? 'No' : 'Yes'
  if (display === 'routerRelay') return Number(value) === 0 ? 'On' : 'Off'
  return undefined
}
