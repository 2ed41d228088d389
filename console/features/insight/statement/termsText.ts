import type { BodyOf } from '#contract/call/call.ts'
import type { setStatementTerms } from '#contract/http/insight/lightStatements.ts'
import type { UnknownCounts } from '#domain/statement/lightFigures.ts'
import { minorDigits, type StatementTerms } from '#domain/statement/statementTerms.ts'

/** What is agreed, as people type it. */
export type TermsText = {
  readonly target: string
  readonly unknownCounts: UnknownCounts
  readonly currency: string
  readonly fee: string
  readonly steps: string
}

const percent = (hundredths: number) => (hundredths / 100).toFixed(2)

export function termsText(terms: StatementTerms | null): TermsText {
  if (terms === null) return { target: '', unknownCounts: 'leftOut', currency: '', fee: '', steps: '' }
  const { targetHundredths, unknownCounts, currency, feeMinor, steps } = terms
  const digits = currency === null ? 0 : minorDigits(currency)
  return {
    ...{ target: percent(targetHundredths), unknownCounts, currency: currency ?? '' },
    fee: currency === null ? '' : (feeMinor / 10 ** digits).toFixed(digits),
    steps: steps.map((step) => `${percent(step.belowHundredths)}: ${percent(step.creditHundredths)}`).join(', '),
  }
}

/** Text that is no number becomes one that the call refuses, which then names its field. */
const hundredthsOf = (text: string) => Math.round(Number(text.trim() === '' ? Number.NaN : text) * 100)

export function readTermsText(text: TermsText): BodyOf<typeof setStatementTerms>['terms'] {
  const { target, unknownCounts, currency, fee, steps } = text
  if (target.trim() === '') return null
  const code = currency.trim().toUpperCase()
  return {
    ...{ targetHundredths: hundredthsOf(target), unknownCounts, currency: code === '' ? null : code },
    feeMinor: fee.trim() === '' ? 0 : Math.round(Number(fee) * 10 ** (code === '' ? 0 : minorDigits(code))),
    steps: steps
      .split(',')
      .filter((step) => step.trim() !== '')
      .map((step) => {
        const [below = '', credit = ''] = step.split(':')
        return { belowHundredths: hundredthsOf(below), creditHundredths: hundredthsOf(credit) }
      }),
  }
}
