import type { CustomerId, UserId } from '#domain/ids.ts'
import type { ChannelKind, ChannelSettings } from '#domain/notifying/channelKinds.ts'
import type { WeekHours } from '#domain/notifying/routing.ts'

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
}

/** As it stands in a statement, with the secrets: for what sends alone. */
export const SENDING_COLUMNS = (channel: string) =>
  ['id', 'customer_id', 'user_id', 'name', 'kind', 'settings', 'secret', 'signing']
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
