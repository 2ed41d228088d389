import type { MessageRow } from '#contract/http/devices/records.ts'
import type { MessageKey } from './pageKeys.ts'

export interface StoredMessage {
  readonly key: MessageKey
  readonly at: Date
  readonly insertedAt: Date
  readonly msg: string
}

export function messageRow({ at, insertedAt, msg }: StoredMessage): MessageRow {
  return { inserted: insertedAt.toISOString(), at: at.toISOString(), msg }
}
