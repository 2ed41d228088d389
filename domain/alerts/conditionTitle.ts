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

/**
 * Returns what happened as a person would say it: `ECU: Door = "1"` is "Door open". It parses the text of the
 * condition, because an alert keeps only that of a condition that may have been changed or deleted since.
 */
export const conditionTitle = (text: string): string =>
  levelTitle(text) ?? pairTitle(text) ?? titleWithoutValue(text) ?? withoutSigns(text)

function levelTitle(text: string): string | undefined {
  const first = readComparison(text)
  const [, lasting = ''] = (first && END.exec(first.rest)) ?? []
  return first && END.test(first.rest) ? `${named(first)}${lasting}` : undefined
}

function pairTitle(text: string): string | undefined {
  const first = readComparison(text)
  const [, joint = '', other = ''] = (first && /^ (and|or) (.*)$/.exec(first.rest)) ?? []
  const second = first && (readComparison(other) ?? readComparison(`${groupTitle(first.field.groupName)}: ${other}`))
  const [, lasting = ''] = (second && END.exec(second.rest)) ?? []
  if (!first || !second || !END.test(second.rest)) return undefined
  const { number, groupName } = first.field
  const isClear = groupName === second.field.groupName || Math.max(number, second.field.number) <= 1
  const others = isClear ? lowered(second.words) : `${groupTitle(second.field.groupName)}: ${second.words}`
  return `${named(first)} ${joint} ${others}${lasting}`
}

function titleWithoutValue(text: string): string | undefined {
  const [, name = '', what = '', value = '', rest = ''] = WITHOUT_VALUE.exec(text) ?? []
  const field = FIELDS.get(name)
  if (!field) return undefined
  const shown = what === 'changes by more than' ? valueLabel(field, value) : value
  return named({ field, words: `${field.field.label} ${what} ${shown} ${rest}` })
}

/** Handles a field that the catalogue no longer has, or a text with quotes in it. */
const withoutSigns = (text: string): string =>
  text
    .replace(CLEARED, '')
    .replace(/^Silent for /, 'Not reporting for ')
    .replaceAll('"', '')
    .replace(/ ([>≥<≤=≠])(?= |$)/g, (_, sign: string) => ` ${SIGN_WORDS[sign]}`)

interface Told {
  readonly field: NumberedField
  /** The words leave out the component. */
  readonly words: string
}

interface ReadComparison extends Told {
  readonly rest: string
}

function readComparison(text: string): ReadComparison | undefined {
  const [all = '', name = '', sign = '', quoted, number = ''] = COMPARISON.exec(text) ?? []
  const field = FIELDS.get(name)
  if (!field) return undefined
  const words = TITLES.get(all) ?? comparisonLabel(field, sign, quoted ?? number)
  return { field, words, rest: text.slice(all.length) }
}

/** Names the component only if there are several; most fields reveal by their name what they belong to. */
const named = ({ field: { number, groupName }, words }: Told): string =>
  number > 1 ? `${groupTitle(groupName)}: ${words}` : words

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
