import { UNKNOWN_TEXT } from '../units/numbers.ts'

export interface AlertOrigin {
  readonly of: 'device' | 'model' | 'customer' | 'tag' | 'all'
  /** Empty unless the condition applies to a customer, or to a tag of a customer. */
  readonly customerName: string
  readonly tag: string
}

/** Returns `this device alone`, `the device's model`, `customer Prague`, `#sunny of Prague` or a dash. */
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

/** Returns one word for a list, which has little room; empty for null. */
export function originWord(origin: AlertOrigin | null): string {
  if (origin === null) return ''
  if (origin.of === 'device') return 'own'
  if (origin.of === 'all') return 'all devices'
  return origin.of === 'tag' ? `#${origin.tag}` : origin.of
}
