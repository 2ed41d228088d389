import { isBelow, type LightFigures, type UnknownCounts } from './lightFigures.ts'

/** Below this availability the customer is credited this share of a device's monthly fee, both in hundredths of a percent. */
export interface CreditStep {
  readonly belowHundredths: number
  readonly creditHundredths: number
}

/** What is agreed with a customer. Money is an integer of the currency's smallest unit. */
export interface StatementTerms {
  readonly targetHundredths: number
  readonly unknownCounts: UnknownCounts
  /** An ISO 4217 code; null without credits. */
  readonly currency: string | null
  readonly feeMinor: number
  readonly steps: readonly CreditStep[]
}

/** A customer without an agreement has no target, and its availability is of known time. */
export const countsOf = (terms: StatementTerms | null): UnknownCounts => terms?.unknownCounts ?? 'leftOut'

/**
 * Returns the credit for one device: of the steps that its availability is below, the lowest decides. Parts of the
 * smallest unit are cut. A device of which nothing is known has none.
 */
export function creditMinorOf(terms: StatementTerms | null, figures: LightFigures): number {
  if (terms === null || terms.currency === null) return 0
  const step = terms.steps
    .toSorted((a, b) => a.belowHundredths - b.belowHundredths)
    .find(({ belowHundredths }) => isBelow(figures, terms.unknownCounts, belowHundredths))
  return step === undefined ? 0 : Math.floor((terms.feeMinor * step.creditHundredths) / 10_000)
}

/** Returns what is wrong with terms, or undefined. */
export function termsProblem({ currency, steps }: StatementTerms): string | undefined {
  if (steps.length > 0 && currency === null) return 'Credits need a currency.'
  const inOrder = steps.toSorted((a, b) => a.belowHundredths - b.belowHundredths)
  for (const [index, step] of inOrder.entries()) {
    const next = inOrder[index + 1]
    if (next?.belowHundredths === step.belowHundredths) return 'Two credits begin at the same availability.'
    if (next && next.creditHundredths > step.creditHundredths)
      return 'A lower availability must not have a smaller credit.'
  }
  return undefined
}

/** Returns how many decimals a currency has; a code that is still being typed has none. */
export const minorDigits = (currency: string): number =>
  /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0)
    : 0

/** Writes `1234.50 EUR`, with as many decimals as the currency has. */
export function moneyText(minor: number, currency: string): string {
  const digits = minorDigits(currency)
  const padded = String(minor).padStart(digits + 1, '0')
  const whole = padded.slice(0, padded.length - digits)
  return `${whole}${digits > 0 ? `.${padded.slice(-digits)}` : ''} ${currency}`
}
