import type { LightRuleSetRow } from '#contract/http/insight/lightRules.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { HolidayRule } from '#domain/lightRules/ruleSet.ts'

export type RuleSetFields = {
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

export const RULE_SET_LABELS: Readonly<Record<keyof RuleSetFields, string>> = {
  ...{ file: 'Begin with', customerId: 'Customer', name: 'Name', country: 'Country', from: 'From', to: 'To' },
  ...{ days: 'Days', onHolidays: 'Holidays', level: 'Highest level (%)', lux: 'While ambient light is below (lux)' },
  ...{ except: 'Exceptions', validFrom: 'Valid from', validUntil: 'Valid until', source: 'Source' },
}

export const NEW_RULE_SET: RuleSetFields = {
  ...{ file: '', customerId: undefined, name: '', country: '', from: '01:00', to: '06:00' },
  ...{ days: ['0', '1', '2', '3', '4', '5', '6'], onHolidays: 'too', level: '0', lux: '', except: '' },
  ...{ validFrom: null, validUntil: null, source: '' },
}

export const ruleSetOf = (values: RuleSetFields): LightRuleSetRow['set'] => ({
  name: values.name,
  country: values.country || null,
  area: null,
  rules: [
    {
      days: values.days.map(Number).sort((a, b) => a - b),
      ...{ from: values.from, to: values.to, onHolidays: values.onHolidays },
      levelPercent: Number(values.level || 0),
      belowLux: values.lux.trim() === '' ? null : Number(values.lux),
    },
  ],
  exceptDates: values.except
    .split(',')
    .map((date) => date.trim())
    .filter(Boolean),
  ...{ validFrom: values.validFrom, validUntil: values.validUntil, source: values.source, sourceUrl: '' },
})

/** A data file is used as it is; only its name is shown beside what it says. */
export const valuesOfSet = (set: LightRuleSetRow['set'] | undefined): Partial<RuleSetFields> =>
  set ? { name: set.name } : { name: '' }
