import type { LightRuleSetRow } from '#contract/http/insight/lightRules.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { HolidayRule } from '#domain/lightRules/ruleSet.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'

export type RuleSetValues = {
  /** The key of a data file; empty for a set of one's own. */
  readonly file: string
  readonly customerId: CustomerId | undefined
  readonly name: string
  readonly country: string
  readonly from: string
  readonly to: string
  readonly days: string[]
  readonly onHolidays: HolidayRule
  readonly level: string
  readonly lux: string
  readonly except: string
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly source: string
}

export const RULE_SET_LABELS: Readonly<Record<keyof RuleSetValues, string>> = {
  ...{ file: 'Begin with', customerId: 'Customer', name: 'Name', country: 'Country', from: 'From', to: 'To' },
  ...{ days: 'Days', onHolidays: 'Holidays', level: 'Highest level (%)', lux: 'While ambient light is below (lux)' },
  ...{ except: 'Exceptions', validFrom: 'Valid from', validUntil: 'Valid until', source: 'Source' },
}

export const NEW_RULE_SET: RuleSetValues = {
  ...{ file: '', customerId: undefined, name: '', country: '', from: '01:00', to: '06:00' },
  ...{ days: ['0', '1', '2', '3', '4', '5', '6'], onHolidays: 'too', level: '0', lux: '', except: '' },
  ...{ validFrom: null, validUntil: null, source: '' },
}

type RuleSet = LightRuleSetRow['set']

/** @param kept what the form has no field for comes from here */
export const ruleSetOf = (values: RuleSetValues, kept?: RuleSet): RuleSet => ({
  name: values.name,
  country: values.country || null,
  area: kept?.area ?? null,
  rules: kept && keptRulesOf(kept).length > 0 ? kept.rules : [ruleOf(values)],
  exceptDates: values.except
    .split(',')
    .map((date) => date.trim())
    .filter(Boolean),
  ...{ validFrom: values.validFrom, validUntil: values.validUntil, source: values.source },
  sourceUrl: kept?.source === values.source ? kept.sourceUrl : '',
})

const ruleOf = (values: RuleSetValues): RuleSet['rules'][number] => ({
  days: values.days.map(Number).sort((a, b) => a - b),
  ...{ from: values.from, to: values.to, onHolidays: values.onHolidays },
  levelPercent: Number(values.level || 0),
  belowLux: values.lux.trim() === '' ? null : Number(values.lux),
})

/** The form has fields for one rule; several stay as they are. */
export const keptRulesOf = ({ rules }: RuleSet): RuleSet['rules'] => (rules.length > 1 ? rules : [])

/** Fills the form with a set that is to be changed from a day on. */
export function valuesOfSet(set: RuleSet, validFrom: LocalDate): RuleSetValues {
  const [rule] = set.rules
  return {
    ...{ ...NEW_RULE_SET, name: set.name, country: set.country ?? '', source: set.source, validFrom },
    ...{ except: set.exceptDates.join(', '), validUntil: set.validUntil },
    ...(rule && {
      ...{ from: rule.from, to: rule.to, onHolidays: rule.onHolidays, days: rule.days.map(String) },
      ...{ level: String(rule.levelPercent), lux: rule.belowLux === null ? '' : String(rule.belowLux) },
    }),
  }
}

/** A data file is used as it is; only its name is shown beside what it says. */
export const valuesOfFile = (set: LightRuleSetRow['set'] | undefined): Partial<RuleSetValues> =>
  set ? { name: set.name } : { name: '' }
