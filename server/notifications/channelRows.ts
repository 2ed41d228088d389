import type { CustomerId, UserId } from '#domain/ids.ts'
import type { ChannelKind, ChannelSettings } from '#domain/notifications/channelKinds.ts'
import type { WeekHours } from '#domain/notifications/routing.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

/** A key that signs webhooks. The older one signs until its moment, so that a receiver can follow. */
export interface SigningKey {
  readonly key: string
  /** ISO 8601; null until another key takes its place. */
  readonly until: string | null
}

/** A channel sends nothing in these hours. */
export interface QuietHours extends Omit<WeekHours, 'weekdays'> {
  /** Critical incidents are sent all the same. */
  readonly tellsCritical: boolean
}

/** A channel as sending needs it. */
export interface ChannelRow {
  readonly id: number
  readonly customer_id: CustomerId | null
  readonly user_id: UserId | null
  readonly name: string
  readonly kind: ChannelKind
  readonly settings: ChannelSettings
  readonly secret: string
  readonly signing: readonly SigningKey[]
  /** The key that encrypted its secrets is missing, so they are empty. */
  readonly isUnreadable?: boolean
  /** The address of a mail channel confirmed then that it wants mails; null before, and for other channels. */
  readonly recipient_confirmed_at: Date | null
}

/** True when the entered address has not confirmed. A channel of one person goes to the address of their account. */
export const awaitsRecipient = (channel: Pick<ChannelRow, 'kind' | 'user_id' | 'recipient_confirmed_at'>): boolean =>
  channel.kind === 'mail' && channel.user_id === null && channel.recipient_confirmed_at === null

/** SQL columns with encrypted secrets: only code that sends reads them, by `decryptChannel`. */
export const SENDING_COLUMNS = (channel: string) =>
  ['id', 'customer_id', 'user_id', 'name', 'kind', 'settings', 'secret', 'signing', 'recipient_confirmed_at']
    .map((column) => `${channel}.${column}`)
    .join(', ')

export const QUIET_EVERY_DAY = ({ from, to, timeZone }: QuietHours): WeekHours => ({
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  from,
  to,
  timeZone,
})

/** Returns the keys that still sign, newest first. */
export const signingNow = (keys: readonly SigningKey[], now: Date): readonly string[] =>
  keys.filter(({ until }) => until === null || new Date(until) > now).map(({ key }) => key)

export function decryptChannel<Row extends ChannelRow>(cipher: SecretCipher, row: Row): Row {
  const secret = cipher.tryDecrypt(row.secret, `channel/${row.id}/secret`)
  const signing = row.signing.map(({ key, until }) => ({ key: cipher.tryDecrypt(key, signingPlace(row.id)), until }))
  const isReadable = (one: { key: string | undefined }): one is SigningKey => one.key !== undefined
  if (secret !== undefined && signing.every(isReadable)) return { ...row, secret, signing: signing.filter(isReadable) }
  return { ...row, secret: '', signing: [], isUnreadable: true }
}

const signingPlace = (id: number) => `channel/${id}/signing`

export const encryptSigning = (
  cipher: SecretCipher,
  id: number,
  signing: readonly SigningKey[],
): readonly SigningKey[] => signing.map(({ key, until }) => ({ key: cipher.encrypt(key, signingPlace(id)), until }))
