import { AED_KIOSK_MODEL_ID, MULTI_DISPLAY_MODEL_IDS } from '../devices/models.ts'
import type { DeviceModelId } from '../ids.ts'
import { formatDuration } from '../units/durations.ts'
import { formatNumber, UNKNOWN_TEXT } from '../units/numbers.ts'
import type { DisplayRule } from './field.ts'
import type { NumberedField } from './fieldId.ts'

/** A raw reading: `undefined` is unknown, which is never zero and never OK. */
export type ReadingValue = number | string | undefined

export interface ShownValue {
  readonly text: string
  /** Drawn small beside the text; only set if the text is a plain number. */
  readonly unit?: string
  readonly isKnown: boolean
}

const UNKNOWN: ShownValue = { text: UNKNOWN_TEXT, isKnown: false }
const TOUCH_ENABLED = ['Driver is running', 'Enabled']
export const UPS_ON_GRID = 'on line interactive normal'
const SOURCE_WITHOUT_CONTENT = 'ARGB'
/** The panel has light and shows no picture. */
export const isWithoutSource = (source: number | string | undefined) => source === SOURCE_WITHOUT_CONTENT
const AED_CLOSED_FROM = 900
const LIQUID_BELOW = 100

/** Whether touch is enabled (rules/display 6); `undefined` is unknown, which an empty status means too. */
export function isTouchEnabled(value: ReadingValue): boolean | undefined {
  return value === undefined || value === '' ? undefined : TOUCH_ENABLED.includes(String(value))
}

/** Instruments report a negative time when they do not know it; "0 s" would be an alarm. */
const isDuration = (value: number | string) => Number(value) >= 0 && Number.isFinite(Number(value))

type Rule = (value: number | string, modelId: DeviceModelId) => string
const whenOne =
  (one: string, other: string): Rule =>
  (value) =>
    Number(value) === 1 ? one : other

const RULES: Record<Exclude<DisplayRule, 'number'>, Rule> = {
  text: (value) => String(value),
  duration: (value) => formatDuration(Number(value)),
  backlightAutomation: whenOne('Enabled', 'Disabled'),
  touchScreen: (value) => (isTouchEnabled(value) ? 'Enabled' : 'Disabled'),
  upsStatus: (value) => (value === UPS_ON_GRID ? 'On power grid' : 'On battery'),
  routerRelay: (value) => (Number(value) === 0 ? 'On' : 'Off'),
  liquid: (value, modelId) => {
    if (modelId === AED_KIOSK_MODEL_ID) return Number(value) >= AED_CLOSED_FROM ? 'CLOSED' : 'OPEN'
    return Number(value) < LIQUID_BELOW ? 'LIQUID DETECTED' : 'DRY'
  },
  displaySource: (value) => (isWithoutSource(value) ? 'Out of order' : 'Content running'),
  outOfOrderFlag: whenOne('No', 'Yes'),
  onWhenOne: whenOne('On', 'Off'),
  openWhenOne: whenOne('Open', 'Closed'),
  onlineWhenOne: whenOne('Online', 'Offline'),
  yesWhenOne: whenOne('Yes', 'No'),
}

/** Formats a reading for a tile. An empty touch screen status is Unknown (rules/display 6), others are a dash. */
export function showValue(numbered: NumberedField, value: ReadingValue, modelId: DeviceModelId): ShownValue {
  const { display, unit } = numbered.field
  if (value === undefined || value === '') {
    return display === 'touchScreen' && value === '' ? { text: 'Unknown', isKnown: false } : UNKNOWN
  }
  if (display === 'number') {
    const text = formatNumber(Number(value))
    return unit ? { text, unit, isKnown: true } : { text, isKnown: true }
  }
  if (display === 'duration' && !isDuration(value)) return UNKNOWN
  return { text: RULES[display](value, modelId), isKnown: true }
}

/** Names a tile, without D2 and D3 on models whose displays are separate products (rules/display 11). */
export function tileName(numbered: NumberedField, modelId: DeviceModelId): string {
  if (isAedCompartment(numbered, modelId)) return 'AED Compartment'
  return MULTI_DISPLAY_MODEL_IDS.includes(modelId) ? numbered.name.replace(/^D[23] /, '') : numbered.name
}

export function hasTileChart(numbered: NumberedField, modelId: DeviceModelId): boolean {
  return numbered.field.isMeasurement && !isAedCompartment(numbered, modelId)
}

function isAedCompartment(numbered: NumberedField, modelId: DeviceModelId): boolean {
  return modelId === AED_KIOSK_MODEL_ID && numbered.field.display === 'liquid'
}
