import { UNKNOWN_TEXT } from '../units/numbers.ts'

/** For which devices the condition of an alert is meant, as it stands now. */
export interface AlertOrigin {
  readonly of: 'device' | 'model' | 'customer' | 'tag' | 'all'
  /** Of a customer, and of a tag of a customer; else empty. */
  readonly customerName: string
  /** Else empty. */
  readonly tag: string
}

/** `this device alone`, `the device's model`, `customer City of Prague`, `#sunny of City of Prague`; of none a dash. */
export function originText(origin: AlertOrigin | null): string {
  switch (origin?.of) {
    case 'device':
      return 'this device'
    case 'model':
      return 'model'
    case 'customer':
      return `customer ${origin.customerName}`
    case 'tag':
      return origin.customerName ? `#${origin.tag} of ${origin.customerName}` : `#${origin.tag}`
    case 'all':
      return 'all devices'
    default:
      return UNKNOWN_TEXT
  }
}

/** Beside a condition in a list, where there is room for a word; empty of none. */
export function originWord(origin: AlertOrigin | null): string {
  if (origin === null) return ''
  if (origin.of === 'device') return 'own'
  if (origin.of === 'all') return 'all devices'
  return origin.of === 'tag' ? `#${origin.tag}` : origin.of
}
