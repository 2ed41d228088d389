/** The values of one column, row by row; undefined when no row has one. */
export type Cells<Value> = ArrayLike<Value | null> | undefined

/** The readings of one component on one UTC day, column by column, oldest first. */
export interface DayColumns {
  readonly rows: number
  /** Device times in microseconds since 1970. */
  readonly at: Float64Array
  /** Times of arrival in microseconds since 1970; a closed day knows them to 100 ms. Empty if not asked for. */
  readonly inserted: Float64Array
  /** What the device's clock said where it is not believed, in microseconds since 1970. */
  readonly claimedAt: Cells<number>
  readonly isCorrected: Cells<boolean>
  /** JSON texts of fields that the catalogue does not know. */
  readonly extra: Cells<string>
  /** By column name. A field without any value is not here. */
  readonly fields: ReadonlyMap<string, ArrayLike<number | string | null>>
}
