import type { ColumnType } from 'kysely'

export type Moment = ColumnType<Date, Date | string | undefined, Date | string>
export type OptionalMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type Json = ColumnType<unknown, string | null | undefined, string | null>
