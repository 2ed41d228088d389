import type { ColumnType } from 'kysely'
import type { UserId } from '#domain/ids.ts'

export type Moment = ColumnType<Date, Date | string | undefined, Date | string>
export type OptionalMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

/** Who wrote a row, and who last changed it. */
export interface Written {
  created_at: Moment
  created_by: UserId | null
  updated_at: OptionalMoment
  updated_by: UserId | null
}

/** A row stays when it is deleted, so that histories can name it. */
export interface Deletable extends Written {
  deleted_at: OptionalMoment
  deleted_by: UserId | null
}
