import { isWithoutSource, showValue } from '../catalogue/displayRules.ts'
import { EVERY_FIELDS, groupTitle, NUMBERED_FIELDS, type NumberedField } from '../catalogue/fieldId.ts'
import type { DeviceModelId } from '../ids.ts'
import { formatDuration } from '../units/durations.ts'
import { conditionText, fieldText } from './conditionText.ts'
import { operatorById } from './operators.ts'
import { SUGGESTED_CONDITIONS } from './suggestedConditions.ts'

const SIGN_WORDS: Readonly<Record<string, string>> = {
  '>': 'above',
  '≥': 'at least',
  '<': 'below',
  '≤': 'at most',
  '=': 'is',
  '≠': 'is not',
}
const FIELDS: ReadonlyMap<string, NumberedField> = new Map(
  [...NUMBERED_FIELDS, ...EVERY_FIELDS].map((field) => [fieldText(field.id), field]),
)
const IMMEDIATELY = 1
const TITLES: ReadonlyMap<string, string> = new Map(
  SUGGESTED_CONDITIONS.flatMap(({ kind, fieldId, operatorId, value: threshold, title }) => {
    const operator = operatorById(operatorId)?.code
    if (kind !== 'level' || operator === undefined) return []
    return [[conditionText({ fieldId, operator, threshold, periodId: IMMEDIATELY }), title] as const]
  }),
)

const COMPARISON = /^([^>≥<≤=≠]+) ([>≥<≤=≠]) (?:"([^"]*)"|(-?[\d.]+(?:e[+-]?\d+)?))/
/** An alert keeps the text with which an earlier version raised it: `over at`, `Silent for`. */
const CLEARED = /, (?:cleared|over) at [<>] [^ ]+$/
const END = /^( for \d+ minutes)?(?:, (?:cleared|over) at [<>] [^ ]+)?$/
const WITHOUT_VALUE = /^([^>≥<≤=≠]+?) (not reported for|changes by more than) (\S+) (.*)$/

interface Title {
  /** Undefined for a field that the catalogue no longer has. */
  readonly field?: NumberedField | undefined
  /** What happened, with the component only if there are several. */
  readonly words: string
  /** ` for 15 minutes`, or empty. */
  readonly lasting: string
  /** The limit that the value has passed, where the words leave it out. */
  readonly limit?: string | undefined
}

export interface TitledAlert {
  readonly conditionText: string
  /** The title that somebody gave the condition. */
  readonly title?: string | null | undefined
  /** The value that met the condition. */
  readonly value?: number | null | undefined
}

/**
 * Returns what a condition watches for as a person would say it: `ECU: Door = "1"` is "Door open". It parses the text of
 * the condition, because an alert keeps only that of a condition that may have been changed or deleted since.
 */
export const conditionTitle = (text: string): string => titleOf(text).words

/** Returns what happened, with its value: "Display too hot: 48.5 °C, limit 40 °C" (rules/alerts 18). */
export function alertTitle({ conditionText: text, title, value }: TitledAlert): string {
  const { field, words, lasting, limit } = titleOf(text)
  const named = title ? withComponent(field, title) : words
  const passed = limit === undefined || named.includes(limit) ? undefined : `limit ${limit}`
  if (limit === undefined || value == null || !field) return [`${named}${lasting}`, passed].filter(Boolean).join(', ')
  const { text: shown, unit } = showValue(field, value, ANY_MODEL)
  return `${named}${lasting}: ${[unit ? `${shown} ${unit}` : shown, passed].filter(Boolean).join(', ')}`
}

const titleOf = (text: string): Title =>
  levelTitle(text) ?? pairTitle(text) ?? titleWithoutValue(text) ?? waitingTitle(text) ?? withoutSigns(text)

function levelTitle(text: string): Title | undefined {
  const first = readComparison(text)
  const [, lasting = ''] = (first && END.exec(first.rest)) ?? []
  if (!first || !END.test(first.rest)) return undefined
  const { field, words, passed } = first
  return { field, lasting, words: passed?.words ?? withComponent(field, words), limit: passed?.limit }
}

function pairTitle(text: string): Title | undefined {
  const first = readComparison(text)
  const [, joint = '', other = ''] = (first && /^ (and|or) (.*)$/.exec(first.rest)) ?? []
  const second = first && (readComparison(other) ?? readComparison(`${groupTitle(first.field.groupName)}: ${other}`))
  const [, lasting = ''] = (second && END.exec(second.rest)) ?? []
  if (!first || !second || !END.test(second.rest)) return undefined
  const { number, groupName } = first.field
  const isClear = groupName === second.field.groupName || Math.max(number, second.field.number) <= 1
  const others = isClear ? lowered(second.words) : `${groupTitle(second.field.groupName)}: ${second.words}`
  return { field: first.field, lasting, words: `${withComponent(first.field, first.words)} ${joint} ${others}` }
}

function titleWithoutValue(text: string): Title | undefined {
  const [, name = '', what = '', value = '', rest = ''] = WITHOUT_VALUE.exec(text) ?? []
  const field = FIELDS.get(name)
  if (!field) return undefined
  if (what === 'not reported for')
    return { field, lasting: ` for ${value} ${rest}`, words: withComponent(field, `${field.field.label} not reported`) }
  const words = `${field.field.label} ${what} ${valueLabel(field, value)} ${rest}`
  return { field, lasting: '', words: withComponent(field, words) }
}

function waitingTitle(text: string): Title | undefined {
  const [, words, lasting] = /^(Silent|Not reporting|Dark against plan)( for .+)$/.exec(text) ?? []
  return words && lasting ? { words: words === 'Silent' ? 'Not reporting' : words, lasting } : undefined
}

/** Handles a field that the catalogue no longer has, or a text with quotes in it. */
const withoutSigns = (text: string): Title => ({
  lasting: '',
  words: text
    .replace(CLEARED, '')
    .replaceAll('"', '')
    .replace(/ ([>≥<≤=≠])(?= |$)/g, (_, sign: string) => ` ${SIGN_WORDS[sign]}`),
})

interface ReadComparison {
  readonly field: NumberedField
  /** The words leave out the component. */
  readonly words: string
  readonly rest: string
  /** The words of a limit that a number passes. */
  readonly passed: { readonly words: string; readonly limit: string } | undefined
}

function readComparison(text: string): ReadComparison | undefined {
  const [all = '', name = '', sign = '', quoted, number = ''] = COMPARISON.exec(text) ?? []
  const field = FIELDS.get(name)
  if (!field) return undefined
  const known = TITLES.get(all)
  const words = known ?? comparisonLabel(field, sign, quoted ?? number)
  return { field, words, rest: text.slice(all.length), passed: passedLimit(field, sign, number, known) }
}

/** Names the component only if there are several; most fields reveal by their name what they belong to. */
const withComponent = (field: NumberedField | undefined, words: string): string =>
  field && field.number > 1 ? `${groupTitle(field.groupName)}: ${words}` : words

const PANEL_HEAT = /^d[\d*]?_internal_temp$/

/** A number passes its limit upwards or downwards: "UPS battery too low", "Display 2 too hot". */
function passedLimit(numbered: NumberedField, sign: string, value: string, known: string | undefined) {
  if (value === '' || sign === '=' || sign === '≠') return undefined
  const limit = valueLabel(numbered, value)
  if (known !== undefined) return { words: withComponent(numbered, known), limit }
  const isAbove = sign === '>' || sign === '≥'
  if (PANEL_HEAT.test(numbered.wireName)) {
    const display = numbered.number > 1 ? groupTitle(numbered.groupName) : 'Display'
    return { words: `${display} too ${isAbove ? 'hot' : 'cold'}`, limit }
  }
  return { words: withComponent(numbered, `${numbered.field.label} too ${isAbove ? 'high' : 'low'}`), limit }
}

/** Lower-cases the beginning for use within a sentence; `UPS` and `CPU` keep their capitals. */
const lowered = (words: string): string => words.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())

function comparisonLabel(numbered: NumberedField, sign: string, value: string): string {
  const { label, display } = numbered.field
  if (display === 'displaySource' && isWithoutSource(value)) return sign === '=' ? 'No picture' : 'Content running'
  const state = stateOf(numbered, sign, value)
  if (state === undefined) return `${label} ${SIGN_WORDS[sign]} ${valueLabel(numbered, value)}`
  if (state === 'Yes') return label
  return state === 'No' ? `${label}: no` : `${label} ${state.toLowerCase()}`
}

function valueLabel({ field: { display, unit } }: NumberedField, value: string): string {
  if (value === '') return 'empty'
  if (display === 'duration') return formatDuration(Number(value))
  return unit ? `${value} ${unit}` : value
}

const ANY_MODEL = 1 as DeviceModelId
const TWO_STATES: ReadonlySet<string> = new Set([
  'backlightAutomation',
  'routerRelay',
  'outOfOrderFlag',
  'onWhenOne',
  'openWhenOne',
  'onlineWhenOne',
  'yesWhenOne',
])

/** Returns the state of a field that has two, as its tile names it; "not the one" is the other. */
function stateOf(numbered: NumberedField, sign: string, value: string): string | undefined {
  const { display } = numbered.field
  if (!TWO_STATES.has(display) || !['=', '≠'].includes(sign)) return undefined
  // The device's out-of-order flag is 1 or 2 (rules/states 6).
  const states = display === 'outOfOrderFlag' ? ['1', '2'] : ['0', '1']
  if (!states.includes(value)) return undefined
  const is = sign === '=' ? value : states.find((one) => one !== value)
  return showValue(numbered, Number(is), ANY_MODEL).text
}
