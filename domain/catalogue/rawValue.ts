import { formatNumber, UNKNOWN_TEXT } from '../units/numbers.ts'
import type { ReadingValue } from './displayRules.ts'
import type { CatalogueField } from './field.ts'

/**
 * Formats a value of raw data (rules/display 12): unchanged, except for the out-of-order flag and the router relay,
 * whose numbers mean the opposite of what people expect.
 */
export function showRawValue(field: CatalogueField, value: ReadingValue): string {
  if (value === undefined || value === '') return UNKNOWN_TEXT
  return stateWord(field, value) ?? (field.storage === 'text' ? String(value) : formatNumber(Number(value)))
}

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
