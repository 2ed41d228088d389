import type { CustomerId, UserId } from '#domain/ids.ts'
import type { ChannelKind, ChannelSettings } from '#domain/notifications/channelKinds.ts'
import type { WeekHours } from '#domain/notifications/routing.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

/** By which a webhook signs. The older one still does until its moment, so that a receiver may follow. */
export interface SigningKey {
  readonly key: string
  /** ISO 8601; null: until another takes its place. */
  readonly until: string | null
}

/** When a channel says nothing. */
export interface QuietHours extends Omit<WeekHours, 'weekdays'> {
  /** But for what is critical. */
  readonly tellsCritical: boolean
}

/** What telling something by a channel takes. */
export interface ChannelRow {
  readonly id: number
  readonly customer_id: CustomerId | null
  readonly user_id: UserId | null
  readonly name: string
  readonly kind: ChannelKind
  readonly settings: ChannelSettings
  readonly secret: string
  readonly signing: readonly SigningKey[]
  /** Its secrets are encrypted by a key that is not here: they are empty. */
  readonly isUnreadable?: boolean
  /** When the address of a mail channel confirmed that it wants mails; null: not yet, or it is no such channel. */
  readonly recipient_confirmed_at: Date | null
}

/** Whether it waits for somebody at the address that was typed. Those of one person go to the address of their account. */
export const awaitsRecipient = (channel: Pick<ChannelRow, 'kind' | 'user_id' | 'recipient_confirmed_at'>): boolean =>
  channel.kind === 'mail' && channel.user_id === null && channel.recipient_confirmed_at === null

/** As it stands in a statement, with the secrets as they are kept: for what sends alone, by `decryptChannel`. */
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

/** Those that still sign, the newest first. */
export const signingNow = (keys: readonly SigningKey[], now: Date): readonly string[] =>
  keys.filter(({ until }) => until === null || new Date(until) > now).map(({ key }) => key)

/** A row as it can be used. */
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
